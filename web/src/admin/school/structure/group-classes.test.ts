import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { expect, it } from 'vitest';
import { groupClassesByGrade } from './group-classes.ts';

const grade = (id: number) => ({ id, name: `Grade ${id}` }) as GradeSummary;
const ofGrade = (gradeId: number, id: number, totalScore: number) =>
  ({ id, gradeId, totalScore, studentCount: 20 }) as ClassSummary;

it('groupClassesByGrade groups classes by grade, with the sums of students and points', () => {
  const branches = groupClassesByGrade(
    [grade(2), grade(1)],
    [ofGrade(1, 11, 5), ofGrade(1, 12, -8), ofGrade(9, 13, 1)],
  );
  expect(branches).toMatchObject([
    { grade: { id: 2 }, classes: [], studentCount: 0, totalScore: 0 },
    { grade: { id: 1 }, classes: [{ id: 11 }, { id: 12 }], studentCount: 40, totalScore: -3 },
  ]);
});
