import { type AppError, invalidValue } from '../errors/app-error.ts';

/** Longer names get no suggestion and are shown in part. */
const shownLengthMax = 60;
/** At most this many unknown names of an object are compared, so that a hostile request stays cheap. */
const comparedMax = 100;

type NameKind = 'field' | 'query parameter';

type KnownName = readonly [name: string, letters: string];

interface NameRules {
  readonly kind: NameKind;
  readonly known: object;
  /** `misspelt` refuses names that look like a known one, because their value would be lost. */
  readonly refused: 'all' | 'misspelt';
  readonly alsoAllowed?: ReadonlySet<string>;
}

/** Returns a function that refuses names, and returns true if others must be ignored. @throws AppError invalid_value */
export function createUnknownNameCheck({
  kind,
  known,
  refused,
  alsoAllowed = new Set(),
}: NameRules): (sent: Record<string, unknown>) => boolean {
  const names: KnownName[] = Object.keys(known).map((name) => [name, normalize(name)]);
  return (sent) => {
    let unknown = 0;
    for (const name in sent) {
      if (Object.hasOwn(known, name) || alsoAllowed.has(name)) continue;
      if (refused === 'all') throw unknownName(kind, name, nearest(name, names, 'any length'));
      if (++unknown > comparedMax) return true;
      const suggestion = nearest(name, names, 'long names');
      if (suggestion !== null) throw unknownName(kind, name, suggestion);
    }
    return unknown > 0;
  };
}

export function unknownName(kind: NameKind, name: string, suggestion: string | null = null): AppError {
  const hint = suggestion === null ? '' : `; did you mean ${JSON.stringify(suggestion)}?`;
  return invalidValue(`${quote(name)} is not a ${kind} of this request${hint}`);
}

/** Finds a similar name, apart from case. Allows two edits from five letters on, and one at four for `any length`. */
function nearest(
  name: string,
  known: readonly KnownName[],
  among: 'any length' | 'long names',
): string | null {
  if (name.length > shownLengthMax) return null;
  const written = normalize(name);
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

const normalize = (name: string) => name.replace(/[-_ ]/g, '').toLowerCase();

/** Counts inserted, removed, changed and swapped letters; null for more than `most`. */
function editsBetween(a: string, b: string, most: number): number | null {
  if (most <= 0) return most === 0 && a === b ? 0 : null;
  if (Math.abs(a.length - b.length) > most) return null;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = Array<number>(b.length + 1).fill(most + 1);
    row[0] = i;
    let fewest = most + 1;
    // Skips cells further from the diagonal, which have more than `most` edits.
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

function quote(name: string): string {
  const letters = [...name.slice(0, 2 * shownLengthMax + 1)];
  const shown = letters.length > shownLengthMax ? `${letters.slice(0, shownLengthMax).join('')}…` : name;
  return JSON.stringify(shown.toWellFormed());
}
