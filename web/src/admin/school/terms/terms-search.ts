import { idIn, pageIn, type RawSearch, withoutEmpty } from '../../address.ts';

/** What the address of the terms' page holds. */
export interface TermsSearch {
  /** Narrows to one class. */
  readonly class?: number;
  /** The closed term that is open. */
  readonly term?: number;
  readonly page?: number;
}

/** Reads an address that anyone may have typed; what makes no sense is left out. */
export function readTermsSearch(raw: RawSearch): TermsSearch {
  return withoutEmpty<TermsSearch>({ class: idIn(raw.class), term: idIn(raw.term), page: pageIn(raw.page) });
}
