import { parseOneOf, parsePage, searchReader } from '../../../search-parameters.ts';

/** Filters for the rows of an import. */
export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

/** Reads the address of an import's page. */
export const readRunSearch = searchReader({
  show: (value) => parseOneOf(shownActions, value),
  page: parsePage,
});
