import type { Sheet } from '../../spreadsheets/sheet.ts';

export interface ReadList extends Sheet {
  /** The file's name; null for a pasted list, like `file`. */
  readonly name: string | null;
  /** The file, kept to read its other worksheets; null for a pasted list. */
  readonly file: File | null;
}

export interface ListSourceDraft {
  readonly source: 'file' | 'paste';
  readonly pasted: string;
}

/** Starts with a file, because pasting loses leading zeros, merged cells and worksheets. */
export const emptyListSource: ListSourceDraft = { source: 'file', pasted: '' };
