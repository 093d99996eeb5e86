/** More than these beside each other would be too narrow to read beside the panel. */
const columnsMax = 8;

/** Fewer rows would stretch the cards of a small class over the whole screen. */
const rowsMin = 4;

/** Into how many rows and columns the cards of a class go, for all of them to be on the screen at once. */
export function cardGrid(count: number): { readonly rows: number; readonly columns: number } {
  const rows = Math.max(rowsMin, Math.ceil(count / columnsMax));
  return { rows, columns: Math.max(1, Math.ceil(count / rows)) };
}

/** How long the longest word of a name is: the card must be wide enough for it, or the name written smaller. */
export function longestWord(name: string): number {
  return Math.max(...name.split(/[\s-]+/).map((word) => [...word].length));
}
