import type { Application } from '@classledger/contract';
import { oneBut, pageIn, readerOf } from '../../address.ts';

export type StatusFilter = Application['status'] | 'all';
export const statusFilters = ['pending', 'approved', 'rejected', 'all'] as const satisfies StatusFilter[];

/** Returns the status filter; undefined for the default, pending. */
export function shownStatus(value: unknown): StatusFilter | undefined {
  return oneBut<StatusFilter>('pending', statusFilters, value);
}

export const readApplicationsSearch = readerOf({ status: shownStatus, page: pageIn });
