import type { ClassSummary } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import {
  addableClassFinder,
  addMissingClasses,
  missingClasses as missingOf,
} from '../../lists/missing-classes.ts';
import { classOf, planOf as planOfSheet, sheetOf } from './testing/plans.ts';

const grades = [{ id: 7, name: 'Grade 7' }];
const school = { grades, mayAddGrades: true };

const missingClasses = (
  plan: Parameters<typeof missingOf>[0],
  own: Parameters<typeof addableClassFinder>[0],
) => missingOf(plan, addableClassFinder(own));

const planOf = (rows: string[][], classes: ClassSummary[] = []) => planOfSheet(sheetOf(rows), { classes });
const headings = ['Username', 'Grade', 'Class'];
const oneCell = (cell: string) => [
  ['Username', 'Class'],
  ['a', cell],
];
const twoGrades = { grades: [...grades, { id: 8, name: 'Grade 8' }], mayAddGrades: true };

describe('Missing classes of a list', () => {
  it('are listed once each in order, with their number of rows', () => {
    const plan = planOf([headings, ['a', 'Grade 7', '2'], ['b', 'grade 7', '1'], ['c', 'Grade 7', '2班']]);
    expect(missingClasses(plan, school)).toMatchObject([
      { gradeName: 'Grade 7', className: '2', gradeId: 7, rows: 2 },
      { gradeName: 'Grade 7', className: '1', gradeId: 7, rows: 1 },
    ]);
  });

  it('include classes of a missing grade only if the caller may add grades', () => {
    const plan = planOf([headings, ['a', 'Grade 8', '1'], ['b', 'Grade 7', '1']]);
    expect(missingClasses(plan, school).map(({ gradeId }) => gradeId)).toEqual([null, 7]);
    expect(missingClasses(plan, { grades, mayAddGrades: false }).map(({ gradeId }) => gradeId)).toEqual([7]);
  });

  it.each([
    ['八年级（3）班', '八年级', '（3）班'],
    ['初一3班', '初一', '3班'],
    ['初一 03班', '初一', '03班'],
    ['Grade 8 Class 3', 'Grade 8', 'Class 3'],
    ['Grade 8, Class 3', 'Grade 8', 'Class 3'],
    ['Grade 8-A', 'Grade 8', 'A'],
    ['Grade 7-12', 'Grade 7', '12'],
  ])('are split when one cell contains %s, and are found after adding', (cell, gradeName, name) => {
    expect(missingClasses(planOf(oneCell(cell)), school)).toMatchObject([{ gradeName, className: name }]);
    expect(planOf(oneCell(cell), [classOf(12, gradeName, name)])).toMatchObject([
      { problem: null, classId: 12 },
    ]);
  });

  it.each(['Grade 10', 'Year 12'])('are not guessed from a grade alone: %s', (cell) => {
    expect(missingClasses(planOf(oneCell(cell)), twoGrades)).toEqual([]);
  });

  it('are the same in any spelling', () => {
    const spellings = ['八年级|一班', '8年级|八年级（1）班', 'Grade 8|Class 1', '|八年级1班'];
    const rows = spellings.map((text, index) => [`u${index}`, ...text.split('|')]);
    const found = { gradeName: '八年级', className: '一班', gradeId: null, rows: 4 };
    expect(missingClasses(planOf([headings, ...rows]), school)).toMatchObject([found]);
  });

  it('get ASCII digits and letters, but keep full-width brackets', () => {
    const rows = [
      ['a', 'Ｇrade ８', '（３）\u200B班'],
      ['b', 'Grade 8', '3班'],
      ['c', 'Ｇrade ７', 'Ａ'],
    ];
    expect(missingClasses(planOf([headings, ...rows]), school)).toMatchObject([
      { gradeName: 'Grade 8', className: '（3）班', gradeId: null, rows: 2 },
      { gradeName: 'Grade 7', className: 'A', gradeId: 7, rows: 1 },
    ]);
  });

  it('without a grade belong to the school’s only grade, and are skipped with several', () => {
    const plan = planOf(oneCell('Blue'));
    expect(missingClasses(plan, school)).toMatchObject([{ gradeId: 7, className: 'Blue' }]);
    expect(missingClasses(plan, twoGrades)).toEqual([]);
  });

  it('exclude rows with another problem and invalid names', () => {
    const plan = planOf([headings, ['', 'Grade 7', '1'], ['a', 'Grade 7', 'x'.repeat(101)]]);
    expect(missingClasses(plan, school)).toEqual([]);
  });
});

it('addMissing adds each grade once, before its classes', async () => {
  const calls: unknown[] = [];
  const plan = planOf([headings, ['a', 'Grade 8', '1'], ['b', 'grade 8', '2'], ['c', 'Grade 7', '1']]);
  await addMissingClasses(missingClasses(plan, school), {
    addGrade: async (name) => {
      calls.push(name);
      return { id: 8 };
    },
    addClass: async (...added) => calls.push(added),
    onProgress: (added) => calls.push(added),
  });
  expect(calls).toEqual(['Grade 8', [8, '1'], 1, [8, '2'], 2, [7, '1'], 3]);
});
