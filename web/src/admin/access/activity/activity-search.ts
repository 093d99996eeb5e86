import { dayNumberOf, startOfDay } from '@classledger/contract/school-day';
import type { InputOf } from '../../../api/operation-types.ts';
import { dayIn, filtersOf, flagIn, idIn, pageIn, readerOf, type SearchIn } from '../../address.ts';
import { isLoggedAction } from '../actions/action-groups.ts';

/** Reads the address of the activity page. */
export const readActivitySearch = readerOf({
  /** Of all schools; for super administrators. */
  all: flagIn,
  admin: idIn,
  action: (value) => (typeof value === 'string' && isLoggedAction(value) ? value : undefined),
  /** YYYY-MM-DD, a day of the school. */
  from: dayIn,
  to: dayIn,
  page: pageIn,
});

export type ActivitySearch = SearchIn<typeof readActivitySearch>;

/** So many lines are a page. */
export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<ActivitySearch>('admin', 'action', 'from', 'to');

/** The question to the server, in days of a time zone: where all schools are asked for, it knows none. */
export function activityQuery(
  schoolDb: string | undefined,
  timeZone: string,
  { admin, action, from, to, page = 1 }: ActivitySearch,
): NonNullable<InputOf<'listActivity'>['query']> {
  return {
    schoolDb,
    adminId: admin,
    action,
    startDate: from && startOf(timeZone, from, 0),
    endDate: to && startOf(timeZone, to, 1),
    page,
    limit: pageSize,
  };
}

/** The first instant of a day, or the last one before the day after it. */
const startOf = (timeZone: string, day: string, after: 0 | 1) =>
  new Date(startOfDay(timeZone, dayNumberOf(day) + after) - after).toISOString();
