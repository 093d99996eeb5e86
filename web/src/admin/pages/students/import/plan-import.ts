import { limits } from 'virtual:contract';
import type { ClassSummary } from '@classledger/contract';

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

const plain = (text: string) => text.toLowerCase().replace(/[\s_\-.:：*（）()]/g, '');

/** Guesses from the first row what the columns hold; `hasHeader` tells whether that row is a heading at all. */
export function guessMapping(rows: readonly (readonly string[])[]): { mapping: Mapping; hasHeader: boolean } {
  const first = (rows[0] ?? []).map(plain);
  const found = (field: ImportField) => {
    const index = first.findIndex((cell) => headings[field].includes(cell));
    return index === -1 ? null : index;
  };
  const mapping = {
    username: found('username'),
    actualName: found('actualName'),
    gradeName: found('gradeName'),
    className: found('className'),
  };
  if (Object.values(mapping).some((index) => index !== null)) return { mapping, hasHeader: true };
  // Without a heading: a list of two columns is account and name, of one the account alone.
  const width = Math.max(0, ...rows.slice(0, 20).map((row) => row.length));
  return {
    mapping: {
      username: width > 0 ? 0 : null,
      actualName: width > 1 ? 1 : null,
      gradeName: null,
      className: null,
    },
    hasHeader: false,
  };
}

/** Why a row cannot be imported. */
export type RowProblem =
  | 'usernameMissing'
  | 'usernameTooLong'
  | 'usernameControl'
  | 'usernameTwice'
  | 'usernameTaken'
  | 'nameTooLong'
  | 'classMissing'
  | 'classUnknown'
  | 'classAmbiguous';

/** What will become of one row of the file. */
export interface PlannedRow {
  /** Line of the file, from 1, the heading included. */
  readonly line: number;
  readonly username: string;
  readonly actualName: string;
  readonly classId: number | null;
  /** As the file names the class, or the class that was chosen for all. */
  readonly classLabel: string;
  readonly problem: RowProblem | null;
}

export interface PlanInput {
  readonly rows: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  readonly mapping: Mapping;
  /** Classes that the administrator may fill. */
  readonly classes: readonly ClassSummary[];
  /** For rows that name no class. */
  readonly defaultClassId: number | null;
  /** Usernames that the school is known to have. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Says of every row what an import would do, before anything is sent. The server decides in the end; what it alone
 * knows, such as usernames outside the own range, shows then.
 */
export function planImport({
  rows,
  hasHeader,
  mapping,
  classes,
  defaultClassId,
  taken,
}: PlanInput): PlannedRow[] {
  const findClass = classFinder(classes);
  const defaultClass = classes.find((candidate) => candidate.id === defaultClassId);
  const seen = new Set<string>();
  return rows.slice(hasHeader ? 1 : 0).map((row, index) => {
    const cell = (field: ImportField) => {
      const column = mapping[field];
      return column === null ? '' : (row[column] ?? '').trim();
    };
    const username = cell('username');
    const actualName = cell('actualName') || username;
    const named = { className: cell('className'), gradeName: cell('gradeName') };
    const found = named.className === '' ? (defaultClass ?? 'classMissing') : findClass(named);
    const problem =
      problemOf(username, actualName, seen, taken) ?? (typeof found === 'string' ? found : null);
    if (username !== '') seen.add(username);
    return {
      line: index + (hasHeader ? 2 : 1),
      username,
      actualName,
      classId: typeof found === 'string' ? null : found.id,
      classLabel:
        typeof found === 'string'
          ? [named.gradeName, named.className].filter(Boolean).join(' ')
          : `${found.gradeName} ${found.name}`,
      problem,
    };
  });
}

const length = (text: string) => [...text].length;

function problemOf(
  username: string,
  actualName: string,
  seen: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): RowProblem | null {
  if (username === '') return 'usernameMissing';
  if (length(username) > limits.usernameLengthMax) return 'usernameTooLong';
  if (/\p{Cc}/u.test(username)) return 'usernameControl';
  if (length(actualName) > limits.nameLengthMax) return 'nameTooLong';
  if (seen.has(username)) return 'usernameTwice';
  return taken.has(username) ? 'usernameTaken' : null;
}

/** "3班" and "3" are the same class. */
const plainClass = (name: string) => plain(name).replace(/(?<=.)班$/, '');

/** Classes are named with their grade or, where that is clear, without it; "Grade 3 Class 2" in one cell works too. */
function classFinder(classes: readonly ClassSummary[]) {
  const byName = new Map<string, ClassSummary[]>();
  const add = (name: string, found: ClassSummary) => {
    const known = byName.get(plainClass(name)) ?? [];
    if (!known.includes(found)) byName.set(plainClass(name), [...known, found]);
  };
  for (const candidate of classes) {
    add(candidate.name, candidate);
    add(`${candidate.gradeName}${candidate.name}`, candidate);
  }
  return ({ className, gradeName }: { className: string; gradeName: string }) => {
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
