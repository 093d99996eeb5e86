const heading = '## Unreleased';

/**
 * Gives what is unreleased its version and date, and leaves an empty section for what comes.
 *
 * @returns the new text, and the notes of this version
 * @throws Error when there is nothing to release
 */
export function cutNotes(changelog: string, version: string, date: string): { text: string; notes: string } {
  const [before, rest] = changelog.split(`${heading}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section "${heading}"`);
  const end = rest.search(/^## /m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error(`CHANGELOG.md has nothing below "${heading}"`);
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return { text: `${before}${heading}\n\n## ${version} (${date})\n\n${notes}\n${older}`, notes };
}
