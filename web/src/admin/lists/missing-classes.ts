import { limits } from 'virtual:contract';
import type { Grade } from '@classledger/contract';
import { stripInvisible } from '../../i18n/letters.ts';
import {
  findGrade,
  type NamedClass,
  normalizeClassName,
  normalizeGradeName,
  onceForEachName,
  splitGradeAndClass,
} from './class-names.ts';

export interface RowWithUnknownClass {
  readonly unknownClass: NamedClass | null;
}

export interface MissingClass extends NamedClass {
  readonly key: string;
  readonly gradeId: number | null;
  readonly rows: number;
}

type KnownGrade = Pick<Grade, 'id' | 'name'>;

interface SchoolGrades {
  /** Grades in which the administrator may add classes. */
  readonly grades: readonly KnownGrade[];
  readonly mayAddGrades: boolean;
}

/** Makes letters and digits of a new class half-width but keeps its brackets: （3）班 is good Chinese, （３）班 is not. */
const toHalfWidthName = (text: string) =>
  stripInvisible(text).replace(/[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g, (letter) =>
    letter.normalize('NFKC'),
  );

function normalizeClass({ gradeName, className }: NamedClass, grades: readonly KnownGrade[]): NamedClass {
  const apart = splitGradeAndClass(className);
  if (apart && (gradeName === '' || normalizeGradeName(apart.gradeName) === normalizeGradeName(gradeName))) {
    return { ...apart, gradeName: gradeName || apart.gradeName };
  }
  if (gradeName !== '') return { gradeName, className };
  // If the school has only one grade, its lists leave the grade out.
  return { gradeName: grades.length === 1 ? (grades[0]?.name ?? '') : '', className };
}

const isValidName = (text: string) => text !== '' && [...text].length <= limits.nameLengthMax;

type AddableClass = Omit<MissingClass, 'rows'>;

export function addableClassFinder({
  grades,
  mayAddGrades,
}: SchoolGrades): (named: NamedClass) => AddableClass | null {
  return onceForEachName((named) => {
    const narrowed = {
      gradeName: toHalfWidthName(named.gradeName),
      className: toHalfWidthName(named.className),
    };
    const { gradeName, className } = normalizeClass(narrowed, grades);
    const grade = findGrade(gradeName, grades);
    if (!isValidName(gradeName) || !isValidName(className) || (!grade && !mayAddGrades)) return null;
    return {
      key: `${normalizeGradeName(gradeName)} ${normalizeClassName(className)}`,
      className,
      gradeName: grade?.name ?? gradeName,
      gradeId: grade?.id ?? null,
    };
  });
}

export function missingClasses(
  plan: readonly RowWithUnknownClass[],
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

interface AddClassesOptions {
  readonly addGrade: (name: string) => Promise<{ readonly id: number }>;
  readonly addClass: (gradeId: number, name: string) => Promise<unknown>;
  readonly onProgress: (added: number) => void;
}

/** Adds classes and their grades one by one; those before a failure stay. @throws the error of the failed addition */
export async function addMissingClasses(
  missing: readonly MissingClass[],
  { addGrade, addClass, onProgress }: AddClassesOptions,
): Promise<void> {
  const added = new Map<string, number>();
  for (const [index, { gradeName, gradeId: known, className }] of missing.entries()) {
    const gradeId = known ?? added.get(normalizeGradeName(gradeName)) ?? (await addGrade(gradeName)).id;
    added.set(normalizeGradeName(gradeName), gradeId);
    await addClass(gradeId, className);
    onProgress(index + 1);
  }
}
