import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { gradeNumber, splitGradeAndClass } from '../../lists/class-names.ts';
import { type ColumnMapping, guessLayout, type ListFields, type ListLayout } from '../../lists/columns.ts';
import { emptyListSource, type ListSourceDraft, type ReadList } from '../../lists/read-list.ts';

export const importFields = [
  'username',
  'actualName',
  'gradeName',
  'className',
  'externalId',
  'cardNumber',
] as const;
export type ImportField = (typeof importFields)[number];

export type StudentMapping = ColumnMapping<ImportField>;

const words = (...lines: readonly string[]) => lines.flatMap((line) => line.split(' '));

export const studentFields: ListFields<ImportField> = {
  key: 'username',
  // Without headings, two columns are username and name; one is the username.
  bare: ['username', 'actualName'],
  others: words(
    '序号 编号 性别 备注 民族 出生日期 出生年月 身份证号 身份证号码 联系电话 电话 座号',
    'no number sex gender birthday dateofbirth dob phone remarks notes',
  ),
  headings: {
    // The first matching heading wins: sign-in names precede the national student number 学籍号.
    username: words(
      'username user login loginname loginid signinname account accountname',
      '用户名 登录名 登录账号 账号 帐号 用户账号 学生账号 学号 学生学号 校内学号 学生编号 学员编号',
      'studentid studentno studentnumber studentnum pupilid pupilno pupilnumber',
      'admissionno admissionnumber enrolmentno enrollmentno id idno idnumber',
      '学籍号 全国学籍号 全国统一学籍号 学籍号码 学籍编号 上学籍号',
    ),
    actualName: words(
      '姓名 学生姓名 中文姓名 真实姓名 名字 学生名字 学生',
      'fullname studentfullname actualname studentname pupilname learnername childname',
      'name displayname student pupil',
    ),
    gradeName: words(
      'grade gradename gradelevel yeargroup yearlevel year',
      '年级 年级名称 所在年级 就读年级 当前年级 所属年级',
    ),
    className: words(
      'class classname homeroom homeroomclass formclass tutorgroup registrationgroup form section',
      '班级 班级名称 所在班级 就读班级 当前班级 所属班级 行政班 行政班级 年级班级 班别 班',
    ),
    externalId: words('externalid externalnumber sourcedid sisid 外部编号 学籍系统编号 教务系统编号'),
    cardNumber: words(
      'card cardnumber cardno cardid campuscard rfid',
      '卡号 一卡通号 一卡通 一卡通卡号 一卡通编号 校园卡号 校园卡 校卡号',
    ),
  },
};

const rowsToLookAt = 60;

/** Guesses the columns from the headings, or from the cells if there are none. */
export function guessStudentColumns(rows: readonly SheetRow[]): ListLayout<ImportField> {
  const layout = guessLayout(rows, studentFields);
  return layout.hasHeader ? layout : { ...layout, mapping: withContents(layout.mapping, rows) };
}

/** Finds columns by their cells: names first or after row numbers, grades and classes after the names. */
function withContents(bare: StudentMapping, rows: readonly SheetRow[]): StudentMapping {
  const width = Math.max(0, ...rows.slice(0, rowsToLookAt).map(({ cells }) => cells.length));
  const texts = Array.from({ length: width }, (_, column) =>
    rows.slice(0, rowsToLookAt).flatMap(({ cells }) => cells[column] || []),
  );
  const areMostly = (column: number, is: (text: string) => boolean) => {
    const own = texts[column] ?? [];
    return own.length > 0 && own.filter(is).length * 5 >= own.length * 4;
  };
  const counted = texts[0] ?? [];
  const isCount = counted.length > 1 && counted.every((text, index) => text === String(index + 1));
  const names = [0, 1].find((column) => areMostly(column, isName) && (column === 0 || isCount));
  const after = (is: (text: string) => boolean) => {
    const columns = Array.from({ length: width }, (_, column) => column);
    return columns.find((column) => column > (names ?? 1) && areMostly(column, is)) ?? null;
  };
  const classes = { gradeName: after(isGrade), className: after(isClass) };
  return names === undefined
    ? { ...bare, ...classes }
    : { ...bare, username: null, actualName: names, ...classes };
}

const isGrade = (text: string) => gradeNumber(text) !== null && !/^\d+$/.test(text);
const isClass = (text: string) =>
  splitGradeAndClass(text) !== null || /^\S{1,8}班$|^(?:class|form)\s*\S+$|^\d{1,2}[a-z]$/i.test(text);
/** Matches 张伟, 阿依古丽·买买提, "Anna Lee". */
const isName = (text: string) =>
  !isClass(text) &&
  !isGrade(text) &&
  /^[\p{Script=Han}·•・\s]{2,20}$|^[\p{L}'’.-]+(?:,?\s+[\p{L}'’.-]+)+$/u.test(text);

export interface ImportDraft extends ListLayout<ImportField>, ListSourceDraft {
  readonly list: ReadList | null;
  readonly defaultClassId: number | null;
  /** The username pattern; null if it follows from the names. */
  readonly pattern: string | null;
  readonly fillsDown: boolean;
}

export function emptyDraft(defaultClassId: number | null): ImportDraft {
  return {
    list: null,
    ...emptyListSource,
    ...guessLayout([], studentFields),
    defaultClassId,
    pattern: null,
    fillsDown: true,
  };
}

export function replaceList(draft: ImportDraft, list: ReadList): ImportDraft {
  return { ...draft, list, ...guessStudentColumns(list.rows), fillsDown: true };
}
