import type { ClassSummary, GradeSummary } from '@classledger/contract';

/** A grade with its classes. Leaves out classes whose grade is missing: the two lists are read separately. */
export interface GradeWithClasses {
  readonly grade: GradeSummary;
  readonly classes: readonly ClassSummary[];
  /** Sums of the classes that the caller may see. The grade's own counts include all its classes. */
  readonly studentCount: number;
  readonly totalScore: number;
}

export function groupClassesByGrade(
  grades: readonly GradeSummary[],
  classes: readonly ClassSummary[],
): readonly GradeWithClasses[] {
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
