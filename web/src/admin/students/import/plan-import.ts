import { limits } from 'virtual:contract';
import type { ClassSummary } from '@classledger/contract';
import { narrow, visible } from '../../../i18n/letters.ts';
import { isBroken } from '../../../spreadsheets/plain-xml.ts';
import type { SheetRow } from '../../../spreadsheets/read-rows.ts';

/** What a column of the file may hold. */
export const importFields = ['username', 'actualName', 'gradeName', 'className'] as const;
export type ImportField = (typeof importFields)[number];

/** Which column, from 0, holds what; null: none does. */
export type Mapping = Readonly<Record<ImportField, number | null>>;

/** How offices head their columns, in small letters without blanks. */
const headings: Readonly<Record<ImportField, readonly string[]>> = {
  username: [
    'username',
    'user',
    'login',
    'account',
    'studentid',
    'studentno',
    'id',
    '用户名',
    '账号',
    '学号',
    '帐号',
    '学籍号',
  ],
  actualName: [
    'name',
    'actualname',
    'fullname',
    'studentname',
    'student',
    '姓名',
    '名字',
    '学生姓名',
    '真实姓名',
  ],
  gradeName: ['grade', 'gradename', 'year', '年级', '年级名称'],
  className: ['class', 'classname', 'form', '班级', '班级名称', '班'],
};

/** Blanks, marks, case, width and zeros before a number make no other name. */
export const plain = (text: string): string => bare(narrow(text));

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<!\d)0+(?=\d)/g, '')
    .replace(/[\s_\-.,，:：*（）()]/g, '');

