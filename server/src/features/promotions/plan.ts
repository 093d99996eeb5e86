import { createHash } from 'node:crypto';
import type { Body, InternalOperations, PromotionPreview } from '@classledger/contract';
import { classNameFor, gradeNameFor, yearOf } from '@classledger/contract/grade-names';

/*
 * Computes a promotion without a database: the proposal, and the problems of a plan. The preview and the promotion both
 * use this code, so the promotion does what the preview showed.
 */

export interface Grade {
  readonly id: number;
  readonly name: string;
  readonly archived: boolean;
}

export interface SchoolClass {
  readonly id: number;
  readonly gradeId: number;
  readonly name: string;
  readonly archived: boolean;
  readonly students: number;
  readonly records: number;
}

/** All grades and classes of a school, by id. */
export interface Structure {
  readonly grades: readonly Grade[];
  readonly classes: readonly SchoolClass[];
}

export type Plan = Omit<Body<InternalOperations['promoteSchool']>, 'fingerprint' | 'schoolDb'>;

/** What becomes of one class. */
export interface Move {
  readonly found: SchoolClass;
  readonly from: Grade;
  /** Null: it graduates. */
  readonly to: Grade | null;
  readonly name: string;
}

export type Problem = PromotionPreview['problems'][number];

/** A plan with all that it names, and why it cannot be carried out. */
export interface Checked {
  readonly moves: readonly Move[];
  readonly graduatedGradeName: string;
  readonly problems: readonly Problem[];
}

/**
 * Tells states of grades and classes apart. How many students and points there are is no part of it: a school goes on
 * working.
 */
export function fingerprintOf({ grades, classes }: Structure): string {
  const state = [
    grades.map(({ id, name, archived }) => [id, name, archived]),
    classes.map(({ id, gradeId, name }) => [id, gradeId, name]),
  ];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 32);
}

/** Grades in the order of their years; those whose names tell none come last. */
function inOrder(grades: readonly Grade[]): Grade[] {
  const year = ({ name }: Grade) => yearOf(name) ?? Number.POSITIVE_INFINITY;
  return grades.filter(({ archived }) => !archived).toSorted((a, b) => year(a) - year(b) || a.id - b.id);
}

/**
 * The grade after another one: that of the next year whose name is otherwise the same, or the only one of that year.
 */
function gradeAfter(grade: Grade, grades: readonly Grade[]): Grade | undefined {
  const year = yearOf(grade.name);
  if (year === null) return grade;
  const ofNextYear = grades.filter(({ name }) => yearOf(name) === year + 1);
  const sameName = gradeNameFor(grade.name, year + 1);
  return (
    ofNextYear.find(({ name }) => name === sameName) ?? (ofNextYear.length === 1 ? ofNextYear[0] : undefined)
  );
}

/** Class of 2026, 2026届: in the language of the grades, and not the name of another grade. */
function graduatedName({ grades }: Structure, year: number): string {
  const isChinese = grades.some(({ name }) => /\p{Script=Han}/u.test(name));
  const name = isChinese ? `${year}届` : `Class of ${year}`;
  const taken = new Set(grades.map((grade) => grade.name));
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/**
 * What is proposed: each class goes to the next grade, and where there is none it graduates. Classes of a grade whose
 * name tells no year stay.
 */
export function propose(structure: Structure, year: number): Plan {
  const grades = inOrder(structure.grades);
  const classes = grades.flatMap((grade) => {
    const next = gradeAfter(grade, grades);
    return structure.classes
      .filter(({ gradeId }) => gradeId === grade.id)
      .map(({ id, name }) => ({
        classId: id,
        gradeId: next?.id ?? null,
        name: next ? classNameFor(name, grade.name, next.name) : name,
      }));
  });
  return { classes, graduatedGradeName: graduatedName(structure, year) };
}

/** Looks a plan over against the grades and classes as they are. */
export function check(structure: Structure, plan: Plan): Checked {
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

  const order = new Map(inOrder(structure.grades).map(({ id }, i) => [id, i]));
  const place = ({ gradeId }: SchoolClass) => order.get(gradeId) ?? 0;
  const moves: Move[] = [];
  for (const found of open.toSorted((a, b) => place(a) - place(b) || a.id - b.id)) {
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
    const own = `${to?.id ?? 0} ${name}`;
    if (names.has(own)) problems.push({ kind: 'classNameTaken', classId: found.id, name });
    names.add(own);
  }
  const { graduatedGradeName } = plan;
  const isGraded = moves.some(({ to }) => to === null);
  if (isGraded && structure.grades.some(({ name }) => name === graduatedGradeName)) {
    problems.push({ kind: 'gradeNameTaken', classId: null, name: graduatedGradeName });
  }
  return { moves, graduatedGradeName, problems };
}

/** Whether a class is in another place afterwards, or is called otherwise. */
export const changes = ({ found, to, name }: Move): boolean =>
  to?.id !== found.gradeId || name !== found.name;
