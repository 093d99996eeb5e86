import type { Student } from '@classledger/contract';
import { sharedRanks } from '../../../components/shared-ranks.ts';
import { namesakesAmong } from '../../../components/student-names.ts';
import { lettersOf } from '../../../i18n/letters.ts';
import { compareNames } from '../../../i18n/name-order.ts';

export type Names = 'full' | 'initials' | 'numbers';

/** One student, or one team, as the class sees it. */
export interface ShownStudent {
  readonly id: number;
  readonly label: string;
  /** The student number, where full names are shown and another one has the same. */
  readonly number: string | null;
  readonly points: number;
  /** Those with the same points share a rank. */
  readonly rank: number;
  /** Of a team. */
  readonly colour?: number;
}

interface Choice {
  readonly names: Names;
  /** Minus points are neither shown nor counted. */
  readonly plusOnly: boolean;
  readonly numberLabel: (number: number) => string;
}

/** The students of a class best first, as much of them as may be shown. Ties by name, so that no one jumps about. */
export function shownStudents(students: readonly Student[], choice: Choice): readonly ShownStudent[] {
  const { names, plusOnly, numberLabel } = choice;
  // The same number every day: by username, whatever the points.
  const numbers = new Map(
    students.toSorted((a, b) => compareNames(a.username, b.username)).map(({ id }, index) => [id, index + 1]),
  );
  const labelOf = ({ id, actualName }: Student) => {
    if (names === 'full') return actualName;
    return names === 'initials' ? initialsOf(actualName) : numberLabel(numbers.get(id) ?? 0);
  };
  const namesakes: ReadonlySet<string> = names === 'full' ? namesakesAmong(students) : new Set();
  const pointsOf = (student: Student) => (plusOnly ? student.addScore : student.totalScore);
  const ranked = students.toSorted(
    (a, b) => pointsOf(b) - pointsOf(a) || compareNames(a.actualName, b.actualName) || a.id - b.id,
  );
  const ranks = sharedRanks(ranked.map(pointsOf));
  return ranked.map((student, index) => ({
    id: student.id,
    label: labelOf(student),
    number: namesakes.has(student.username) ? student.username : null,
    points: pointsOf(student),
    rank: ranks[index] ?? 0,
  }));
}

/** Of a Chinese name the family name, of others the first letters: known to the class, not to a visitor. */
export function initialsOf(name: string): string {
  const [first = ''] = lettersOf(name.trim());
  if (/\p{Script=Han}/u.test(first)) return `${first}＊`;
  return name
    .trim()
    .split(/\s+/)
    .map((word) => `${lettersOf(word)[0]?.toLocaleUpperCase() ?? ''}.`)
    .join(' ');
}

/** About how broad a text is, in the height of its letters: Chinese ones are square, others narrower. */
export function breadthOf(text: string): number {
  return lettersOf(text).reduce(
    (sum, letter) => sum + (/\p{Script=Han}|[：（）、，·]/u.test(letter) ? 1 : 0.62),
    0,
  );
}

/** In how many columns so many cards fill a wide screen best. */
export function columnsFor(count: number, width: number, height: number): number {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    // A card is about one and a half times as wide as high.
    const size = Math.min(width / columns / 1.5, height / rows);
    if (size > best.size) best = { columns, size };
  }
  return best.columns;
}

/** In how many columns so many rows of a ranking can be read best from afar, and how many are in each. */
export function leadersIn(
  count: number,
  isWide: boolean,
): { readonly columns: number; readonly rows: number } {
  const columns = isWide && count > oneColumnMax ? 2 : 1;
  // A few do not fill the screen: each would be a wall.
  return { columns, rows: Math.max(Math.ceil(count / columns), 3) };
}

/** More rows are too low for letters that are read from the last row of the class. */
const oneColumnMax = 12;
