import type { Sheet } from '../../spreadsheets/sheet.ts';

/** A list that was read. */
export interface ReadList extends Sheet {
  /** Of the file; null for a pasted list, as `file`. */
  readonly name: string | null;
  /** Kept for its other worksheets. */
  readonly file: File | null;
}
