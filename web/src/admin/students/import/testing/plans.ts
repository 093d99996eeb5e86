import type { ClassSummary, ListedStudent } from '@classledger/contract';
import type { SheetRow } from '../../../../spreadsheets/sheet.ts';
import { splitList } from '../../../lists/columns.ts';
import { type PlanInput, planImport } from '../plan-import.ts';
import { guessStudentColumns } from '../student-columns.ts';

export const classOf = (id: number, gradeName: string, name: string) =>
  ({ id, gradeName, name }) as ClassSummary;

export const studentOf = (id: number, username: string, more: Partial<ListedStudent> = {}) =>
  ({
    ...{ id, username, actualName: `S ${id}`, classId: 3, gradeName: '七年级', className: '3班' },
    ...{ externalId: null, cardNumber: null, erased: false, disabled: false },
    ...more,
  }) as ListedStudent;

export const sheetOf = (rows: readonly string[][]): SheetRow[] =>
  rows.map((cells, index) => ({ line: index + 1, cells }));

/** Plans a list whose columns are guessed. By default the school has neither classes nor students. */
export function planOf(rows: readonly SheetRow[], more: Partial<PlanInput> = {}) {
  const layout = guessStudentColumns(rows);
  const { people } = splitList(rows, layout);
  const school = { classes: [], students: [], defaultClassId: null };
  return planImport({ rows: people, mapping: layout.mapping, ...school, ...more });
}