/** "Student ID (for signing in)" is a student ID. */
const withoutRemark = (text: string) => text.replace(/[（(].*$/, '');

/** Where the headings stand and what the columns hold. */
export interface ListLayout {
  readonly mapping: Mapping;
  /** Whether a row holds headings at all. */
  readonly hasHeader: boolean;
  /** Which row, from 0, holds them; those above it are a title and the like. */
  readonly headerIndex: number;
}

/** Lists of offices begin with a title, a date, who is responsible. */
const headerRowsMax = 10;

/** Guesses from the first rows what the columns hold. */
export function guessLayout(rows: readonly SheetRow[]): ListLayout {
  const header = rows
    .slice(0, headerRowsMax)
    .map(({ cells }, headerIndex) => ({ headerIndex, mapping: headingsIn(cells) }))
    // In a row further down a single word that looks like a heading may be anything.
    .filter(({ headerIndex, mapping }) => weightOf(mapping) > (headerIndex === 0 ? 0 : 1))
    .reduce<{ headerIndex: number; mapping: Mapping } | null>(
      (best, one) => (best && weightOf(best.mapping) >= weightOf(one.mapping) ? best : one),
      null,
    );
  if (header) return { ...header, hasHeader: true };
  // Without a heading: a list of two columns is account and name, of one the account alone.
  const width = Math.max(0, ...rows.slice(0, 20).map(({ cells }) => cells.length));
  return {
    mapping: {
      username: width > 0 ? 0 : null,
      actualName: width > 1 ? 1 : null,
      gradeName: null,
      className: null,
    },
    hasHeader: false,
    headerIndex: 0,
  };
}

function headingsIn(cells: readonly string[]): Mapping {
  const indexIn = (words: readonly string[], field: ImportField) =>
    words.findIndex((word) => headings[field].includes(plain(word)));
  const bare = cells.map(withoutRemark);
  const found = (field: ImportField) => {
    const exact = indexIn(cells, field);
    const index = exact === -1 ? indexIn(bare, field) : exact;
    return index === -1 ? null : index;
  };
  return {
    username: found('username'),
    actualName: found('actualName'),
    gradeName: found('gradeName'),
    className: found('className'),
  };
}

/** How much a row looks like headings. "Class: 7A, grade: 7" above the list looks so too, but names no account. */
function weightOf({ username, ...others }: Mapping): number {
  const count = Object.values(others).filter((column) => column !== null).length;
  return count + (username === null ? 0 : 2);
}

type Parts = Record<'above' | 'students', readonly SheetRow[]>;

/** Takes a list apart: its students, and what stands above the headings. */
export function partsOf(
  rows: readonly SheetRow[],
  { hasHeader, headerIndex }: Pick<ListLayout, 'hasHeader' | 'headerIndex'>,
): Parts {
  return hasHeader
    ? { above: rows.slice(0, headerIndex), students: rows.slice(headerIndex + 1) }
    : { above: [], students: rows };
}

/** Why a row cannot be imported. */
export type RowProblem =
  | 'usernameMissing'
  | 'usernameTooLong'
  | 'usernameControl'
  | 'usernameTwice'
  | 'usernameTaken'
  | 'nameTooLong'
  | 'numberRounded'
  | 'numberShort'
  | 'characterLost'
  | 'nameDoubtful'
  | 'classMissing'
  | 'classUnknown'
  | 'classAmbiguous';

/** What will become of one row of the file. */
export interface PlannedRow {
  /** Line of the file, from 1; headings and empty rows count. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  readonly classId: number | null;
  /** As the file names the class, or the class that was chosen for all. */
  readonly classLabel: string;
  readonly problem: RowProblem | null;
  /** The class that the row names, where the school has no such class. */
  readonly unknownClass: NamedClass | null;
  /** How the file has what is taken in narrow letters and digits that can be seen; null where that is the same. */
  readonly wide: { readonly username: string | null; readonly classLabel: string | null };
}

/** A class as a file names it; an empty grade: by the name of the class alone. */
export interface NamedClass {
  readonly gradeName: string;
  readonly className: string;
}

export interface PlanInput {
  /** The rows of the students alone. */
  readonly rows: readonly SheetRow[];
  readonly mapping: Mapping;
  /** Classes that the administrator may fill. */
  readonly classes: readonly ClassSummary[];
  /** For rows that name no class. */
  readonly defaultClassId: number | null;
  /** Usernames that the school is known to have, in narrow letters and digits. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Says of every row what an import would do, before anything is sent. The server decides in the end; what it alone
 * knows, such as usernames outside the caller's range, shows then.
 */
export function planImport({ rows, mapping, classes, defaultClassId, taken }: PlanInput): PlannedRow[] {
  const findClass = classFinder(classes);
  const defaultClass = classes.find((candidate) => candidate.id === defaultClassId);
  const seen = new Set<string>();
  return rows.map(({ line, cells }) => {
    const cell = (field: ImportField) => {
      const column = mapping[field];
      return column === null ? '' : (cells[column] ?? '');
    };
    const typed = cell('username');
    const username = narrow(typed);
    const ownName = cell('actualName');
    const actualName = ownName || visible(typed);
    const named = { className: cell('className'), gradeName: cell('gradeName') };
    const found = named.className === '' ? (defaultClass ?? 'classMissing') : findClass(named);
    const problem =
      numberProblemOf(importFields.map(cell)) ??
      problemOf({ username, actualName, ownName }, seen, taken) ??
      (typeof found === 'string' ? found : null);
    if (username !== '') seen.add(username);
    return {
      line,
      username,
      actualName,
      classId: typeof found === 'string' ? null : found.id,
      classLabel: typeof found === 'string' ? labelOf(named) : `${found.gradeName} ${found.name}`,
      problem,
      unknownClass: problem === 'classUnknown' ? named : null,
      wide: {
        username: typed === username ? null : typed,
        classLabel: typeof found === 'string' ? null : wideIn(named, found),
      },
    };
  });
}

const labelOf = ({ gradeName, className }: NamedClass) => [gradeName, className].filter(Boolean).join(' ');

/** What of a class's name is found only because wide letters and digits are taken as narrow ones. */
function wideIn(named: NamedClass, found: ClassSummary): string | null {
  const isWide = (text: string, own: string) => text !== own && bare(text) !== plain(text);
  const wide = {
    gradeName: isWide(named.gradeName, found.gradeName) ? named.gradeName : '',
    className: isWide(named.className, found.name) ? named.className : '',
  };
  return labelOf(wide) || null;
}

/** A number as Excel and WPS show long ones, write them into CSV and copy them, and as `readRows` gives them. */
const shortNumber = /^[+-]?\d(?:\.\d+)?E\+(\d{2,})$/i;

/** Of more digits a spreadsheet keeps none: no one knows those of 3.70102E+17 any more, but it has all of 2.02601E+11. */
const digitsKept = 15;

function numberProblemOf(cells: readonly string[]): 'numberRounded' | 'numberShort' | null {
  const exponents = cells.flatMap((text) => shortNumber.exec(narrow(text))?.slice(1) ?? []).map(Number);
  if (exponents.length === 0) return null;
  return Math.max(...exponents) < digitsKept ? 'numberShort' : 'numberRounded';
}

/**
 * Whether the long numbers among the usernames all end in zeros where a spreadsheet keeps no digits: it may have
 * rounded them and shown them in full.
 */
export function mayBeRounded(plan: readonly PlannedRow[]): boolean {
  const long = plan.filter(({ username }) => /^\d{16,}$/.test(username));
  return long.length > 1 && long.every(({ username }) => /^\d{15}0+$/.test(username));
}

const length = (text: string) => [...text].length;

/** Holds what programs put in the place of a character that they did not know, or what cannot be stored. */
const isLost = (text: string) => isBroken(text) || /[\0\uFFFD]/.test(text);

function problemOf(
  { username, actualName, ownName }: Record<'username' | 'actualName' | 'ownName', string>,
  seen: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): RowProblem | null {
  if (username === '') return 'usernameMissing';
  if (length(username) > limits.usernameLengthMax) return 'usernameTooLong';
  if (/\p{Cc}/u.test(username)) return 'usernameControl';
  if (length(actualName) > limits.nameLengthMax) return 'nameTooLong';
  if (isLost(username) || isLost(actualName)) return 'characterLost';
  // Excel puts it in the place of a character that it does not know, and it stands in no one's name.
  if (ownName.includes('?')) return 'nameDoubtful';
  if (seen.has(username)) return 'usernameTwice';
  return taken.has(username) ? 'usernameTaken' : null;
}

/** "3班" and "3" are the same class. */
export const plainClass = (name: string): string => plain(name).replace(/(?<=.)班$/, '');

/** Classes are named with their grade or, where that is clear, without it; "Grade 3 Class 2" in one cell works too. */
function classFinder(classes: readonly ClassSummary[]) {
  const byName = new Map<string, ClassSummary[]>();
  const add = (name: string, found: ClassSummary) => {
    const known = byName.get(plainClass(name)) ?? [];
    if (!known.includes(found)) byName.set(plainClass(name), [...known, found]);
  };
  for (const candidate of classes) {
    add(candidate.name, candidate);
    add(`${candidate.gradeName} ${candidate.name}`, candidate);
  }
  return ({ className, gradeName }: NamedClass) => {
    const candidates = (byName.get(plainClass(className)) ?? []).filter(
      (found) => gradeName === '' || plain(found.gradeName) === plain(gradeName),
    );
    if (candidates.length > 1) return 'classAmbiguous' as const;
    return candidates[0] ?? ('classUnknown' as const);
  };
}

/** Cuts what can be imported into requests: each of one class and within the limit of a batch. */
export function batchesOf(rows: readonly PlannedRow[]): { classId: number; rows: PlannedRow[] }[] {
  const byClass = Map.groupBy(
    rows.filter((row) => row.problem === null),
    (row) => row.classId as number,
  );
  return [...byClass].flatMap(([classId, all]) =>
    Array.from({ length: Math.ceil(all.length / limits.studentsPerBatchMax) }, (_, part) => ({
      classId,
      rows: all.slice(part * limits.studentsPerBatchMax, (part + 1) * limits.studentsPerBatchMax),
    })),
  );
}
