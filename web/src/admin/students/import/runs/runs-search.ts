import { oneOf, pageIn, readerOf } from '../../../address.ts';

/** What of a run can be shown alone. */
export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

/** Reads the address of a run. */
export const readRunSearch = readerOf({ show: (value) => oneOf(shownActions, value), page: pageIn });
