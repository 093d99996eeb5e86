import { oneOf, pageIn, readerOf } from '../../../address.ts';

/** Filters for the rows of an import. */
export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

/** Reads the address of an import's page. */
export const readRunSearch = readerOf({ show: (value) => oneOf(shownActions, value), page: pageIn });
