import { parseId, parsePage, searchReader } from '../../search-parameters.ts';

export const readTermsSearch = searchReader({
  class: parseId,
  term: parseId,
  page: parsePage,
});
