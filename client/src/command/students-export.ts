import { toCsv } from '../../../web/src/spreadsheets/csv.ts';
import type { Student } from '../generated/types.ts';
import { writeTable } from './tables.ts';
import { type ExitCode, exitCodes, type Terminal } from './terminal.ts';

/** In column order; the import accepts the same names. */
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
  /** Null prints to standard output, as CSV or with --json as JSON. */
  readonly file: string | null;
  readonly classId: number | undefined;
  readonly gradeId: number | undefined;
}

/** Saves the students of the range as a table that the import accepts. */
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
  if (options.file) terminal.printNotice(`${students.length} students are in ${options.file}`);
  else terminal.print(terminal.json ? JSON.stringify(students) : toCsv(table).trimEnd());
  return exitCodes.done;
}

const cellOf = (value: string | number | boolean | null) =>
  typeof value === 'boolean' ? String(value) : value;
