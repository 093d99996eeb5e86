import { limits } from 'virtual:contract';
import type { AssignedTeachers, Body, InternalOperations } from '@classledger/contract';
import { toHalfWidth } from '../../../i18n/letters.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { classFinder, type KnownClass, type NamedClass, namedClassLabel } from '../../lists/class-names.ts';
import type { ColumnMapping, ListFields } from '../../lists/columns.ts';
import { isShortenedNumber, removeNameBlanks } from '../../lists/normalize-text.ts';
import type { ListRow } from '../../lists/PlannedRows.tsx';

/** Whether a list names class teachers or subject teachers. */
export type TeacherRole = NonNullable<Body<InternalOperations['assignClassTeachers']>['role']>;

export type TeacherField = 'className' | 'gradeName' | 'actualName' | 'username' | 'subject';

const classTeacherHeadings = ['班主任姓名', '班主任', 'classteacher', 'homeroomteacher', 'formtutor'];
const teacherHeadings = [
  ...['教师姓名', '老师姓名', '姓名', '教师', '老师', '名字'],
  ...['teachername', 'teacher', 'tutor', 'fullname', 'name'],
];

/** Headings in schools' lists. A staff number or e-mail address serves as username if the list has no other. */
const commonHeadings = {
  username: [
    ...['username', 'user', 'login', 'loginname', 'signinname', 'account', 'accountname'],
    ...['用户名', '登录名', '登录账号', '账号', '帐号', '教师账号'],
    ...['工号', '教工号', '教职工号', '职工号', '员工号', '教师编号'],
    ...['staffid', 'staffno', 'staffnumber', 'staffcode', 'employeeid', 'employeeno', 'teacherid'],
    ...['email', 'emailaddress', 'mail', '电子邮箱', '电子邮件', '邮箱'],
  ],
  gradeName: ['grade', 'gradename', 'gradelevel', 'yeargroup', 'year', '年级', '年级名称', '所在年级'],
  className: [
    ...['class', 'classname', 'homeroom', 'homeroomclass', 'formclass', 'form', 'tutorgroup'],
    ...['班级', '班级名称', '所在班级', '任教班级', '任课班级', '授课班级', '所带班级', '行政班', '班'],
  ],
};

export const teacherFields: Readonly<Record<TeacherRole, ListFields<TeacherField>>> = {
  class_admin: {
    key: 'className',
    bare: ['className', 'actualName', 'username'],
    headings: { ...commonHeadings, actualName: [...classTeacherHeadings, ...teacherHeadings], subject: [] },
  },
  teacher: {
    key: 'className',
    bare: ['className', 'actualName', 'username', 'subject'],
    headings: {
      ...commonHeadings,
      actualName: ['任课教师', '任课老师', '科任教师', '科任老师', 'subjectteacher', ...teacherHeadings],
      subject: [
        ...['subject', 'subjects', 'subjectname', 'subjecttaught', 'course', 'coursename'],
        ...['任教学科', '任教科目', '任课科目', '所教学科', '所教科目', '学科', '科目', '课程'],
      ],
    },
  },
};

type Detail = AssignedTeachers['details'][number];

type RowFault =
  | 'usernameMissing'
  | 'usernameTooLong'
  | 'usernameBad'
  | 'usernameTwice'
  | 'pairTwice'
  | 'numberCut'
  | 'classMissing'
  | 'classUnknown'
  | 'classAmbiguous';

export interface PlannedTeacher extends ListRow {
  /** The name in the list; empty if there is none. `actualName` then shows the username. */
  readonly name: string;
  readonly subject: string;
  readonly classId: number | null;
  readonly fault: RowFault | null;
  /** The class named in the row, if the administrator has no such class. */
  readonly unknownClass: NamedClass | null;
}

/** The server's answer about a row, or why the row was not sent. `named` changes only the name of an account. */
export type TeacherOutcome = Pick<Detail, 'classBefore'> & {
  readonly action: Detail['action'] | 'named';
  readonly fault: RowFault | NonNullable<Detail['fault']> | null;
};

interface PlanInput {
  readonly role: TeacherRole;
  readonly rows: readonly SheetRow[];
  readonly mapping: ColumnMapping<TeacherField>;
  readonly classes: readonly KnownClass[];
}

/** Finds the class of each row. The dry run then finds the accounts, which only the server knows. */
export function planTeachers({ role, rows, mapping, classes }: PlanInput): PlannedTeacher[] {
  const findClass = classFinder(classes);
  const seen = new Set<string>();
  return rows.map(({ line, cells }) => {
    const cell = (field: TeacherField) => {
      const column = mapping[field];
      return column === null ? '' : (cells[column] ?? '');
    };
    const username = toHalfWidth(cell('username'));
    const named = { className: cell('className'), gradeName: cell('gradeName') };
    const found = named.className === '' ? ('classMissing' as const) : findClass(named);
    const known = typeof found === 'string' ? null : found;
    // A subject teacher has a row for each class, a class teacher a single row.
    const [key, twice] =
      role === 'teacher'
        ? [`${username}\n${known?.id ?? line}`, 'pairTwice' as const]
        : [username, 'usernameTwice' as const];
    const isAgain = seen.has(key);
    seen.add(key);
    const fault = usernameFault(username) ?? (isAgain ? twice : null) ?? (known ? null : (found as RowFault));
    const name = removeNameBlanks(cell('actualName'));
    return {
      line,
      username,
      name,
      actualName: name || username,
      subject: cell('subject'),
      classId: known?.id ?? null,
      classLabel: known ? `${known.gradeName} ${known.name}` : namedClassLabel(named),
      fault,
      unknownClass: fault === 'classUnknown' ? named : null,
      wide: { username: null, classLabel: null },
    };
  });
}

function usernameFault(username: string): RowFault | null {
  if (username === '') return 'usernameMissing';
  if ([...username].length > limits.usernameLengthMax) return 'usernameTooLong';
  if (isShortenedNumber(username)) return 'numberCut';
  return /[\p{Cc}\p{Cs}\uFFFD]/u.test(username) ? 'usernameBad' : null;
}

export const requestEntriesOf = (rows: readonly PlannedTeacher[]) =>
  rows.map(({ username, name, classId, subject }) => ({
    username,
    ...(name && { name }),
    classId: classId as number,
    ...(subject && { subject }),
  }));
