import { createHash } from 'node:crypto';
import type { Body, InternalOperations, PromotionPreview } from '@classledger/contract';
import { classNameFor, gradeNameFor, yearOf } from '@classledger/contract/grade-names';
import type { Structure } from './school-structure.ts';

/* Proposes and checks plans. The preview and the promotion use the same functions, so that both agree. */

type Grade = Structure['grades'][number];
type SchoolClass = Structure['classes'][number];

export type Plan = NonNullable<Body<InternalOperations['previewPromotion']>['plan']>;

export interface Move {
  readonly found: SchoolClass;
  readonly from: Grade;
  /** Null when the class graduates. */
  readonly to: Grade | null;
  readonly name: string;
}

export type Problem = PromotionPreview['problems'][number];

export interface CheckedPlan {
  readonly moves: readonly Move[];
  readonly graduatedGradeName: string;
  readonly problems: readonly Problem[];
}

/** Returns a hash that ignores numbers of students and records, because they can change during a preview. */
export function fingerprintOf({ grades, classes }: Structure): string {
  const state = [
    grades.map(({ id, name, archived }) => [id, name, archived]),
    classes.map(({ id, gradeId, name }) => [id, gradeId, name]),
  ];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 32);
}

function sortByYear(grades: readonly Grade[]): Grade[] {
  const year = ({ name }: Grade) => yearOf(name) ?? Number.POSITIVE_INFINITY;
  return grades.filter(({ archived }) => !archived).toSorted((a, b) => year(a) - year(b) || a.id - b.id);
}

/** Returns the next year's grade with a matching name, or the only grade of that year. */
function findNextGrade(grade: Grade, grades: readonly Grade[]): Grade | undefined {
  const year = yearOf(grade.name);
  if (year === null) return grade;
  const ofNextYear = grades.filter(({ name }) => yearOf(name) === year + 1);
  const sameName = gradeNameFor(grade.name, year + 1);
  return (
    ofNextYear.find(({ name }) => name === sameName) ?? (ofNextYear.length === 1 ? ofNextYear[0] : undefined)
  );
}

/** Returns a name that no grade has, such as "Class of 2026" or "2026届", in the language of the grades. */
function chooseGraduatedName({ grades }: Structure, year: number): string {
  const isChinese = grades.some(({ name }) => /\p{Script=Han}/u.test(name));
  const name = isChinese ? `${year}届` : `Class of ${year}`;
  const taken = new Set(grades.map((grade) => grade.name));
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Proposes the next grade or graduation for each class. Classes of a grade without a year in its name stay. */
export function proposePlan(structure: Structure, year: number): Plan {
  const grades = sortByYear(structure.grades);
  const classes = grades.flatMap((grade) => {
    const next = findNextGrade(grade, grades);
    return structure.classes
      .filter(({ gradeId }) => gradeId === grade.id)
      .map(({ id, name }) => ({
        classId: id,
        gradeId: next?.id ?? null,
        name: next ? classNameFor(name, grade.name, next.name) : name,
      }));
  });
  return { classes, graduatedGradeName: chooseGraduatedName(structure, year) };
}

export function checkPlan(structure: Structure, plan: Plan): CheckedPlan {
  const gradeOf = new Map(structure.grades.map((grade) => [grade.id, grade]));
  const planned = new Map(plan.classes.map((entry) => [entry.classId, entry]));
  const open = structure.classes.filter(({ archived }) => !archived);
  const problems: Problem[] = [];
  if (
    planned.size !== plan.classes.length ||
    open.length !== planned.size ||
    !open.every(({ id }) => planned.has(id))
  ) {
    problems.push({ kind: 'classesDiffer', classId: null, name: null });
  }

  const order = new Map(sortByYear(structure.grades).map(({ id }, i) => [id, i]));
  const orderOf = ({ gradeId }: SchoolClass) => order.get(gradeId) ?? 0;
  const moves: Move[] = [];
  for (const found of open.toSorted((a, b) => orderOf(a) - orderOf(b) || a.id - b.id)) {
    const entry = planned.get(found.id);
    if (!entry) continue;
    const to = entry.gradeId === null ? null : (gradeOf.get(entry.gradeId) ?? null);
    if (entry.gradeId !== null && (!to || to.archived)) {
      problems.push({ kind: 'gradeUnknown', classId: found.id, name: null });
      continue;
    }
    moves.push({ found, from: gradeOf.get(found.gradeId) as Grade, to, name: entry.name });
  }

  const names = new Set<string>();
  for (const { found, to, name } of moves) {
    const key = `${to?.id ?? 0} ${name}`;
    if (names.has(key)) problems.push({ kind: 'classNameTaken', classId: found.id, name });
    names.add(key);
  }
  const { graduatedGradeName } = plan;
  const hasGraduates = moves.some(({ to }) => to === null);
  if (hasGraduates && structure.grades.some(({ name }) => name === graduatedGradeName)) {
    problems.push({ kind: 'gradeNameTaken', classId: null, name: graduatedGradeName });
  }
  return { moves, graduatedGradeName, problems };
}

export const changesClass = ({ found, to, name }: Move): boolean =>
  to?.id !== found.gradeId || name !== found.name;
