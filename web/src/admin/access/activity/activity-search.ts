import type { InputOf } from '../../../api/operation-types.ts';
import { dayIn, filtersOf, flagIn, idIn, pageIn, readerOf, type SearchIn } from '../../address.ts';
import { isLoggedAction } from '../actions/action-groups.ts';

/** Reads the address of the activity page. */
export const readActivitySearch = readerOf({
  /** Of all schools; for super administrators. */
  all: flagIn,
  admin: idIn,
  action: (value) => (typeof value === 'string' && isLoggedAction(value) ? value : undefined),
  /** YYYY-MM-DD, a day in the reader's time zone. */
  from: dayIn,
  to: dayIn,
  page: pageIn,
});

export type ActivitySearch = SearchIn<typeof readActivitySearch>;

/** So many lines are a page. */
export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<ActivitySearch>('admin', 'action', 'from', 'to');

/** The question to the server. Its days are UTC; the reader's begin and end elsewhere. */
export function activityQuery(
  schoolDb: string | undefined,
  { admin, action, from, to, page = 1 }: ActivitySearch,
): NonNullable<InputOf<'listActivity'>['query']> {
  return {
    schoolDb,
    adminId: admin,
    action,
    startDate: from && new Date(`${from}T00:00:00`).toISOString(),
    endDate: to && new Date(`${to}T23:59:59.999`).toISOString(),
    page,
    limit: pageSize,
  };
}
