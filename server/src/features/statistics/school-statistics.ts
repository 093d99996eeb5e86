import {
  type CategoryDay,
  type CategoryTotals,
  type DayTotals,
  dayAt,
  type InternalOperations,
  limits,
  type Overview,
  type Query,
  type RankedStudent,
} from '@classledger/contract';
import { defaultArchivedFilter } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireStudent } from '../../access/targets.ts';
import { ListResult, type Slice } from '../../database/page.ts';
import { listCategoryDays, totalsOfClasses, totalsOfStudent } from './category-sums.ts';
import { type ClassFilter, compareClasses, listDaysOfClasses } from './class-sums.ts';
import { fillMissingDays, listDaysOfStudent } from './last-days.ts';
import { type DateRange, readOverview } from './overview.ts';
import { rankStudents } from './ranking.ts';

/** Answers equal queries that arrive together, such as after a lesson, with one read. */
export class Statistics {
  readonly #overviews = new CoalescedReads<Overview>();
  readonly #rankings = new CoalescedReads<ListResult<RankedStudent>>();

  async overview(data: SchoolData, dates: DateRange, at: Date): Promise<Overview> {
    const question = await queryKey(data, at, dates.startDate, dates.endDate);
    return this.#overviews.read(question, () => readOverview(data, dates, at));
  }

  async ranking(
    data: SchoolData,
    query: Query<InternalOperations['rankStudents']>,
    at: Date,
    slice: Slice,
  ): Promise<ListResult<RankedStudent>> {
    const { by = 'total', days = limits.statisticsDaysDefault, gradeId, classId } = query;
    const question = await queryKey(data, at, gradeId, classId, by, days, slice.offset, slice.limit);
    return this.#rankings.read(question, () => rankStudents(data, { by, days, gradeId, classId }, at, slice));
  }
}

/** Returns a key that is the same only for reads of the same range, school day and query. */
async function queryKey(data: SchoolData, at: Date, ...values: readonly unknown[]): Promise<string> {
  const timeZone = await data.timeZone();
  const { schoolId, gradeId, classId, taughtClassIds } = data.range;
  return [
    schoolId,
    gradeId,
    classId,
    taughtClassIds,
    timeZone,
    dayAt(timeZone, at.getTime()),
    ...values,
  ].join(' ');
}

const lastDays = async (data: SchoolData, { days }: { days?: number | undefined }, at: Date) => ({
  timeZone: await data.timeZone(),
  days: days ?? limits.statisticsDaysDefault,
  at,
});

/** Returns nothing for a student outside the given grade or class. */
export async function listCategoryTotals(
  data: SchoolData,
  query: Query<InternalOperations['listCategoryTotals']>,
  slice: Slice,
): Promise<ListResult<CategoryTotals>> {
  const { userId, gradeId, classId } = query;
  const place = { gradeId, classId, archived: defaultArchivedFilter(data, query) };
  if (userId === undefined) return sliceRows(await totalsOfClasses(data, place), slice);
  return sliceRows(
    (await isStudentIn(data, userId, query)) ? await totalsOfStudent(data, userId) : [],
    slice,
  );
}

export const listOwnCategoryTotals = async (data: SchoolData, studentId: number, slice: Slice) =>
  sliceRows(await totalsOfStudent(data, studentId), slice);

/** Returns nothing for a student outside the given grade or class. */
export async function listDaysByCategory(
  data: SchoolData,
  query: Query<InternalOperations['listCategoryDays']>,
  at: Date,
  slice: Slice,
): Promise<ListResult<CategoryDay>> {
  const { userId: studentId, gradeId, classId } = query;
  if (studentId !== undefined && !(await isStudentIn(data, studentId, query))) return sliceRows([], slice);
  const place = { studentId, gradeId, classId, archived: defaultArchivedFilter(data, query) };
  return sliceRows(await listCategoryDays(data, place, await lastDays(data, query, at)), slice);
}

/** @throws AppError not_found, out_of_range */
async function isStudentIn(
  data: SchoolData,
  id: number,
  { gradeId, classId }: ClassFilter,
): Promise<boolean> {
  const student = await requireStudent(data, id);
  return (gradeId ?? student.gradeId) === student.gradeId && (classId ?? student.classId) === student.classId;
}

/** Returns days of 0 points for a student outside the given grade or class. */
export async function listDays(
  data: SchoolData,
  query: Query<InternalOperations['listDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<ListResult<DayTotals>> {
  const { userId, gradeId, classId } = query;
  const last = await lastDays(data, query, at);
  if (userId === undefined)
    return sliceRows(await listDaysOfClasses(data, { gradeId, classId }, last), slice);
  return sliceRows(
    (await isStudentIn(data, userId, query))
      ? await listDaysOfStudent(data, userId, last)
      : fillMissingDays([], last),
    slice,
  );
}

export async function listOwnDays(
  data: SchoolData,
  studentId: number,
  query: Query<InternalOperations['listOwnDayTotals']>,
  at: Date,
  slice: Slice,
): Promise<ListResult<DayTotals>> {
  return sliceRows(await listDaysOfStudent(data, studentId, await lastDays(data, query, at)), slice);
}

const sliceRows = <T>(rows: readonly T[], { offset, limit }: Slice) =>
  new ListResult(rows.slice(offset, limit === null ? undefined : offset + limit), rows.length);

export async function listClassComparison(
  data: SchoolData,
  query: Query<InternalOperations['compareClasses']>,
  at: Date,
  slice: Slice,
) {
  return compareClasses(data, query, await lastDays(data, query, at), slice);
}

/** Shares one read among callers with the same key. It starts after their calls, so it sees all earlier commits. */
export class CoalescedReads<T> {
  readonly #running = new Map<string, { next: Promise<T> | null; current: Promise<unknown> }>();

  read(key: string, load: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) {
      running.next ??= running.current.then(() => this.#start(key, load));
      return running.next;
    }
    return this.#start(key, load);
  }

  #start(key: string, load: () => Promise<T>): Promise<T> {
    const answer = load();
    const state = { next: null as Promise<T> | null, current: answer.catch(() => {}) };
    this.#running.set(key, state);
    void state.current.then(() => {
      if (state.next === null && this.#running.get(key) === state) this.#running.delete(key);
    });
    return answer;
  }
}
