import { idIn, pageIn, readerOf } from '../../address.ts';

/** Reads the address of the terms' page. */
export const readTermsSearch = readerOf({
  /** Narrows to one class. */
  class: idIn,
  /** The closed term that is open. */
  term: idIn,
  page: pageIn,
});
