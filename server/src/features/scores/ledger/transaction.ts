import type { Student } from '@classledger/contract';
import type pg from 'pg';
import { type DatabaseConnection, query } from '../../../database/connect.ts';
import { isKnownUndone, isRetryable, type Run, together } from '../../../database/transaction.ts';
import { DatabaseLostError } from '../../../database/trouble.ts';
import { inOnePiece, Turnaround } from '../../../database/turnaround.ts';
import { claimKeys, keepAnswer, storeAnswers } from '../../../idempotency/idempotency-keys.ts';
import { lockStudents } from './locks.ts';
import { type Found, needsOf, planWrites, type ScoreWrite, type SettledWrite, settle } from './plan.ts';
import { type Drawn, drawRecordIds, writeRecords } from './totals.ts';

/*
 * A transaction of the ledger takes two turnarounds. The first begins it, and claims, locks, reads and draws what the
 * writes may need; after it everything is known, answers included. The second writes and commits. What follows on the
 * same connection may be sent right behind it, without waiting for its end.
 */

const attemptsMax = 5;

/**
 * A transaction failed and PostgreSQL undoes it: it may be done again. Its `cause` says why; after a DatabaseLostError the
 * connection must not be used again.
 */
export class UndoneError extends Error {
  constructor(cause: unknown) {
    super('The transaction was undone', { cause });
  }
}

/** A transaction whose first turnaround is under way. */
export interface Begun<W extends ScoreWrite> {
  readonly client: pg.ClientBase;
  readonly schoolId: number;
  readonly writes: readonly W[];
  readonly found: Promise<readonly [Found, Drawn]>;
}

/** Begins a transaction for writes to one school, as the last on the connection. `finish` must follow. */
export function begin<W extends ScoreWrite>(
  client: pg.ClientBase,
  schoolId: number,
  writes: readonly W[],
  lockWaitMs: number,
): Begun<W> {
  const found = ask(client, schoolId, writes, lockWaitMs);
  // Whoever finishes it hears of it, perhaps later.
  found.catch(() => {});
  return { client, schoolId, writes, found };
}

/**
 * Writes and commits.
 *
 * @param behind called once the COMMIT is sent; what it sends on the connection leaves with it. Not called where nothing was
 * written
 * @returns how each write ended, in their order
 * @throws UndoneError when nothing was written; any other error leaves it open whether the writes were done
 */
export async function finish<W extends ScoreWrite>(
  { client, schoolId, writes, found }: Begun<W>,
  behind = () => {},
): Promise<SettledWrite<W>[]> {
  let end: Promise<void>;
  let settled: SettledWrite<W>[];
  try {
    const [known, drawn] = await found;
    const plan = planWrites(writes, known);
    settled = settle(plan, drawn.ids);
    // Whatever may throw has done so before anything is sent: the COMMIT does not wait to hear of it.
    const answers = settled.flatMap(({ write: { key, at }, result }) =>
      key && result.kind === 'done' ? [keepAnswer(key, result.answer, at)] : [],
    );
    end = inOnePiece(client, () => {
      const second = new Turnaround(client);
      const { run } = second;
      const statements = [writeRecords(run, schoolId, plan, drawn), storeAnswers(run, schoolId, answers)];
      second.send();
      const committed = commit(client, statements);
      behind();
      return committed;
    });
  } catch (error) {
    // No COMMIT was sent for it, so it is undone even if the connection is gone.
    const lost = await query(client, 'ROLLBACK').then(
      () => null,
      () => new DatabaseLostError(error),
    );
    throw new UndoneError(lost ?? error);
  }
  await end;
  return settled;
}

/**
 * Does writes to one school in one transaction and commits it, again where it met a deadlock.
 *
 * @returns how each write ended, in their order
 * @throws UndoneError when nothing was written; any other error leaves it open whether the writes were done
 */
