const heading = '## Unreleased';

/** Moves the unreleased notes to a section of this version. @throws Error if there are none */
export function extractReleaseNotes(
  changelog: string,
  version: string,
  date: string,
): { text: string; notes: string } {
  const [before, rest] = changelog.split(`${heading}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section "${heading}"`);
  const end = rest.search(/^## /m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error(`CHANGELOG.md has nothing below "${heading}"`);
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return { text: `${before}${heading}\n\n## ${version} (${date})\n\n${notes}\n${older}`, notes };
}
