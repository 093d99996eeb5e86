export interface ListRow {
  /** Line of the file or the pasted list, from 1; 0 when the person is not in it. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  /** Grade and class, as written in the list if they are unknown. */
  readonly classLabel: string;
  /** The original text of a value that was normalised to narrow, visible characters; null if unchanged. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
}
