import { idIn, pageIn, readerOf } from '../../address.ts';

export const readTermsSearch = readerOf({
  /** Limits the list to one class. */
  class: idIn,
  /** The closed term that is open. */
  term: idIn,
  page: pageIn,
});
