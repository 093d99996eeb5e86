/** What the address of the terms' page holds. */
export interface TermsSearch {
  /** Narrows to one class. */
  readonly class?: number;
  /** The closed term that is open. */
  readonly term?: number;
  readonly page?: number;
}

/** Reads an address that anybody may have typed; what makes no sense is left out. */
export function readTermsSearch(raw: Readonly<Record<string, unknown>>): TermsSearch {
  const id = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null);
  const [classId, term, page] = [id(raw.class), id(raw.term), id(raw.page)];
  return {
    ...(classId !== null && { class: classId }),
    ...(term !== null && { term }),
    ...(page !== null && page > 1 && { page }),
  };
}
