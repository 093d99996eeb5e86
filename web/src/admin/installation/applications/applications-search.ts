import type { Application } from '@classledger/contract';
import { oneBut, pageIn, readerOf } from '../../address.ts';

/** What the list is narrowed to; those that wait for an answer unless something else was chosen. */
export type StatusFilter = Application['status'] | 'all';
export const statusFilters = ['pending', 'approved', 'rejected', 'all'] as const satisfies StatusFilter[];

/** A status to narrow to; those that wait need not be named. */
export function shownStatus(value: unknown): StatusFilter | undefined {
  return oneBut<StatusFilter>('pending', statusFilters, value);
}

/** Reads the address of the applications' page. */
export const readApplicationsSearch = readerOf({ status: shownStatus, page: pageIn });
