import { expect, it } from 'vitest';
import { guessLayout, splitList as partsOfList } from '../../lists/columns.ts';
import { planTeachers, teacherFields } from './plan-teachers.ts';

const classes = [
  { id: 1, gradeName: '七年级', name: '1班' },
  { id: 2, gradeName: '七年级', name: '2班' },
  { id: 3, gradeName: '八年级', name: '1班' },
];
const planOf = (rows: string[][]) => {
  const sheet = rows.map((cells, index) => ({ line: index + 1, cells }));
  const layout = guessLayout(sheet, teacherFields);
  return planTeachers({ rows: partsOfList(sheet, layout).people, mapping: layout.mapping, classes });
};

it.each([
  [
    ['班级', '班主任', '工号', '手机'],
    ['七年级(1)班', '张 三', 'T１', '138'],
  ],
  [
    ['Class teacher', 'Homeroom', 'Email'],
    ['张三', '七年级一班', 'T1'],
  ],
  [
    ['序号', '年级', '班级', '姓名', '用户名', '邮箱'],
    ['1', '7', '1', '张\u3000三', 'T1', 'z@example.org'],
  ],
])('a list of class teachers is read by its headings: %j', (header, row) => {
  expect(planOf([['2026 学年班主任安排表'], header, row])).toMatchObject([
    { line: 3, username: 'T1', actualName: '张三', classId: 1, classLabel: '七年级 1班', fault: null },
  ]);
});

it('a list of class teachers shows the problem of each faulty row', () => {
  const rows = [
    ['七年级 1班', 'A', 'a'],
    ['1班', 'B', 'b'],
    ['九年级 1班', 'C', 'c'],
    ['', 'D', 'd'],
    ['七年级 2班', 'E', ''],
    ['七年级 2班', 'A', 'a'],
    ['七年级 2班', 'F', '1.38E+10'],
    ['七年级 2班', 'G', 'x'.repeat(65)],
  ];
  expect(planOf(rows).map(({ fault }) => fault)).toEqual([
    null,
    'classAmbiguous',
    'classUnknown',
    'classMissing',
    'usernameMissing',
    'usernameTwice',
    'numberCut',
    'usernameTooLong',
  ]);
});
