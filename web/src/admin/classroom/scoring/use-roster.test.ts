import type { Student } from '@classledger/contract';
import { expect, it } from 'vitest';
import { withTotalsOf } from './use-roster.ts';

const student = (id: number, actualName: string, totalScore: number) =>
  ({ id, actualName, totalScore }) as Student;

it('a roster that was asked for shows who joined, left and has another name, and keeps totals that are unclear', () => {
  const known = [student(1, 'An', 1), student(2, 'Bo', 2), student(4, 'Di', 4)];
  const answered = [student(1, 'Ann', 10), student(2, 'Bo', 20), student(3, 'Cy', 30)];
  expect(withTotalsOf(known, answered, new Set([1, 3, 4]))).toMatchObject([
    { actualName: 'Ann', totalScore: 1 },
    { actualName: 'Bo', totalScore: 20 },
    { actualName: 'Cy', totalScore: 30 },
  ]);
});
