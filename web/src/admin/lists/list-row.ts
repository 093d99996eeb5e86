/** One person of a list, as far as every list has it. */
export interface ListRow {
  /** Of the file or the pasted list, from 1; 0: not in it. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  /** Grade and class, as the file has them where they are not known. */
  readonly classLabel: string;
  /** How the file has what is taken in narrow letters and digits that can be seen; null where that is the same. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
}