export async function writeTogether<W extends ScoreWrite>(
  database: Pick<DatabaseConnection, 'acquire'>,
  schoolId: number,
  writes: readonly W[],
  lockWaitMs: number,
): Promise<SettledWrite<W>[]> {
  for (let attempt = 1; ; attempt++) {
    const client = await database.acquire();
    let broken: Error | undefined;
    try {
      return await finish(begin(client, schoolId, writes, lockWaitMs));
    } catch (error) {
      broken = brokenBy(error);
      if (error instanceof UndoneError && attempt < attemptsMax && isRetryable(error.cause)) continue;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** What a connection is not to be used any more for after a transaction on it failed. */
export function brokenBy(error: unknown): Error | undefined {
  if (!(error instanceof UndoneError)) return error as Error;
  return error.cause instanceof DatabaseLostError ? error.cause : undefined;
}

/** Begins the transaction, and claims, locks, reads and draws what the writes need. */
async function ask(
  client: pg.ClientBase,
  schoolId: number,
  writes: readonly ScoreWrite[],
  lockWaitMs: number,
): Promise<readonly [Found, Drawn]> {
  const first = new Turnaround(client);
  const { run } = first;
  const needs = needsOf(writes);
  const { keys, told } = needs;
  const instants = [...new Set(writes.map(({ at }) => at.toISOString()))];
  const recordsMax = writes.reduce((count, { entries }) => count + entries.length, 0);
  const begun = run('BEGIN', []);
  // By itself: Citus sends the text that sets something on to its nodes.
  const limited = run(`SET LOCAL lock_timeout = ${Math.round(lockWaitMs)}`, []);
  const claims = keys.length > 0 ? claimKeys(run, schoolId, keys) : [];
  const answers = together([
    begun,
    limited,
    lockStudents(run, schoolId, needs),
    told.length > 0 ? readStudents(run, schoolId, told) : [],
    // Under the locks, so that what is written later about a student has the higher id.
    drawRecordIds(run, schoolId, recordsMax, instants),
    // Sent before the locks, and named after them: what is asked about a replay comes behind them, and fails because they did.
    claims,
  ] as const);
  first.send();
  const [, , locked, before, drawn, claimed] = await answers;
  const earlier = new Map(keys.flatMap((key, i) => (claimed[i] ? [[key, claimed[i]]] : [])));
  return [{ ...locked, days: drawn.days, told: before, earlier }, drawn];
}

/**
 * Commits behind what was sent. Where a statement failed, COMMIT undoes the transaction and says so.
 *
 * @throws UndoneError when nothing was written; any other error leaves it open
 */
async function commit(client: pg.ClientBase, statements: readonly Promise<unknown>[]): Promise<void> {
  const [end, ...rest] = await Promise.allSettled([query(client, 'COMMIT'), ...statements]);
  const failed = rest.find((each) => each.status === 'rejected');
  if (end.status === 'rejected') {
    // A session that is ended says so instead of the end of its transaction, and may have committed it.
    throw isKnownUndone(end.reason) ? new UndoneError(failed?.reason ?? end.reason) : end.reason;
  }
  if (end.value.command !== 'COMMIT') throw new UndoneError(failed?.reason);
  if (failed) throw failed.reason;
}

/** Reads locked students as they are before the write. A grade may be renamed meanwhile; nothing else can move. */
const readStudentsSql = `
  SELECT s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
    g.id AS "gradeId", g.name AS "gradeName", s.disabled, s.total_score AS "totalScore",
    s.add_score AS "addScore", s.deduct_score AS "deductScore", s.score_count AS "scoreCount",
    s.external_id AS "externalId", s.card_number AS "cardNumber", s.created_at AS "createdAt",
    coalesce(s.updated_at, s.created_at) AS "updatedAt"
  FROM student s
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE s.school_id = $1 AND s.id = ANY($2::bigint[])`;

const readStudents = (run: Run, schoolId: number, ids: readonly number[]) =>
  run<Student>(readStudentsSql, [schoolId, ids]);
