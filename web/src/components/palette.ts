/** The colours of teams and categories. They differ enough in both schemes; the name beside each one says the same. */
const colours = ['#2f7fd6', '#d9822b', '#3d9a50', '#b3478f', '#c9a400', '#6d5bd0', '#cf4b4b', '#2a9aa3'];

/** Returns a colour by its number. Null means no category, which is gray. */
export const paletteColour = (colour: number | null): string =>
  (colour !== null && colours[colour - 1]) || 'var(--app-text-quiet)';
