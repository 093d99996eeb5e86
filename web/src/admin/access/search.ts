import { loggedActions, roles } from 'virtual:admin-contract';
import { dayNumberOf, startOfDay } from '@classledger/contract/school-day';
import {
  type ParsedSearch,
  parseDay,
  parseFlag,
  parseId,
  parseOneOf,
  parsePage,
  parseWords,
  searchReader,
} from '../search-parameters.ts';

export const accountStates = ['active', 'disabled'] as const;

export const readAdministratorsSearch = searchReader({
  all: parseFlag,
  q: parseWords,
  role: (value) => parseOneOf(roles, value),
  state: (value) => parseOneOf(accountStates, value),
  page: parsePage,
});

export type AdministratorsSearch = ParsedSearch<typeof readAdministratorsSearch>;

/** `token` is the id of a credential. */
export const readWebhooksSearch = searchReader({ token: parseId, page: parsePage });

export const deliveryStates = ['waiting', 'delivered', 'failed', 'skipped'] as const;

export const readDeliveriesSearch = searchReader({
  state: (value) => parseOneOf(deliveryStates, value),
  page: parsePage,
});

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const readAuditSearch = searchReader({
  /** All schools, and calls without a known credential. Only super administrators may see them. */
  all: parseFlag,
  token: parseId,
  method: (value) => parseOneOf(httpMethods, value),
  status: (value) => {
    const status = parseId(value);
    return status !== undefined && status >= 100 && status <= 599 ? status : undefined;
  },
  failed: parseFlag,
  page: parsePage,
});

export type AuditSearch = ParsedSearch<typeof readAuditSearch>;

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

/** Returns instants instead of days, because a list of all schools has no single time zone. */
export const periodOf = (timeZone: string, from: string | undefined, to: string | undefined) => ({
  startDate: from && startOf(timeZone, from, 0),
  endDate: to && startOf(timeZone, to, 1),
});

/** Returns the first instant of a day, or with `after` 1 the last millisecond of the day. */
const startOf = (timeZone: string, day: string, after: 0 | 1) =>
  new Date(startOfDay(timeZone, dayNumberOf(day) + after) - after).toISOString();
