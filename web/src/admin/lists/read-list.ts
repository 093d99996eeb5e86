import type { Sheet } from '../../spreadsheets/sheet.ts';

export interface ReadList extends Sheet {
  /** The file's name; null for a pasted list, like `file`. */
  readonly name: string | null;
  /** Kept to read its other worksheets. */
  readonly file: File | null;
}

export interface SourceDraft {
  readonly source: 'file' | 'paste';
  readonly pasted: string;
}

/** Starts with a file: it keeps zeros, merged cells and worksheets, and most lists come from another program. */
export const emptySource: SourceDraft = { source: 'file', pasted: '' };
