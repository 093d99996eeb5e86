import type { Student } from '@classledger/contract';
import type pg from 'pg';
import { type DatabaseConnection, query } from '../../../database/connect.ts';
import { isRetryable, type Run, runOnClient, together } from '../../../database/transaction.ts';
import { claimKeys, storeAnswers } from '../../../idempotency/idempotency-keys.ts';
import { lockStudents } from './locks.ts';
import { type Found, needsOf, planWrites, type ScoreWrite, type SettledWrite, settle } from './plan.ts';
import { writeRecords } from './totals.ts';

const attemptsMax = 5;

/** A transaction failed and PostgreSQL has undone it: it may be done again. Its `cause` says why. */
export class UndoneError extends Error {}

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
      return await writeOnce(client, schoolId, writes, lockWaitMs);
    } catch (error) {
      if (!(error instanceof UndoneError)) broken = error as Error;
      else if (attempt < attemptsMax && isRetryable(error.cause)) continue;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

async function writeOnce<W extends ScoreWrite>(
  client: pg.PoolClient,
  schoolId: number,
  writes: readonly W[],
  lockWaitMs: number,
): Promise<SettledWrite<W>[]> {
  const run = runOnClient(client);
  try {
    const plan = planWrites(writes, await begin(client, run, schoolId, writes, lockWaitMs));
    const settled = settle(plan, await writeRecords(run, schoolId, plan));
    await commit(client, run, schoolId, settled);
    return settled;
  } catch (error) {
    // If even this fails the connection is gone, and with it the answer to whether COMMIT arrived.
    await query(client, 'ROLLBACK');
    throw new UndoneError('The transaction was undone', { cause: error });
  }
}

/** Begins the transaction, and claims, locks and reads what the writes need. */
async function begin(
  client: pg.PoolClient,
  run: Run,
  schoolId: number,
  writes: readonly ScoreWrite[],
  lockWaitMs: number,
): Promise<Found> {
  const needs = needsOf(writes);
  const { keys, told } = needs;
  // None of these waits for another's result: they are sent together.
  const [, claimed, students, before] = await together([
    query(client, `BEGIN; SET LOCAL lock_timeout = ${Math.round(lockWaitMs)}`),
    keys.length > 0 ? claimKeys(run, schoolId, keys) : [],
    lockStudents(run, schoolId, needs),
    told.length > 0 ? readStudents(run, schoolId, told) : [],
  ] as const);
  const earlier = new Map(keys.flatMap((key, i) => (claimed[i] ? [[key, claimed[i]]] : [])));
  return { students, told: before, earlier };
}

/** Stores the answers of new keys, and commits. */
async function commit(
  client: pg.PoolClient,
  run: Run,
  schoolId: number,
  settled: readonly SettledWrite<ScoreWrite>[],
): Promise<void> {
  const answers = settled.flatMap(({ write: { key, at }, result }) =>
    key && result.kind === 'done' ? [{ claim: key, data: result.answer, at }] : [],
  );
  const [first] = answers;
  const [, end] = await together([
    first ? storeAnswers(run, schoolId, answers, first.at) : undefined,
    query(client, 'COMMIT'),
  ] as const);
  if (end.command !== 'COMMIT') throw new Error('The transaction was undone');
}

/** Reads locked students as they are before the write. A grade may be renamed meanwhile; nothing else can move. */
const readStudentsSql = `
  SELECT s.id, s.username, s.actual_name AS "actualName", c.id AS "classId", c.name AS "className",
    g.id AS "gradeId", g.name AS "gradeName", s.disabled, s.total_score AS "totalScore",
    s.add_score AS "addScore", s.deduct_score AS "deductScore", s.score_count AS "scoreCount",
    s.created_at AS "createdAt"
  FROM student s
  JOIN class c ON c.school_id = s.school_id AND c.id = s.class_id
  JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
  WHERE s.school_id = $1 AND s.id = ANY($2::bigint[])`;

const readStudents = (run: Run, schoolId: number, ids: readonly number[]) =>
  run<Student>(readStudentsSql, [schoolId, ids]);
