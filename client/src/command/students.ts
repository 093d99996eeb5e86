import { appendFile, readFile } from 'node:fs/promises';
import { escapeFormula, toCsv } from '../../../web/src/spreadsheets/csv.ts';
import { ApiError, BatchInterruptedError } from '../errors.ts';
import { operations } from '../generated/operations.ts';
import type { Student, StudentUpsertEntry, UpsertedStudents } from '../generated/types.ts';
import { hashOf } from './score-journal.ts';
import { type Row, readTable, writeTable } from './tables.ts';
import { type ExitCode, exitCodes, printResult, type Terminal, UsageError } from './terminal.ts';

const headings = {
  externalId: ['外部编号'],
  username: ['login', 'user', '用户名', '学号'],
  actualName: ['name', 'fullname', '姓名'],
  cardNumber: ['card', '卡号'],
  gradeName: ['grade', 'year', '年级'],
  className: ['class', 'form', '班级'],
  classId: [],
  disabled: [],
  // The import ignores these columns of the export.
  id: [],
  totalScore: [],
  scoreCount: [],
} as const;
type Column = keyof typeof headings;

interface StudentsImport {
  readonly file: string;
  readonly classId: number | undefined;
  readonly dryRun: boolean;
  readonly passwords: string;
}

export async function importStudents(terminal: Terminal, options: StudentsImport): Promise<ExitCode> {
  const { file, classId, dryRun, passwords } = options;
  const { printNotice } = terminal;
  const rows = await readTable<Column>(file, headings, printNotice);
  const classIds = rows.some(({ cells }) => cells.className) ? await classIdsByName(terminal) : new Map();
  const batch = rows.map((row) => toEntry(row, file, classIds));
  const body = { batch, dryRun, ...(classId !== undefined && { classId }) };
  const { createdCount, updatedCount, unchangedCount, details } = dryRun
    ? await terminal.client.upsertManyStudents(body, { signal: terminal.signal })
    : await importRows(terminal, body, passwords);
  const refused = details.flatMap(({ success, index, code, reason }) =>
    success ? [] : [{ line: rows[index]?.line ?? 0, code, reason }],
  );
  for (const { line, reason } of refused) printNotice(`Row ${line} was refused: ${reason}`);
  const hasPasswords = details.some(({ initialPassword }) => initialPassword !== undefined);
  if (hasPasswords) printNotice(`The generated passwords are in ${passwords}. They are shown nowhere else.`);
  printResult(
    terminal,
    { dryRun, created: createdCount, updated: updatedCount, unchanged: unchangedCount, refused },
    `${dryRun ? 'Would be created' : 'Created'}: ${createdCount}, changed: ${updatedCount}, unchanged: ${unchangedCount}, refused: ${refused.length}`,
  );
  return refused.length > 0 ? exitCodes.partly : exitCodes.done;
}

type Body = Parameters<Terminal['client']['upsertManyStudents']>[0];

/** The key is a hash of the rows, so a rerun gets lost passwords. A replay can be outdated, so it sends again. */
async function importRows({ client, signal, printNotice }: Terminal, body: Body, passwords: string) {
  const { batch } = body;
  let wasReplayed = false;
  let isRecheck = false;
  let finishedCount = 0;
  const send = (idempotencyKey: string | undefined) =>
    client.upsertManyStudents(body, {
      idempotencyKey,
      signal,
      // Stores the passwords before the next call can fail.
      onPart: async ({ answer, from, count, replayed }) => {
        wasReplayed ||= replayed;
        await savePasswords(passwords, answer);
        finishedCount = from + count;
        printNotice(`${from + count} of ${batch.length} rows`);
      },
    });
  try {
    const result = await send(`students-${hashOf(JSON.stringify([body.classId, batch]))}`);
    if (!wasReplayed) return result;
    printNotice('An earlier run imported some of these rows: checking whether they are still the same.');
    isRecheck = true;
    finishedCount = 0;
    const now = await send(undefined);
    return { ...now, details: now.details.map((detail, i) => ({ ...result.details[i], ...detail })) };
  } catch (error) {
    const cause = error instanceof BatchInterruptedError ? error.cause : error;
    const wasRefused = cause instanceof ApiError && cause.status < 500 && cause.attempts === 1;
    if (!wasRefused && finishedCount < batch.length) {
      const uncertain = batch.slice(finishedCount, finishedCount + operations.upsertStudents.parts.max);
      const names = uncertain.map(({ username, externalId }) => username ?? externalId).join(', ');
      const remedy = isRecheck
        ? 'Reset the passwords of those'
        : 'Import the same rows again within a day to get these passwords; later, reset them';
      printNotice(
        `Some of these students may have been created just now, each with a password that nobody has seen: ${names}. ${remedy}.`,
      );
    }
    throw error;
  }
}

async function savePasswords(path: string, { details }: UpsertedStudents): Promise<void> {
  const kept = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const stored = new Set(kept.split('\n').map((line) => `${line}\n`));
  const lines = details
    .flatMap(({ username, initialPassword }) =>
      initialPassword === undefined
        ? []
        : [`"${String(escapeFormula(username)).replaceAll('"', '""')}",${initialPassword}\n`],
    )
    // Leaves out passwords that the file has, because a replay returns the passwords of an earlier run again.
    .filter((line) => !stored.has(line));
  if (lines.length > 0) await appendFile(path, lines.join(''), { mode: 0o600 });
}

async function classIdsByName({ client, signal }: Terminal): Promise<Map<string, number | null>> {
  const ids = new Map<string, number | null>();
  for await (const { id, name, gradeName } of client.allClasses({}, { signal })) {
    ids.set(`${gradeName}\n${name}`, id);
    // Null when several classes have the name.
    ids.set(name, ids.has(name) ? null : id);
  }
  return ids;
}

function toEntry(
  { line, cells }: Row<Column>,
  file: string,
  ids: Map<string, number | null>,
): StudentUpsertEntry {
  const { externalId, username, actualName, cardNumber, gradeName, className, classId, disabled } = cells;
  const rowError = (what: string) => new UsageError(`Row ${line} of ${file} ${what}`);
  const names = externalId ? { externalId, ...(username && { username }) } : username && { username };
  if (!names) throw rowError('has neither an externalId nor a username');
  const found = className && ids.get(gradeName ? `${gradeName}\n${className}` : className);
  if (className && !found) {
    throw rowError(
      `names the class ${[gradeName, className].filter(Boolean).join(', ')}, which ${found === null ? 'several grades have' : 'is not there'}`,
    );
  }
  if (classId && !/^\d{1,15}$/.test(classId)) throw rowError(`has a classId that is no number: ${classId}`);
  if (disabled && !/^(true|false)$/i.test(disabled))
    throw rowError(`has a disabled other than true or false`);
  const resolvedClassId = classId ? Number(classId) : found;
  return {
    ...names,
    ...(actualName && { actualName }),
    ...(cardNumber && { cardNumber }),
    ...(resolvedClassId && { classId: resolvedClassId }),
    ...(disabled && { disabled: disabled.toLowerCase() === 'true' }),
  };
}

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

interface StudentsExport {
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
