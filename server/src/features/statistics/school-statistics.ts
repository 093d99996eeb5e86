import {
  type DayTotals,
  dayAt,
  type InternalOperations,
  limits,
  type Overview,
  type Query,
  type RankedStudent,
} from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { requireStudent } from '../../access/targets.ts';
import { Listed, type Slice } from '../../database/page.ts';
import { compareClasses, daysOfClasses, type PlaceFilter } from './class-sums.ts';
import { everyDay, type LastDays, ownDays } from './last-days.ts';
import { type Dates, readOverview } from './overview.ts';
import { rankStudents } from './ranking.ts';
import { SharedReads } from './shared-reads.ts';

/** Answers equal queries that arrive together, such as after a lesson, with one read. */
export class Statistics {
  readonly #overviews = new SharedReads<Overview>();
  readonly #rankings = new SharedReads<Listed<RankedStudent>>();

  async overview(data: SchoolData, dates: Dates, at: Date): Promise<Overview> {
    const question = await questionOf(data, at, dates.startDate, dates.endDate);
    return this.#overviews.read(question, () => readOverview(data, dates, at));
  }

  async ranking(
    data: SchoolData,
    query: Query<InternalOperations['rankStudents']>,
    at: Date,
    slice: Slice,
  ): Promise<Listed<RankedStudent>> {
    const { by = 'total', days = limits.statisticsDaysDefault, gradeId, classId } = query;
    const question = await questionOf(data, at, gradeId, classId, by, days, slice.offset, slice.limit);
    return this.#rankings.read(question, () => rankStudents(data, { by, days, gradeId, classId }, at, slice));
  }
}

/** Returns a key that is the same only for reads of the same range, school day and query. */
async function questionOf(data: SchoolData, at: Date, ...asked: readonly unknown[]): Promise<string> {
  const timeZone = await data.timeZone();
  const { schoolId, gradeId, classId } = data.range;
  return [schoolId, gradeId, classId, timeZone, dayAt(timeZone, at.getTime()), ...asked].join(' ');
}

const lastDays = async (data: SchoolData, { days }: { days?: number | undefined }, at: Date) => ({
  timeZone: await data.timeZone(),
  days: days ?? limits.statisticsDaysDefault,
  at,
});

/** Lists the sums of each of the last days, of a grade, a class, the range or one student. */
export async function listDays(
  data: SchoolData,
  query: Query<InternalOperations['listDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<Listed<DayTotals>> {
  return partOf(await dayTotals(data, query, await lastDays(data, query, at)), slice);
}

/** Lists the same sums for the calling student. */
export async function listOwnDays(
  data: SchoolData,
  studentId: number,
  query: Query<InternalOperations['listOwnDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<Listed<DayTotals>> {
  return partOf(await ownDays(data, studentId, await lastDays(data, query, at)), slice);
}

const partOf = (days: readonly DayTotals[], { offset, limit }: Slice) =>
  new Listed(days.slice(offset, limit === null ? undefined : offset + limit), days.length);

/** Lists classes with their totals and the sums of the last days. */
export async function compare(
  data: SchoolData,
  query: Query<InternalOperations['compareClasses']>,
  at: Date,
  slice: Slice,
) {
  return compareClasses(data, query, await lastDays(data, query, at), slice);
}

/** For a student outside the given grade or class, all days are 0. */
async function dayTotals(
  data: SchoolData,
  { userId, gradeId, classId }: PlaceFilter & { userId?: number | undefined },
  last: LastDays,
): Promise<DayTotals[]> {
  if (userId === undefined) return daysOfClasses(data, { gradeId, classId }, last);
  const student = await requireStudent(data, userId);
  const isThere =
    (gradeId ?? student.gradeId) === student.gradeId && (classId ?? student.classId) === student.classId;
  return isThere ? ownDays(data, userId, last) : everyDay([], last);
}
