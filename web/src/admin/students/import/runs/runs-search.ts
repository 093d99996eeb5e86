import { parseOneOf, parsePage, searchReader } from '../../../search-parameters.ts';

export const shownActions = ['created', 'changed', 'missing', 'kept'] as const;

export const readRunSearch = searchReader({
  show: (value) => parseOneOf(shownActions, value),
  page: parsePage,
});
