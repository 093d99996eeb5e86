import { type DayTotals, limits, type RankedStudent } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClass, requireStudent, requireVisibleGrade } from '../../access/targets.ts';
import { Listed } from '../../database/page.ts';
import { type InternalHandlers, sliceOf } from '../../http/internal-door.ts';
import { compareClasses, daysOfClasses, type PlaceFilter, readTotals } from './class-sums.ts';
import { everyDay } from './last-days.ts';
import { ownDays } from './own-days.ts';
import { rankStudents } from './ranking.ts';
import { SharedReads } from './shared-reads.ts';

/** Statistics at the internal door. */
export function schoolStatisticsRoutes(): Pick<
  InternalHandlers,
  'getStatsOverview' | 'listDayTotals' | 'compareClasses' | 'rankStudents'
> {
  const shared = new SharedReads<Listed<RankedStudent>>();
  return {
    getStatsOverview: async ({ data, query }) => {
      await requirePlace(data, query);
      return readTotals(data, query);
    },

    listDayTotals: async ({ data, query, at }) => {
      await requirePlace(data, query);
      const days = await dayTotals(data, query, query.days ?? limits.statisticsDaysDefault, at);
      const { offset, limit } = sliceOf(query);
      return new Listed(days.slice(offset, limit === null ? undefined : offset + limit), days.length);
    },

    compareClasses: async ({ data, query, at }) => {
      await requirePlace(data, query);
      const { days = limits.statisticsDaysDefault } = query;
      return compareClasses(data, query, days, at, sliceOf(query));
    },

    rankStudents: async ({ data, query, at }) => {
      await requirePlace(data, query);
      const { by = 'total', days = limits.statisticsDaysDefault, gradeId, classId } = query;
      const { range } = data;
      const slice = sliceOf(query);
      const today = at.toISOString().slice(0, 10);
      const place = [range.schoolId, range.gradeId, range.classId, gradeId, classId];
      // Many open the same page at the same time, such as after a lesson.
      return shared.read([...place, by, days, today, slice.offset, slice.limit].join(' '), () =>
        rankStudents(data, { by, days, gradeId, classId }, at, slice),
      );
    },
  };
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
