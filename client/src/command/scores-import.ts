import type { Answer } from '../call.ts';
import { ApiError } from '../errors.ts';
import type { BulkScores, ScoreEntry } from '../generated/types.ts';
import { type PlannedCall, rowIds, ScoreJournal } from './score-journal.ts';
import { type Row, readTable } from './tables.ts';
import { type ExitCode, exitCodes, printResult, type Terminal, UsageError } from './terminal.ts';

const headings = {
  username: ['login', 'user', '用户名', '学号'],
  userId: ['id'],
  externalId: ['外部编号'],
  cardNumber: ['card', '卡号'],
  scoreChange: ['points', 'score', '分数', '积分'],
  description: ['reason', '原因', '理由'],
  occurredAt: ['when', 'time', '时间'],
} as const;
type Column = keyof typeof headings;

interface ScoresImport {
  readonly file: string;
  readonly points: number | undefined;
  readonly reason: string | undefined;
  readonly journal: string;
  /** A name of the run. Another name lets equal rows be given again, for example next week. */
  readonly run: string;
}

interface RefusedRow {
  readonly line: number;
  readonly code: number;
  readonly reason: string;
}

const rowsPerCall = 200;

export async function importScores(terminal: Terminal, options: ScoresImport): Promise<ExitCode> {
  const { client, signal } = terminal;
  const rows = await readTable<Column>(options.file, headings, terminal.printNotice);
  const items = rows.map((row) => toEntry(row, options));
  // Identifies a row only by the file's cells, so another --reason does not create new rows.
  const names = rowIds(rows.map(({ cells }) => JSON.stringify([options.run, Object.entries(cells).sort()])));
  const { school } = await client.ping({}, { signal });
  const journal = new ScoreJournal(options.journal, school.id);
  const calls = journal.planCalls(names, rowsPerCall);
  const planned = calls.reduce((sum, { indexes }) => sum + indexes.length, 0);
  let before = rows.length - planned;
  if (before > 0) terminal.printNotice(`${before} of ${rows.length} rows were given before.`);

  const refused: RefusedRow[] = [];
  let done = 0;
  for (const call of calls) {
    const { data, replayed } = await sendCall(terminal, journal, call, items);
    const { details } = data;
    for (const [i, detail] of details.entries()) {
      const { line = 0 } = rows[call.indexes[i] as number] ?? {};
      if (detail.success && replayed) before += 1;
      else if (detail.success) done += 1;
      else refused.push({ line, code: detail.code, reason: detail.reason ?? '' });
    }
    terminal.printNotice(`${before + done + refused.length} of ${rows.length} rows`);
  }
  for (const { line, reason } of refused) terminal.printNotice(`Row ${line} was refused: ${reason}`);
  printResult(
    terminal,
    { rows: rows.length, given: done, givenBefore: before, refused },
    `Given: ${done}, given before: ${before}, refused: ${refused.length}`,
  );
  return refused.length > 0 ? exitCodes.partly : exitCodes.done;
}

async function sendCall(
  { client, signal }: Terminal,
  journal: ScoreJournal,
  call: PlannedCall,
  items: readonly ScoreEntry[],
): Promise<Answer<BulkScores>> {
  journal.record(call);
  try {
    const body = { items: call.indexes.map((place) => items[place] as ScoreEntry) };
    const answer = await client.call('writeScores', { body }, { idempotencyKey: call.key, signal });
    const done = answer.data.details.map(({ success }) => success);
    journal.record(call, done);
    return answer;
  } catch (error) {
    // Records a refusal only if it came at the first attempt: otherwise an earlier attempt may have succeeded.
    const isRefusal = error instanceof ApiError && [400, 413].includes(error.status);
    if (isRefusal && error.attempts === 1 && !call.isUnanswered) journal.record(call, []);
    throw error;
  }
}

function toEntry({ line, cells }: Row<Column>, { points, reason, file }: ScoresImport): ScoreEntry {
  const { userId, scoreChange, description = reason, ...named } = cells;
  const change =
    scoreChange === undefined ? points : wholeNumber(scoreChange, `Row ${line} of ${file}, points`);
  if (change === undefined)
    throw new UsageError(`Row ${line} of ${file} has no points, and there is no --points`);
  const entry = {
    ...named,
    ...(userId && { userId: wholeNumber(userId, `Row ${line} of ${file}, userId`) }),
    scoreChange: change,
    ...(description !== undefined && { description }),
  };
  if (!hasStudentName(entry)) throw new UsageError(`Row ${line} of ${file} names no student`);
  return entry;
}

const hasStudentName = (entry: object): entry is ScoreEntry =>
  ['userId', 'username', 'externalId', 'cardNumber'].some((name) => Object.hasOwn(entry, name));

export function wholeNumber(text: string, what: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new UsageError(`${what}: ${text} is no whole number`);
  return Number(text);
}
