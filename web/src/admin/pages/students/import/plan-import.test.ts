import type { ClassSummary } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { batchesOf, guessMapping, planImport } from './plan-import.ts';

const classOf = (id: number, gradeName: string, name: string): ClassSummary => ({
  id,
  name,
  gradeId: gradeName.length,
  gradeName,
  schoolId: 1,
  createdAt: '2026-09-01T08:00:00.000Z',
  studentCount: 0,
  disabledStudentCount: 0,
  totalScore: 0,
  addScore: 0,
  deductScore: 0,
  scoreCount: 0,
});
const classes = [
  classOf(1, 'Grade 1', 'Class 1'),
  classOf(2, 'Grade 1', 'Class 2'),
  classOf(3, 'Grade 12', 'Class 1'),
];

const plan = (rows: string[][], options: { defaultClassId?: number | null; taken?: string[] } = {}) =>
  planImport({
    rows,
    ...guessMapping(rows),
    classes,
    defaultClassId: options.defaultClassId ?? null,
    taken: new Set(options.taken),
  });

describe('the columns of a file', () => {
  it('are known by English and Chinese headings, whatever the case and blanks', () => {
    expect(guessMapping([['Student Name', 'STUDENT_ID', 'Class']])).toEqual({
      mapping: { username: 1, actualName: 0, gradeName: null, className: 2 },
      hasHeader: true,
    });
    expect(guessMapping([['年级', '班级', '学号', '姓名']])).toEqual({
      mapping: { username: 2, actualName: 3, gradeName: 0, className: 1 },
      hasHeader: true,
    });
  });

  it('without a heading are account and name', () => {
    expect(guessMapping([['li.wei', '李伟']])).toMatchObject({
      mapping: { username: 0, actualName: 1 },
      hasHeader: false,
    });
    expect(guessMapping([])).toMatchObject({ mapping: { username: null }, hasHeader: false });
  });
});

describe('the plan of an import', () => {
  it('finds classes by grade and class, in one cell or two', () => {
    const rows = [
      ['username', 'name', 'grade', 'class'],
      ['a', 'A', 'Grade 1', 'class 1'],
      ['b', 'B', 'Grade 12', 'Class 1'],
      ['c', 'C', '', 'Grade 1 Class 2'],
    ];
    expect(plan(rows).map((row) => [row.line, row.classId, row.problem])).toEqual([
      [2, 1, null],
      [3, 3, null],
      [4, 2, null],
    ]);
  });

  it('takes a class in Chinese with and without its last character', () => {
    const planned = planImport({
      rows: [
        ['a', 'A', '3'],
        ['b', 'B', '七年级3班'],
        ['c', 'C', '4班'],
      ],
      hasHeader: false,
      mapping: { username: 0, actualName: 1, gradeName: null, className: 2 },
      classes: [classOf(8, '七年级', '3班'), classOf(9, '七年级', '4')],
      defaultClassId: null,
      taken: new Set(),
    });
    expect(planned.map((row) => row.classId)).toEqual([8, 8, 9]);
  });

  it('says what is wrong with each row', () => {
    const rows = [
      ['username', 'name', 'class'],
      ['', 'Nobody', 'Class 2'],
      ['x'.repeat(65), 'Long', 'Class 2'],
      ['ok', 'n'.repeat(101), 'Class 2'],
      ['twice', 'One', 'Class 2'],
      ['twice', 'Two', 'Class 2'],
      ['known', 'Known', 'Class 2'],
      ['lost', 'Lost', 'Class 9'],
      ['which', 'Which', 'Class 1'],
      ['none', 'None', ''],
      ['a\u0007b', 'Bell', 'Class 2'],
    ];
    expect(plan(rows, { taken: ['known'] }).map((row) => row.problem)).toEqual([
      'usernameMissing',
      'usernameTooLong',
      'nameTooLong',
      null,
      'usernameTwice',
      'usernameTaken',
      'classUnknown',
      'classAmbiguous',
      'classMissing',
      'usernameControl',
    ]);
  });

  it('puts rows without a class into the one that was chosen for all', () => {
    expect(plan([['a', 'A']], { defaultClassId: 2 })).toMatchObject([{ classId: 2, line: 1, problem: null }]);
  });

  it('lets the username stand in for a missing name', () => {
    expect(plan([['a']], { defaultClassId: 2 })).toMatchObject([{ actualName: 'a' }]);
  });

  it('is sent in batches of one class and at most 200, leaving out what cannot be done', () => {
    const rows = Array.from({ length: 450 }, (_, index) => [
      `u${index}`,
      'N',
      index % 3 === 0 ? 'Class 2' : '',
    ]);
    const batches = batchesOf(
      plan([['username', 'name', 'class'], ...rows, ['', '', '']], { defaultClassId: 3 }),
    );
    expect(batches.map((batch) => [batch.classId, batch.rows.length])).toEqual([
      [2, 150],
      [3, 200],
      [3, 100],
    ]);
  });
});
