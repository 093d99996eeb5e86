import type { ClassSummary, GradeSummary } from '@classledger/contract';

/** A grade with its classes; the two lists are read apart and may differ by what was changed in between. */
export interface GradeBranch {
  readonly grade: GradeSummary;
  readonly classes: readonly ClassSummary[];
  /** What the classes add up to: of those in the caller's range, which a grade's own counts do not know of. */
  readonly studentCount: number;
  readonly totalScore: number;
}

/** Hangs the classes below their grades, both in the order of the lists. */
export function branchesOf(
  grades: readonly GradeSummary[],
  classes: readonly ClassSummary[],
): readonly GradeBranch[] {
  const byGrade = Map.groupBy(classes, ({ gradeId }) => gradeId);
  return grades.map((grade) => {
    const own = byGrade.get(grade.id) ?? [];
    return {
      grade,
      classes: own,
      studentCount: own.reduce((sum, one) => sum + one.studentCount, 0),
      totalScore: own.reduce((sum, one) => sum + one.totalScore, 0),
    };
  });
}

/** What can be asked for by the menu of a grade or a class. */
export type StructureAction =
  | { readonly kind: 'renameGrade' | 'deleteGrade'; readonly grade: GradeSummary }
  | {
      readonly kind: 'renameClass' | 'moveClass' | 'eraseClass' | 'deleteClass';
      readonly class: ClassSummary;
    };
