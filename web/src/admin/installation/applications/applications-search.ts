import type { Application } from '@classledger/contract';
import { oneOf, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';

/** What the list is narrowed to; those that wait for an answer unless something else was chosen. */
export type StatusFilter = Application['status'] | 'all';

export const statusFilters = ['pending', 'approved', 'rejected', 'all'] as const satisfies StatusFilter[];

/** What the address of the applications' page holds. */
export interface ApplicationsSearch {
  readonly status?: Exclude<StatusFilter, 'pending'>;
  readonly page?: number;
}

/** A status to narrow to; those that wait need not be named. */
export function shownStatus(value: unknown): ApplicationsSearch['status'] {
  const status = oneOf(statusFilters, value);
  return status === 'pending' ? undefined : status;
}

/** Reads an address that anyone may have typed. */
export function readApplicationsSearch(raw: RawSearch): ApplicationsSearch {
  return withoutEmpty<ApplicationsSearch>({ status: shownStatus(raw.status), page: pageIn(raw.page) });
}
