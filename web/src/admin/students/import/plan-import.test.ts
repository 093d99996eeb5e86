import { describe, expect, it } from 'vitest';
import { guessLayout, splitList } from '../../lists/columns.ts';
import { mayBeRounded, type PlanInput } from './plan-import.ts';
import { studentFields } from './student-columns.ts';
import { classOf, planOf, sheetOf, studentOf } from './testing/plans.ts';

const classes = [
  classOf(1, 'Grade 1', 'Class 1'),
  classOf(2, 'Grade 1', 'Class 2'),
  classOf(3, 'Grade 12', 'Class 1'),
];

const guess = (rows: string[][]) => guessLayout(sheetOf(rows), studentFields);
const plan = (rows: string[][], more: Partial<PlanInput> = {}) => planOf(sheetOf(rows), { classes, ...more });

/** Expects the problem with which each row begins. */
const expectProblems = (
  header: string[],
  rows: [problem: string | null, ...cells: string[]][],
  more: Partial<PlanInput> = {},
) => {
  const planned = plan([header, ...rows.map(([, ...cells]) => cells)], more);
  expect(planned.map(({ problem }) => problem)).toEqual(rows.map(([problem]) => problem));
};

/** The columns that are not mentioned hold nothing known. */
const columns = (held: Readonly<Record<string, number>>) => ({
  ...{ username: null, actualName: null, gradeName: null, className: null },
  ...{ externalId: null, cardNumber: null, ...held },
});

describe('Columns of a file', () => {
  it.each<[string[], Readonly<Record<string, number>>]>([
    // In upper or lower case and with any spacing.
    [['Student Name', 'STUDENT_ID', 'Class'], { username: 1, actualName: 0, className: 2 }],
    [['年级', '班级', '学号', '姓名'], { username: 2, actualName: 3, gradeName: 0, className: 1 }],
    // Despite a remark in brackets, unless another column has the plain word.
    [['学籍号（登录名）', '姓名(全名)', '班级'], { username: 0, actualName: 1, className: 2 }],
    [['Name (short)', 'Name', 'ID'], { username: 2, actualName: 1 }],
    // A sign-in name rather than a student number, and a student number rather than a national number.
    [['学籍号', '学号', '姓名', '班级'], { username: 1, actualName: 2, className: 3 }],
    [['全国学籍号', '姓名', '学号（登录名）'], { username: 2, actualName: 1 }],
    [['学号', '用户名', '学生姓名'], { username: 1, actualName: 2 }],
    [['UPN', 'Student Number', 'Full name', 'Homeroom'], { username: 1, actualName: 2, className: 3 }],
    [['学籍号', '姓名'], { username: 0, actualName: 1 }],
  ])('are recognised by their headings: %j', (header, held) => {
    expect(guess([header])).toEqual({ mapping: columns(held), hasHeader: true, headerIndex: 0 });
  });

  it('are found below a title and other lines', () => {
    const rows = [
      ['初一7A班学生名单'],
      ['班级：', '7A', '年级：', '七年级'],
      ['序号', '学号', '姓名'],
      ['1', '20260101', '李伟'],
    ];
    const layout = guess(rows);
    const mapping = columns({ username: 1, actualName: 2 });
    expect(layout).toEqual({ mapping, hasHeader: true, headerIndex: 2 });
    const { above, people } = splitList(sheetOf(rows), layout);
    expect([above, people].map((part) => part.map(({ line }) => line))).toEqual([[1, 2], [4]]);
    // Without headings, all rows are students.
    expect(splitList(sheetOf(rows), { ...layout, hasHeader: false }).people).toHaveLength(4);
    expect(guess([['学生名单'], ['学号'], ['1']])).toMatchObject({ headerIndex: 1 });
  });

  it.each([
    ['li.wei 李伟'],
    // A person's name may be the word of a heading.
    ['li.wei 李伟', 'wang.fang Student'],
  ])('are username and name without headings: %s %s', (...lines) => {
    const mapping = columns({ username: 0, actualName: 1 });
    const layout = guess(lines.map((line) => line.split(' ')));
    expect(layout).toEqual({ mapping, hasHeader: false, headerIndex: 0 });
  });

  it('are unknown without rows', () => {
    expect(guess([])).toMatchObject({ mapping: { username: null }, hasHeader: false });
  });
});

