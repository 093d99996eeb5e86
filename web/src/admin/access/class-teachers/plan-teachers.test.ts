import { expect, it } from 'vitest';
import { guessLayout, splitList as partsOfList } from '../../lists/columns.ts';
import { planTeachers, requestEntriesOf, type TeacherRole, teacherFields } from './plan-teachers.ts';

const classes = [
  { id: 1, gradeName: '七年级', name: '1班' },
  { id: 2, gradeName: '七年级', name: '2班' },
  { id: 3, gradeName: '八年级', name: '1班' },
];
const planOf = (rows: string[][], role: TeacherRole = 'class_admin') => {
  const sheet = rows.map((cells, index) => ({ line: index + 1, cells }));
  const layout = guessLayout(sheet, teacherFields[role]);
  return planTeachers({ role, rows: partsOfList(sheet, layout).people, mapping: layout.mapping, classes });
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

it.each([
  [
    ['任教班级', '班主任', '任课教师', '工号', '任教学科'],
    ['七年级(1)班', '王 五', '张 三', 'T1', '数学'],
  ],
  [
    ['年级', '班级', '姓名', '用户名', '科目（选填）'],
    ['七年级', '1班', '张三', 'T1', '数学'],
  ],
  [
    ['Subject', 'Teacher', 'Class', 'Staff no.'],
    ['数学', '张三', '七年级 1班', 'T1'],
  ],
])('a list of subject teachers is read by its headings: %j', (header, row) => {
  const plan = planOf([header, row], 'teacher');
  expect(plan).toMatchObject([{ actualName: '张三', classLabel: '七年级 1班', fault: null }]);
  expect(requestEntriesOf(plan)).toEqual([{ username: 'T1', name: '张三', classId: 1, subject: '数学' }]);
});

it('a list of class teachers has no subject, and a list without names sends none', () => {
  const header = ['班级', '用户名', '学科'];
  const [row] = planOf([header, ['七年级 1班', 'T1', '数学']]);
  expect(row).toMatchObject({ actualName: 'T1', subject: '' });
  expect(requestEntriesOf(row ? [row] : [])).toEqual([{ username: 'T1', classId: 1 }]);
});

it('a subject teacher has a row for each class; the same teacher and class twice is a fault', () => {
  const rows = [
    ['七年级 1班', 'A', 'a', '数学'],
    ['七年级 2班', 'A', 'a', '数学'],
    ['七年级 1班', 'B', 'b', '语文'],
    ['7(1)班', 'A', 'a', '物理'],
    ['九年级 1班', 'A', 'a', '数学'],
    ['九年级 1班', 'A', 'a', '数学'],
  ];
  const faults = planOf(rows, 'teacher').map(({ fault }) => fault);
  expect(faults).toEqual([null, null, null, 'pairTwice', 'classUnknown', 'classUnknown']);
});
