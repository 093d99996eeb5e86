import type { InputOf } from '../../../api/operation-types.ts';
import { dayIn, filtersOf, flagIn, idIn, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';
import { isLoggedAction, type LoggedAction } from './action-groups.ts';

/** What the address of the activity page holds. */
export interface ActivitySearch {
  /** Of all schools; for super administrators. */
  readonly all?: true;
  readonly admin?: number;
  readonly action?: LoggedAction;
  /** YYYY-MM-DD, a day in the reader's time zone. */
  readonly from?: string;
  readonly to?: string;
  readonly page?: number;
}

/** So many lines are a page. */
export const pageSize = 50;

export const { isFiltered, unfiltered } = filtersOf<ActivitySearch>('admin', 'action', 'from', 'to');

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readActivitySearch(raw: RawSearch): ActivitySearch {
  return withoutEmpty<ActivitySearch>({
    all: flagIn(raw.all),
    admin: idIn(raw.admin),
    action: typeof raw.action === 'string' && isLoggedAction(raw.action) ? raw.action : undefined,
    from: dayIn(raw.from),
    to: dayIn(raw.to),
    page: pageIn(raw.page),
  });
}

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