describe('Plan of an import', () => {
  it('reads external ids and card numbers under English and Chinese headings, and refuses a value of an earlier row', () => {
    const planned = (header: string[]) =>
      plan([
        header,
        ['a', 'A', 'Class 2', 'S-1', '００７'],
        ['b', 'B', 'Class 2', '', '007'],
        ['c', 'C', 'Class 2', '007', ''],
        ['d', 'D', 'Class 2', 'x'.repeat(101), ''],
        ['e', 'E', 'Class 2', '3.70102E+17', ''],
      ]).map((row) => [row.externalId?.slice(0, 11), row.cardNumber, row.problem]);
    const expected = [
      ['S-1', '007', null],
      [undefined, '007', 'identifierTwice'],
      ['007', null, null],
      ['xxxxxxxxxxx', null, 'identifierBad'],
      ['3.70102E+17', null, 'numberRounded'],
    ];
    expect(planned(['Username', 'Name', 'Class', 'External ID', 'Card number'])).toEqual(expected);
    expect(planned(['用户名', '姓名', '班级', '学籍系统编号', '一卡通号'])).toEqual(expected);
  });

  it('reports the problem of each row', () => {
    expectProblems(
      ['username', 'name', 'class'],
      [
        ['usernameMissing', '', 'Nobody', 'Class 2'],
        ['usernameTooLong', 'x'.repeat(65), 'Long', 'Class 2'],
        ['nameTooLong', 'ok', 'n'.repeat(101), 'Class 2'],
        [null, 'twice', 'One', 'Class 2'],
        ['usernameTwice', 'twice', 'Two', 'Class 2'],
        [null, 'known', 'Known', 'Class 2'],
        ['classUnknown', 'lost', 'Lost', 'Class 9'],
        ['classAmbiguous', 'which', 'Which', 'Class 1'],
        ['classMissing', 'none', 'None', ''],
        ['usernameControl', 'a\u0007b', 'Bell', 'Class 2'],
      ],
    );
  });

  it('finds classes by grade and class in half-width letters without invisible ones, and reports the change', () => {
    const rows = [
      ['ｕｓｅｒｎａｍｅ', 'name', 'grade', 'class'],
      ['２０２６０１', '２０２６', 'Ｇrade １２', 'Class １'],
      ['202602', 'Ｂ', '', 'Grade １\u3000Class ②'],
      ['202603', 'C', 'Grade 12', '（Class） 01'],
      ['２０２６０３', 'D', 'Grade 12', 'Class 1'],
      ['\uFF21\u00A01', 'E', 'Grade 12', 'Class 1'],
      ['\u202D202604\u202C', 'F', '', 'Class\u200B 2'],
      ['202604', 'G', '', 'Class 2'],
      ['\u200B', 'H', '', 'Class 2'],
    ];
    const planned = plan(rows, { students: [studentOf(1, 'Ａ 1')] });
    expect(planned.map((row) => [row.username, row.actualName, row.classId, row.problem])).toEqual([
      ['202601', '２０２６', 3, null],
      ['202602', 'Ｂ', 2, null],
      ['202603', 'C', 3, null],
      ['202603', 'D', 3, 'usernameTwice'],
      // The school's spelling of the username.
      ['Ａ 1', 'E', 3, null],
      ['202604', 'F', 2, null],
      ['202604', 'G', 2, 'usernameTwice'],
      ['', 'H', 2, 'usernameMissing'],
    ]);
    expect(planned.map(({ wide }) => [wide.username, wide.classLabel])).toEqual([
      ['２０２６０１', 'Ｇrade １２ Class １'],
      [null, 'Grade １\u3000Class ②'],
      [null, null],
      ['２０２６０３', null],
      ['Ａ\u00A01', null],
      ['\u202D202604\u202C', 'Class\u200B 2'],
      [null, null],
      ['\u200B', null],
    ]);
  });

  it('keeps names as they are, composed or not', () => {
    const names = ['Zoe\u0308', 'Zo\u00EB', '\uF900', '㈱', 'ﬁ', '𠮷'];
    const rows = names.map((name, index) => [`u${index}`, name]);
    expect(plan(rows, { defaultClassId: 2 }).map((row) => row.actualName)).toEqual(names);
  });

  it.each([
    ['numberRounded', '1.23457E+18 3.70102E+17 1E+15 -2e+20 １.２E+１８'],
    ['numberShort', '2.02601E+11 9.9E+14 1.2E+05'],
  ])('rejects a number in any used column that lost its last digits: %s', (problem, numbers) => {
    for (const number of numbers.split(' ')) {
      expectProblems(
        ['username', 'name', 'class', 'phone'],
        [
          [problem, number, 'A', 'Class 2', ''],
          [problem, 'b', number, 'Class 2', ''],
          [problem, 'c', 'C', number, ''],
          ['numberRounded', number, 'D', '3.70102E+17', ''],
          [null, 'e', 'E', 'Class 2', number],
          [null, '1E5', 'F', 'Class 2', ''],
        ],
      );
    }
  });

  it('rejects a name in which a program lost a character', () => {
    expectProblems(
      ['username', 'name'],
      [
        ['characterLost', 'u0', '\uFFFD田'],
        ['characterLost', 'u1', '\uD842'],
        ['characterLost', 'u2', 'a\0'],
        ['nameDoubtful', 'u3', '?田'],
        ['characterLost', '\uFFFD', 'A'],
        [null, 'who?', 'B'],
        [null, 'why?', ''],
        [null, 'ｈow?', ''],
      ],
      { defaultClassId: 2 },
    );
  });

  it('uses the username for a missing name', () => {
    expect(plan([['a'], ['Ｂ\u200B']], { defaultClassId: 2 })).toMatchObject([
      { actualName: 'a' },
      { username: 'B', actualName: 'Ｂ' },
    ]);
  });

  it('keeps the class of existing students when the list names no class, and gives new students the default class', () => {
    const students = [studentOf(1, 'old'), studentOf(2, 'before', { externalId: 'S-1' })];
    const rows = [
      ['username', 'class', '外部编号'],
      ['old', '', ''],
      ['renamed', '', 'S-1'],
      ['new', '', ''],
    ];
    const placed = (defaultClassId: number | null, list = rows) =>
      plan(list, { defaultClassId, students }).map(({ classId, problem }) => problem ?? classId);
    expect(placed(3)).toEqual([null, null, 3]);
    expect(placed(null)).toEqual([null, null, 'classMissing']);
    const withoutClasses = rows.map(([username = '', , id = '']) => [username, id]);
    expect(placed(null, withoutClasses)).toEqual([null, null, 'classMissing']);
    expect(placed(3, withoutClasses)).toEqual([3, 3, 3]);
  });
});

