import type { Sheet } from '../../spreadsheets/sheet.ts';

/** A list that was read. */
export interface ReadList extends Sheet {
  /** Of the file; null for a pasted list, as `file`. */
  readonly name: string | null;
  /** Kept for its other worksheets. */
  readonly file: File | null;
}

/** Where a list comes from. */
export interface SourceDraft {
  readonly source: 'file' | 'paste';
  /** What stands in the field for pasting. */
  readonly pasted: string;
}

/** A file first: it keeps zeros, merged cells and worksheets, and most lists come from another program. */
export const emptySource: SourceDraft = { source: 'file', pasted: '' };
