import {
  type DayTotals,
  type InternalOperations,
  limits,
  type Overview,
  type Query,
  type RankedStudent,
} from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClass, requireStudent, requireVisibleGrade } from '../../access/targets.ts';
import { Listed, type Slice } from '../../database/page.ts';
import { compareClasses, daysOfClasses, type PlaceFilter, readTotals } from './class-sums.ts';
import { everyDay } from './last-days.ts';
import { type Dates, readOverview } from './overview.ts';
import { ownDays } from './own-days.ts';
import { rankStudents } from './ranking.ts';
import { SharedReads } from './shared-reads.ts';

/** Many open the same page at the same time, such as after a lesson: then they share one reading. */
export class Statistics {
  readonly #overviews = new SharedReads<Overview>();
  readonly #rankings = new SharedReads<Listed<RankedStudent>>();

  /** Head counts, score sums and leaders, as the external API shows them. */
  overview(data: SchoolData, dates: Dates, at: Date): Promise<Overview> {
    const question = questionOf(data, at, dates.startDate, dates.endDate);
    return this.#overviews.read(question, () => readOverview(data, dates, at));
  }

  /** Students by their points. @throws AppError not_found, out_of_range */
  async ranking(
    data: SchoolData,
    query: Query<InternalOperations['rankStudents']>,
    at: Date,
    slice: Slice,
  ): Promise<Listed<RankedStudent>> {
    await requirePlace(data, query);
    const { by = 'total', days = limits.statisticsDaysDefault, gradeId, classId } = query;
    const question = questionOf(data, at, gradeId, classId, by, days, slice.offset, slice.limit);
    return this.#rankings.read(question, () => rankStudents(data, { by, days, gradeId, classId }, at, slice));
  }
}

/** Tells readings apart that may differ; they are of one day. */
function questionOf({ range }: SchoolData, at: Date, ...asked: readonly unknown[]): string {
  const today = at.toISOString().slice(0, 10);
  return [range.schoolId, range.gradeId, range.classId, today, ...asked].join(' ');
}

/** Sums of a place. @throws AppError not_found, out_of_range */
export async function statsOverview(data: SchoolData, place: PlaceFilter) {
  await requirePlace(data, place);
  return readTotals(data, place);
}

/** Sums of each of the last days, of a place or of one student. @throws AppError not_found, out_of_range */
export async function listDays(
  data: SchoolData,
  query: Query<InternalOperations['listDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<Listed<DayTotals>> {
  await requirePlace(data, query);
  return partOf(await dayTotals(data, query, query.days ?? limits.statisticsDaysDefault, at), slice);
}

/** The same of the student who asks. */
export async function listOwnDays(
  data: SchoolData,
  studentId: number,
  { days = limits.statisticsDaysDefault }: Query<InternalOperations['listOwnDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<Listed<DayTotals>> {
  return partOf(await ownDays(data, studentId, days, at), slice);
}

const partOf = (days: readonly DayTotals[], { offset, limit }: Slice) =>
  new Listed(days.slice(offset, limit === null ? undefined : offset + limit), days.length);

/** Classes beside each other. @throws AppError not_found, out_of_range */
export async function compare(
  data: SchoolData,
  query: Query<InternalOperations['compareClasses']>,
  at: Date,
  slice: Slice,
) {
  await requirePlace(data, query);
  return compareClasses(data, query, query.days ?? limits.statisticsDaysDefault, at, slice);
}

/** @throws AppError not_found, out_of_range */
async function requirePlace(data: SchoolData, { gradeId, classId }: PlaceFilter): Promise<void> {
  if (gradeId !== undefined) await requireVisibleGrade(data, gradeId);
  if (classId !== undefined) await requireClass(data, classId);
}

/** Of the classes, or of one student as far as that one is in the place. @throws AppError as `requirePlace` */
async function dayTotals(
  data: SchoolData,
  { userId, gradeId, classId }: PlaceFilter & { userId?: number | undefined },
  days: number,
  at: Date,
): Promise<DayTotals[]> {
  if (userId === undefined) return daysOfClasses(data, { gradeId, classId }, days, at);
  const student = await requireStudent(data, userId);
  const isThere =
    (gradeId ?? student.gradeId) === student.gradeId && (classId ?? student.classId) === student.classId;
  return isThere ? ownDays(data, userId, days, at) : everyDay([], days, at);
}
