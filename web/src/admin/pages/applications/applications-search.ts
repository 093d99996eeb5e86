import type { Application } from '@classledger/contract';

/** What the list is narrowed to; those that wait for an answer unless something else was chosen. */
export type StatusFilter = Application['status'] | 'all';

export const statusFilters = ['pending', 'approved', 'rejected', 'all'] as const satisfies StatusFilter[];

/** What the address of the applications' page holds. */
export interface ApplicationsSearch {
  readonly status?: Exclude<StatusFilter, 'pending'>;
  readonly page?: number;
}

/** Reads an address that anybody may have typed. */
export function readApplicationsSearch(raw: Readonly<Record<string, unknown>>): ApplicationsSearch {
  const status = statusFilters.find((one) => one === raw.status);
  const page = Number.isSafeInteger(raw.page) ? Number(raw.page) : 1;
  return {
    ...(status && status !== 'pending' && { status }),
    ...(page > 1 && { page }),
  };
}
