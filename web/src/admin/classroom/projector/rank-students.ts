import type { Student } from '@classledger/contract';
import { usernamesOfNamesakes } from '../../../components/student-names.ts';
import { lettersOf } from '../../../i18n/letters.ts';
import { compareNames } from '../../../i18n/name-order.ts';

export type NameDisplay = 'full' | 'initials' | 'numbers';

export interface RankedStudent {
  readonly id: number;
  readonly label: string;
  /** The student number, if the page shows full names and two students have the same name. */
  readonly number: string | null;
  readonly points: number;
  readonly rank: number;
  readonly colour?: number;
}

interface DisplayOptions {
  readonly names: NameDisplay;
  readonly plusOnly: boolean;
  readonly numberLabel: (number: number) => string;
}

/** Ranks students with the names that the settings allow. Orders equal points by name, so that cards do not jump. */
export function rankStudents(
  students: readonly Student[],
  display: DisplayOptions,
): readonly RankedStudent[] {
  const { names, plusOnly, numberLabel } = display;
  // Numbers the students by username, so that the numbers do not reveal points.
  const numbers = new Map(
    students.toSorted((a, b) => compareNames(a.username, b.username)).map(({ id }, index) => [id, index + 1]),
  );
  const labelOf = ({ id, actualName }: Student) => {
    if (names === 'full') return actualName;
    return names === 'initials' ? initialsOf(actualName) : numberLabel(numbers.get(id) ?? 0);
  };
  const namesakes: ReadonlySet<string> = names === 'full' ? usernamesOfNamesakes(students) : new Set();
  const pointsOf = (student: Student) => (plusOnly ? student.addScore : student.totalScore);
  const ranked = students.toSorted(
    (a, b) => pointsOf(b) - pointsOf(a) || compareNames(a.actualName, b.actualName) || a.id - b.id,
  );
  return ranked.map((student) => ({
    id: student.id,
    label: labelOf(student),
    number: namesakes.has(student.username) ? student.username : null,
    points: pointsOf(student),
    // Ranks as the server does: equal points share a rank, and the next rank skips, as in 1, 2, 2, 4.
    rank: 1 + students.filter((other) => pointsOf(other) > pointsOf(student)).length,
  }));
}

/** Shortens a name to its first Chinese character or to initials, which classmates recognise but visitors do not. */
export function initialsOf(name: string): string {
  const [first = ''] = lettersOf(name.trim());
  if (/\p{Script=Han}/u.test(first)) return `${first}＊`;
  return name
    .trim()
    .split(/\s+/)
    .map((word) => `${lettersOf(word)[0]?.toLocaleUpperCase() ?? ''}.`)
    .join(' ');
}

/** Estimates a text's width in em. A Chinese character counts as 1, all others as less. */
export function textWidthEm(text: string): number {
  return lettersOf(text).reduce(
    (sum, letter) => sum + (/\p{Script=Han}|[：（）、，·]/u.test(letter) ? 1 : 0.62),
    0,
  );
}

export function bestColumnCount(count: number, width: number, height: number): number {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= Math.max(1, count); columns++) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns / 1.5, height / rows);
    if (size > best.size) best = { columns, size };
  }
  return best.columns;
}

export function rankingLayout(count: number, isWide: boolean) {
  const columns = isWide && count > oneColumnMax ? 2 : 1;
  return { columns, rows: Math.max(Math.ceil(count / columns), 3) };
}

/** With more students in one column, rows would be too low to read from the back of the classroom. */
const oneColumnMax = 12;