const [number, other] = ['3701022010010110000', '3701022010010120000'] as const;

const planNumbers = (people: readonly { shown: string; name: string; digits?: string }[]) => {
  const rows = sheetOf([['Username', 'Name'], ...people.map(({ shown, name }) => [shown, name])]);
  const withDigits = rows.slice(1).map((row, index) => {
    const { digits } = people[index] ?? {};
    return digits === undefined ? row : { ...row, digits: new Map([[0, digits]]) };
  });
  return planOf([...rows.slice(0, 1), ...withDigits], {
    defaultClassId: 2,
    classes,
    students: [studentOf(1, number, { actualName: '欧阳 娜娜' })],
  });
};

describe('Number that a spreadsheet rounded', () => {
  it('is rejected unless number and name match a student', () => {
    const shown = '3.70102E+18';
    const people = [
      { shown, name: '欧阳娜娜', digits: number },
      { shown, name: '李伟', digits: number },
      { shown, name: '', digits: number },
      { shown, name: '欧阳娜娜', digits: other },
      { shown, name: '欧阳娜娜' },
    ];
    const refused = [shown, 'numberRounded'];
    expect(planNumbers(people).map(({ username, problem }) => [username, problem])).toEqual([
      [number, null],
      ...Array(4).fill(refused),
    ]);
    expect(planNumbers([{ shown: number, name: '李伟' }])).toMatchObject([
      { username: number, problem: null },
    ]);
  });

  it('is suspected when all numbers of a list are long and end in zeros', () => {
    const doubtful = (...usernames: string[]) =>
      mayBeRounded(planNumbers(usernames.map((shown) => ({ shown, name: 'A' }))));
    expect(doubtful('370102201001011000', '370102201001012000', '7')).toBe(true);
    expect(doubtful('370102201001011000', '370102201001012003')).toBe(false);
    expect(doubtful('2026000000', '2026000010')).toBe(false);
  });
});
