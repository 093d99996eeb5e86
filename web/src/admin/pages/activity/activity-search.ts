import type { InputOf } from '../../../api/operation-types.ts';
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

const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(`${value}T00:00:00`));
const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readActivitySearch(raw: Readonly<Record<string, unknown>>): ActivitySearch {
  const { all, admin, action, from, to, page } = raw;
  return {
    ...(all === true && { all }),
    ...(isId(admin) && { admin }),
    ...(typeof action === 'string' && isLoggedAction(action) && { action }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(isId(page) && page > 1 && { page }),
  };
}

/** Whether something is left out of the list. */
export function isFiltered({ admin, action, from, to }: ActivitySearch): boolean {
  return [admin, action, from, to].some((value) => value !== undefined);
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
