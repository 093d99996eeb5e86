import { oneOf, pageIn, readerOf } from '../../../address.ts';

/** Filters for the rows of an import. */
export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

export const readRunSearch = readerOf({ show: (value) => oneOf(shownActions, value), page: pageIn });
