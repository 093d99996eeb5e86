import { loggedActions } from 'virtual:admin-contract';
import { dayNumberOf, startOfDay } from '@classledger/contract/school-day';
import type { InputOf } from '../../../api/operation-types.ts';
import {
  describeFilters,
  type ParsedSearch,
  parseDay,
  parseFlag,
  parseId,
  parseOneOf,
  parsePage,
  searchReader,
} from '../../search-parameters.ts';

export const readActivitySearch = searchReader({
  all: parseFlag,
  admin: parseId,
  action: (value) => parseOneOf(loggedActions, value),
  /** A day at the school, such as 2026-09-01. */
  from: parseDay,
  to: parseDay,
  page: parsePage,
});

export type ActivitySearch = ParsedSearch<typeof readActivitySearch>;

export const pageSize = 50;

export const { isFiltered, unfiltered } = describeFilters<ActivitySearch>('admin', 'action', 'from', 'to');

/** Returns the query with instants instead of days, because a list of all schools has no single time zone. */
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

/** Returns the first instant of a day, or with `after` 1 the last millisecond of the day. */
const startOf = (timeZone: string, day: string, after: 0 | 1) =>
  new Date(startOfDay(timeZone, dayNumberOf(day) + after) - after).toISOString();
