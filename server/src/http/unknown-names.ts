import { type AppError, invalidValue } from '../app-error.ts';

/** Longer ones are no slip of the keyboard for anything that is known, and are shown in part. */
const shownLengthMax = 60;

/** What somebody sends names in. */
type Sent = 'field' | 'query parameter';

/**
 * Makes what refuses names that are not known. It looks at no more than the first of them, so that very many cost
 * nothing.
 *
 * @param known an object with a property of each known name
 * @param alsoTaken names that are taken beside them and suggested to nobody
 */
export function refuserOfUnknown(
  kind: Sent,
  known: object,
  alsoTaken: ReadonlySet<string> = new Set(),
): (sent: Record<string, unknown>) => void {
  const names = Object.keys(known).map((name) => [name, plain(name)] as const);
  return (sent) => {
    for (const name in sent) {
      if (!Object.hasOwn(known, name) && !alsoTaken.has(name)) throw unknownName(kind, name, names);
    }
  };
}

function unknownName(kind: Sent, name: string, known: readonly (readonly [string, string])[]): AppError {
  const meant = nearest(name, known);
  const hint = meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return invalidValue(`${quote(name)} is not a ${kind} of this request${hint}`);
}

/** The known name that somebody probably meant; null when none is near. */
function nearest(name: string, known: readonly (readonly [string, string])[]): string | null {
  if (name.length > shownLengthMax) return null;
  const written = plain(name);
  let found: string | null = null;
  let least = Math.min(2, Math.floor(written.length / 3)) + 1;
  for (const [candidate, letters] of known) {
    if (Math.abs(letters.length - written.length) >= least) continue;
    const distance = editsBetween(written, letters);
    if (distance < least) [found, least] = [candidate, distance];
  }
  return found;
}

/** `user_ID` and `userId` are one name to those who guess. */
const plain = (name: string) => name.replace(/[-_ ]/g, '').toLowerCase();

/** How many letters must be put in, left out, changed, or exchanged with the next one. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

const at = (row: readonly number[], i: number) => row[i] as number;

/** A name out of a request, safe to show. */
function quote(name: string): string {
  const letters = [...name.slice(0, 2 * shownLengthMax + 1)];
  const shown = letters.length > shownLengthMax ? `${letters.slice(0, shownLengthMax).join('')}…` : name;
  return JSON.stringify(shown.toWellFormed());
}
