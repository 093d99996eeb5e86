import { idIn, pageIn, readerOf } from '../../address.ts';

export const readTermsSearch = readerOf({
  class: idIn,
  term: idIn,
  page: pageIn,
});
