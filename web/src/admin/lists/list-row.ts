export interface ListRow {
  /** Line in the file or the pasted list, from 1; 0 for a person who is not in the list. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  /** Grade and class of the school; if they are unknown there, as written in the list. */
  readonly classLabel: string;
  /** The list's spelling of full-width texts, because they were read as half-width; null if there are none. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
}
