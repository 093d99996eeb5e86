import { limits } from 'virtual:contract';
import type { AssignedTeachers } from '@classledger/contract';
import { narrow } from '../../../i18n/letters.ts';
import type { SheetRow } from '../../../spreadsheets/sheet.ts';
import { classFinder, type KnownClass, labelOf, type NamedClass } from '../../lists/class-names.ts';
import type { Mapping } from '../../lists/columns.ts';
import { isCutNumber } from '../../lists/cut-numbers.ts';
import type { ListRow } from '../../lists/list-row.ts';
import { closedName } from '../../lists/person-names.ts';
import type { TeacherField } from './teacher-columns.ts';

type Detail = AssignedTeachers['details'][number];

/** Why a row cannot be asked of the server. */
type RowFault =
  | 'usernameMissing'
  | 'usernameTooLong'
  | 'usernameBad'
  | 'usernameTwice'
  | 'numberCut'
  | 'classMissing'
  | 'classUnknown'
  | 'classAmbiguous';

/** A class teacher as a list has it. */
export interface PlannedTeacher extends ListRow {
  /** Null where `fault` says why. */
  readonly classId: number | null;
  readonly fault: RowFault | null;
  /** The class that the row names, where the administrator has none such. */
  readonly unknownClass: NamedClass | null;
}

/** What will become of a row: what the server says of it, or why it was not asked. */
export type TeacherFate = Pick<Detail, 'action' | 'classBefore'> & {
  readonly fault: RowFault | NonNullable<Detail['fault']> | null;
};

interface PlanInput {
  /** The rows of the teachers alone. */
  readonly rows: readonly SheetRow[];
  readonly mapping: Mapping<TeacherField>;
  /** Those that the administrator may give away. */
  readonly classes: readonly KnownClass[];
}

/** Says of every row which class it names; who has an account, the server knows. */
export function planTeachers({ rows, mapping, classes }: PlanInput): PlannedTeacher[] {
  const findClass = classFinder(classes);
  const seen = new Set<string>();
  return rows.map(({ line, cells }) => {
    const cell = (field: TeacherField) => {
      const column = mapping[field];
      return column === null ? '' : (cells[column] ?? '');
    };
    const username = narrow(cell('username'));
    const named = { className: cell('className'), gradeName: cell('gradeName') };
    const found = named.className === '' ? ('classMissing' as const) : findClass(named);
    const known = typeof found === 'string' ? null : found;
    const isAgain = seen.has(username);
    seen.add(username);
    const fault =
      usernameFault(username) ?? (isAgain ? 'usernameTwice' : null) ?? (known ? null : (found as RowFault));
    return {
      line,
      username,
      actualName: closedName(cell('actualName')) || username,
      classId: known?.id ?? null,
      classLabel: known ? `${known.gradeName} ${known.name}` : labelOf(named),
      fault,
      unknownClass: fault === 'classUnknown' ? named : null,
      wide: { username: null, classLabel: null },
    };
  });
}

function usernameFault(username: string): RowFault | null {
  if (username === '') return 'usernameMissing';
  if ([...username].length > limits.usernameLengthMax) return 'usernameTooLong';
  if (isCutNumber(username)) return 'numberCut';
  return /[\p{Cc}\p{Cs}\uFFFD]/u.test(username) ? 'usernameBad' : null;
}

/** Parts within the limit of a request. */
export const partsOf = (rows: readonly PlannedTeacher[]): PlannedTeacher[][] =>
  Array.from({ length: Math.ceil(rows.length / limits.teachersPerBatchMax) }, (_, part) =>
    rows.slice(part * limits.teachersPerBatchMax, (part + 1) * limits.teachersPerBatchMax),
  );

/** What is sent of rows that can be asked. */
export const entriesOf = (rows: readonly PlannedTeacher[]) =>
  rows.map(({ username, classId }) => ({ username, classId: classId as number }));
