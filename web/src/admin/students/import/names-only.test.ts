import type { ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { splitList } from '../../lists/columns.ts';
import { type CheckAnswer, importEntryOf, takenUsernames } from './check-import.ts';
import { findFillDownTexts } from './fill-down.ts';
import { usernamePatterns } from './propose-usernames.ts';
import { guessStudentColumns } from './student-columns.ts';
import { classOf, planOf, sheetOf, studentOf } from './testing/plans.ts';

const classes = [classOf(3, '七年级', '3班'), classOf(4, '七年级', '4班')];
const student = (id: number, username: string, actualName: string, more: Partial<ListedStudent> = {}) =>
  studentOf(id, username, { actualName, ...more });

/** Each text is a row of the list, with a bar between its cells. */
const plan = (
  list: readonly string[],
  students: readonly ListedStudent[] = [],
  more: { refused?: string[]; defaultClassId?: number | null; pattern?: string } = {},
) => {
  const { refused, defaultClassId = 3, pattern = usernamePatterns.entryClassNumber } = more;
  const rows = sheetOf(list.map((text) => text.split('|')));
  const layout = guessStudentColumns(rows);
  return planOf(rows, {
    ...{ classes, students, defaultClassId },
    naming: { pattern, schoolYear: 2026, refused: new Set(refused) },
    fills: findFillDownTexts(splitList(rows, layout).people, layout.mapping, []),
    fillsDown: true,
  });
};
const brief = (rows: ReturnType<typeof plan>) =>
  rows.map(({ username, named, problem }) => `${username} ${problem ?? named}`);

describe('Import of a list with names only', () => {
  it('gets a username for each name, in the class chosen for all', () => {
    const rows = plan(['张伟', '王 芳', '阿依古丽·买买提']);
    expect(
      rows.map(({ username, actualName, classId, problem }) => [username, actualName, classId, problem]),
    ).toEqual([
      ['20260301', '张伟', 3, null],
      ['20260302', '王芳', 3, null],
      ['20260303', '阿依古丽·买买提', 3, null],
    ]);
  });

  it.each([
    ['with a heading', ['姓名', '张伟']],
    ['with a class column', ['张伟|七年级3班', '王芳|七年级3班']],
    ['with numbers that only count', ['1|张伟', '2|王芳']],
    ['below a title, beside a column that is not used', ['七年级3班', '序号|姓名', '1|张伟']],
  ])('is recognised %s', (_, list) => {
    expect(brief(plan(list))[0]).toBe('20260301 new');
  });

  it('is not recognised when the first column has usernames', () => {
    const numbered = brief(plan(['li.wei|李伟', '20260101|Anna Lee']));
    expect(numbered).toEqual(['li.wei null', '20260101 null']);
    expect(plan(['anna', 'bob']).map(({ named }) => named)).toEqual([null, null]);
  });

  it('finds its students by class and name when imported again, and continues the numbers', () => {
    const there = [student(1, '20260301', '张伟'), student(2, 'wang', '王芳')];
    const rows = plan(['王 芳', '张伟', '李娜'], there);
    expect(brief(rows)).toEqual(['wang known', '20260301 known', '20260302 new']);
  });

  it('finds students of merged class cells, too', () => {
    const there = [
      student(1, 'x1', '张伟'),
      student(2, 'x2', '王芳'),
      student(3, 'x3', '李娜', { classId: 4 }),
    ];
    const list = ['姓名|班级', '张伟|七年级3班', '王芳|', '李娜|七年级4班'];
    expect(brief(plan(list, there, { defaultClassId: null }))).toEqual(['x1 known', 'x2 known', 'x3 known']);
  });

  it('names the class of an existing namesake of a new student', () => {
    const there = [
      student(1, 'x1', '张伟', { classId: 4, className: '4班' }),
      student(2, 'x2', '李娜', { erased: true }),
    ];
    expect(plan(['张伟', '李娜'], there).map(({ named, namesakeIn }) => [named, namesakeIn])).toEqual([
      ['new', '七年级 4班'],
      ['new', null],
    ]);
  });

  it('treats repeated names as different students, and does not guess among namesakes', () => {
    const two = [student(1, 'x1', '张伟'), student(2, 'x2', '张伟')];
    expect(brief(plan(['张伟', '张伟'], two))).toEqual(['x1 known', 'x2 known']);
    expect(brief(plan(['张伟', '张伟', '张伟'], two)).at(-1)).toBe('20260301 new');
    expect(brief(plan(['张伟'], two))).toEqual([' nameAmbiguous']);
    expect(brief(plan(['姓名|卡号', '张伟|1', '张伟|2'], two))).toEqual([' nameAmbiguous', ' nameAmbiguous']);
  });

  it('finds a student by external id, and renames nobody', () => {
    const there = [student(1, 'x1', '张伟', { externalId: 'S1' })];
    expect(brief(plan(['姓名|外部编号', '张维|S1', '张伟|'], there))).toEqual(['x1 known', '20260301 new']);
  });

  it('reports the fault of each row', () => {
    const problems = (...planned: Parameters<typeof plan>) => plan(...planned).map(({ problem }) => problem);
    expect(problems(['姓名|班级', '|七年级3班', '张伟|七年级3班'])).toEqual(['nameMissing', null]);
    expect(problems(['张伟'], [], { pattern: usernamePatterns.firstLast })).toEqual(['patternEmpty']);
    expect(problems(['张伟'], [], { defaultClassId: null })).toEqual(['classMissing']);
  });

  it('asks the server about new students, and skips proposed usernames that are taken', () => {
    const rows = plan(['张伟', '王芳']);
    expect(rows.map(importEntryOf)).toMatchObject([{ seenUserId: null }, { seenUserId: null }]);
    const answer = (username: string, reason: string) => ({ username, reason }) as CheckAnswer;
    const outcomes = new Map([
      [1, answer('20260301', 'The username "20260301" is taken')],
      [2, answer('20260302', 'The entry means somebody else since it was checked')],
    ]);
    const refused = takenUsernames(rows, outcomes);
    const next = plan(['张伟', '王芳'], [], { refused });
    expect(brief(next)).toEqual(['20260303 new', '20260304 new']);
    // The check has not seen these proposals yet.
    expect(takenUsernames(next, outcomes)).toEqual([]);
  });
});

it('an empty class cell gives new students the class above, but moves no existing student', () => {
  const list = ['学号|班级', 'new1|七年级3班', 'old|', 'new2|'];
  const rows = plan(list, [student(1, 'old', 'Old', { classId: 4 })], { defaultClassId: null });
  expect(rows.map(({ classId, isFilled, problem }) => [classId, isFilled, problem])).toEqual([
    [3, false, null],
    [null, false, null],
    [3, true, null],
  ]);
});
