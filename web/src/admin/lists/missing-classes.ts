import { limits } from 'virtual:contract';
import type { Grade } from '@classledger/contract';
import { visible } from '../../i18n/letters.ts';
import { findGrade, gradeAndClass, type NamedClass, plainClass, plainGrade } from './class-names.ts';

/** A row of a planned list, as far as classes that the school lacks are looked for. */
export interface NamingRow {
  /** The class that it names, where the school has none such. */
  readonly unknownClass: NamedClass | null;
}

/** A class that a list names and the school lacks. */
export interface MissingClass extends NamedClass {
  readonly key: string;
  /** Null: the grade is missing too. */
  readonly gradeId: number | null;
  /** How many rows name it. */
  readonly rows: number;
}

type KnownGrade = Pick<Grade, 'id' | 'name'>;

interface SchoolGrades {
  /** Those in which the administrator may add classes. */
  readonly grades: readonly KnownGrade[];
  /** Whether grades can be added too. */
  readonly mayAddGrades: boolean;
}

/** A new class gets narrow digits and letters, and keeps its brackets: （3）班 is good Chinese, （３）班 is not. */
const inNarrow = (text: string) =>
  visible(text).replace(/[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g, (letter) => letter.normalize('NFKC'));

function placeIn({ gradeName, className }: NamedClass, grades: readonly KnownGrade[]): NamedClass {
  const apart = gradeAndClass(className);
  if (apart && (gradeName === '' || plainGrade(apart.gradeName) === plainGrade(gradeName))) {
    return { ...apart, gradeName: gradeName || apart.gradeName };
  }
  if (gradeName !== '') return { gradeName, className };
  // In a school of one grade no one writes it down.
  return { gradeName: grades.length === 1 ? (grades[0]?.name ?? '') : '', className };
}

const isName = (text: string) => text !== '' && [...text].length <= limits.nameLengthMax;

type AddableClass = Omit<MissingClass, 'rows'>;

/** Tells which class can be added for a name that the school lacks; null: none. */
export function addableClassFinder({
  grades,
  mayAddGrades,
}: SchoolGrades): (named: NamedClass) => AddableClass | null {
  const find = (named: NamedClass): AddableClass | null => {
    const narrowed = { gradeName: inNarrow(named.gradeName), className: inNarrow(named.className) };
    const { gradeName, className } = placeIn(narrowed, grades);
    const grade = findGrade(gradeName, grades);
    if (!isName(gradeName) || !isName(className) || (!grade && !mayAddGrades)) return null;
    return {
      key: `${plainGrade(gradeName)} ${plainClass(className)}`,
      className,
      gradeName: grade?.name ?? gradeName,
      gradeId: grade?.id ?? null,
    };
  };
  const known = new Map<string, AddableClass | null>();
  return (named) => {
    const key = `${named.gradeName}\n${named.className}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const added = find(named);
    known.set(key, added);
    return added;
  };
}

/** The classes that a planned list lacks and that can be added, in the order of the list. */
export function missingClasses(
  plan: readonly NamingRow[],
  addableClass: ReturnType<typeof addableClassFinder>,
): MissingClass[] {
  const found = new Map<string, MissingClass>();
  for (const { unknownClass } of plan) {
    const added = unknownClass && addableClass(unknownClass);
    if (!added) continue;
    const before = found.get(added.key);
    const { className = added.className, rows = 0 } = before ?? {};
    const gradeName = added.gradeId === null ? (before?.gradeName ?? added.gradeName) : added.gradeName;
    found.set(added.key, { ...added, className, gradeName, rows: rows + 1 });
  }
  return [...found.values()];
}

interface Adding {
  readonly addGrade: (name: string) => Promise<{ readonly id: number }>;
  readonly addClass: (gradeId: number, name: string) => Promise<unknown>;
  readonly onProgress: (added: number) => void;
}

/**
 * Adds classes one after the other, so that they stand in the order of the list, and the grades that they need. What
 * was added before a failure stays.
 *
 * @throws whatever adding one of them throws
 */
export async function addMissing(
  missing: readonly MissingClass[],
  { addGrade, addClass, onProgress }: Adding,
): Promise<void> {
  const added = new Map<string, number>();
  for (const [index, { gradeName, gradeId: known, className }] of missing.entries()) {
    const gradeId = known ?? added.get(plainGrade(gradeName)) ?? (await addGrade(gradeName)).id;
    added.set(plainGrade(gradeName), gradeId);
    await addClass(gradeId, className);
    onProgress(index + 1);
  }
}
