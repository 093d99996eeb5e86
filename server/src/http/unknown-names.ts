import { type AppError, invalidValue } from '../app-error.ts';

/** Longer ones are no slip of the keyboard for anything that is known, and are shown in part. */
const shownLengthMax = 60;
/** Of the unknown names of one object, so many are looked at: a hostile request stays cheap. */
const comparedMax = 100;

/** What somebody sends names in. */
type Sent = 'field' | 'query parameter';

/** A known name, and its letters in lower case. */
type Known = readonly [name: string, letters: string];

/** Which unknown names are refused: all, or those that look like a known one and so would lose what was meant. */
export type RefusedNames = 'all' | 'misspelt';

export interface NameRules {
  readonly kind: Sent;
  /** An object with a property of each known name. */
  readonly known: object;
  readonly refused: RefusedNames;
  /** Names that are taken beside them and suggested to nobody. */
  readonly alsoTaken?: ReadonlySet<string>;
}

/**
 * Makes the check of names that are not known.
 *
 * @returns whether there are unknown names, which are to be ignored
 * @throws AppError invalid_value, which names the first one that is refused
 */
export function checkOfNames({
  kind,
  known,
  refused,
  alsoTaken = new Set(),
}: NameRules): (sent: Record<string, unknown>) => boolean {
  const names: Known[] = Object.keys(known).map((name) => [name, plain(name)]);
  return (sent) => {
    let unknown = 0;
    for (const name in sent) {
      if (Object.hasOwn(known, name) || alsoTaken.has(name)) continue;
      if (refused === 'all') throw unknownName(kind, name, nearest(name, names, 'any length'));
      if (++unknown > comparedMax) return true;
      const meant = nearest(name, names, 'long names');
      if (meant !== null) throw unknownName(kind, name, meant);
    }
    return unknown > 0;
  };
}

/** The error about a name. @param meant the known name that was probably meant */
export function unknownName(kind: Sent, name: string, meant: string | null = null): AppError {
  const hint = meant === null ? '' : `; did you mean ${JSON.stringify(meant)}?`;
  return invalidValue(`${quote(name)} is not a ${kind} of this request${hint}`);
}

/**
 * Returns the known name that somebody probably meant; null when none is near: equal but for case, `_` and `-`, or with
 * at most two slips where the known name has five letters or more. A name of four letters has too many neighbours: one slip, and
 * only where it is refused anyway.
 */
function nearest(name: string, known: readonly Known[], among: 'any length' | 'long names'): string | null {
  if (name.length > shownLengthMax) return null;
  const written = plain(name);
  let found: string | null = null;
  let least = 3;
  for (const [candidate, letters] of known) {
    const short = among === 'any length' && letters.length === 4 ? 1 : 0;
    const most = Math.min(letters.length >= 5 ? 2 : short, least - 1);
    const edits = editsBetween(written, letters, most);
    if (edits !== null) [found, least] = [candidate, edits];
    if (least === 0) break;
  }
  return found;
}

/** `user_ID` and `userId` are one name to those who guess. */
const plain = (name: string) => name.replace(/[-_ ]/g, '').toLowerCase();

/**
 * Counts how many letters must be put in, left out, changed, or exchanged with the next one.
 *
 * @returns null for more than `most`, which is found out early
 */
function editsBetween(a: string, b: string, most: number): number | null {
  if (most <= 0) return most === 0 && a === b ? 0 : null;
  if (Math.abs(a.length - b.length) > most) return null;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = Array<number>(b.length + 1).fill(most + 1);
    row[0] = i;
    let fewest = most + 1;
    // Further from the diagonal, the lengths alone make too many edits.
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) edits = Math.min(edits, at(before, j - 2) + 1);
      row[j] = edits;
      fewest = Math.min(fewest, edits);
    }
    if (fewest > most) return null;
    [before, last] = [last, row];
  }
  const edits = at(last, b.length);
  return edits > most ? null : edits;
}

const at = (row: readonly number[], i: number) => row[i] as number;

/** A name out of a request, safe to show. */
function quote(name: string): string {
  const letters = [...name.slice(0, 2 * shownLengthMax + 1)];
  const shown = letters.length > shownLengthMax ? `${letters.slice(0, shownLengthMax).join('')}…` : name;
  return JSON.stringify(shown.toWellFormed());
}
