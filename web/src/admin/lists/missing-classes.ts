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

/** The classes that a planned list lacks and that can be added, in the order of the list. */
export function missingClasses(
  plan: readonly NamingRow[],
  { grades, mayAddGrades }: SchoolGrades,
): MissingClass[] {
  const found = new Map<string, MissingClass>();
  for (const { unknownClass } of plan) {
    if (!unknownClass) continue;
    const { gradeName, className } = placeIn(
      { gradeName: inNarrow(unknownClass.gradeName), className: inNarrow(unknownClass.className) },
      grades,
    );
    const grade = findGrade(gradeName, grades);
    if (!isName(gradeName) || !isName(className) || (!grade && !mayAddGrades)) continue;
    const key = `${plainGrade(gradeName)} ${plainClass(className)}`;
    const before = found.get(key);
    found.set(key, {
      key,
      className: before?.className ?? className,
      gradeName: grade?.name ?? before?.gradeName ?? gradeName,
      gradeId: grade?.id ?? null,
      rows: (before?.rows ?? 0) + 1,
    });
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
