import { toCsv } from '../../../web/src/spreadsheets/csv.ts';
import type { Student } from '../generated/types.ts';
import { writeTable } from './tables.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** In the order of the columns; the import takes the same names. */
const columns = [
  'id',
  'externalId',
  'cardNumber',
  'username',
  'actualName',
  'gradeName',
  'className',
  'disabled',
  'totalScore',
  'scoreCount',
] as const satisfies readonly (keyof Student)[];

export interface StudentsExport {
  /** Null: CSV, or with --json JSON, on standard output. */
  readonly file: string | null;
  readonly classId: number | undefined;
  readonly gradeId: number | undefined;
}

/** Saves the students of the range as a table that the import takes again. */
export async function exportStudents(terminal: Terminal, options: StudentsExport): Promise<ExitCode> {
  const { classId, gradeId } = options;
  const students: Student[] = [];
  for await (const student of terminal.client.allStudents(
    { classId, gradeId },
    { signal: terminal.signal },
  )) {
    students.push(student);
  }
  const rows = students.map((student) => columns.map((column) => cellOf(student[column])));
  const table = { header: columns, rows };
  if (options.file) await writeTable(options.file, table, 0o600);
  if (options.file) terminal.tell(`${students.length} students are in ${options.file}`);
  else terminal.print(terminal.json ? JSON.stringify(students) : toCsv(table).trimEnd());
  return exitCodes.done;
}

const cellOf = (value: string | number | boolean | null) =>
  typeof value === 'boolean' ? String(value) : value;
