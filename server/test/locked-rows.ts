import type pg from 'pg';
import { inject } from 'vitest';
import { sharedLockWaitMs } from '../src/features/scores/ledger/locks.ts';
import { eventually } from './eventually.ts';
import { atEndOfFile, type TestApp } from './test-app.ts';
import { openClient } from './with-client.ts';

type DatabaseOfApp = Pick<TestApp, 'databaseTarget'>;

/** Counts sessions that have waited at least this long for a lock; null counts all sessions that wait. */
const countWaitingSessions = (seconds: number | null) => `(SELECT count(*)::int FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${
    seconds === null
      ? 'true'
      : `pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND waitstart <= clock_timestamp() - interval '${seconds} s')`
  })`;

const countWaitingSessionsOnNodes = (seconds: number | null) => `SELECT sum(result::int)::int AS n
  FROM run_command_on_all_nodes($$SELECT ${countWaitingSessions(seconds)}$$) WHERE success`;

/** Locks rows in a transaction of its own, so that requests stop at a known place. */
export class LockedRows {
  readonly client: pg.Client;
  #isReleased = false;

  private constructor(client: pg.Client) {
    this.client = client;
    // A failed test must not keep the application from closing.
    atEndOfFile(() => this.release().catch(() => {}));
  }

  /** Locks the rows that a statement selects. */
  static async selectedBy(
    test: DatabaseOfApp,
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<LockedRows> {
    const client = await openClient(test.databaseTarget);
    await client.query('BEGIN');
    await client.query(statement, [...values]);
    return new LockedRows(client);
  }

  static ofStudent(test: DatabaseOfApp, id: number): Promise<LockedRows> {
    return LockedRows.inTable(test, 'student', id);
  }

  static ofClass(test: DatabaseOfApp, id: number): Promise<LockedRows> {
    return LockedRows.inTable(test, 'class', id);
  }

  /** Locks the rows of a school table with this value. */
  static async inTable(test: DatabaseOfApp, table: string, id: number, column = 'id'): Promise<LockedRows> {
    const held = await LockedRows.selectedBy(test, 'SELECT 1');
    const { rows } = await held.client.query(`SELECT school_id FROM ${table} WHERE ${column} = $1 LIMIT 1`, [
      id,
    ]);
    // On Citus, only a statement that names its school locks rows.
    await held.client.query(`SELECT 1 FROM ${table} WHERE school_id = $1 AND ${column} = $2 FOR UPDATE`, [
      rows[0]?.school_id,
      id,
    ]);
    return held;
  }

  waitUntilWaiting(count: number): Promise<void> {
    return this.#waitForSessions(null, count);
  }

  /** Resolves when this many sessions have waited longer than a shared transaction of points waits for locks. */
  waitUntilBlocked(count: number): Promise<void> {
    return this.#waitForSessions((2 * sharedLockWaitMs) / 1_000, count);
  }

  /** Starts each request once the earlier requests wait for the rows, then releases the rows. */
  async startInOrder<T extends readonly (() => Promise<unknown>)[]>(
    ...requests: T
  ): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }> {
    const started: Promise<unknown>[] = [];
    for (const request of requests) {
      started.push(request());
      await this.waitUntilWaiting(started.length);
    }
    await this.release();
    return (await Promise.all(started)) as { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };
  }

  async #waitForSessions(seconds: number | null, count: number): Promise<void> {
    await eventually(`${count} sessions wait for a lock`, async () => {
      // Drops the snapshot, because otherwise the list of sessions stays the same within a transaction.
      await this.client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await this.client.query(
        inject('citus')
          ? countWaitingSessionsOnNodes(seconds)
          : `SELECT ${countWaitingSessions(seconds)} AS n`,
      );
      return rows[0].n >= count;
    });
  }

  /** Runs a statement in the transaction that holds the rows, commits it and releases the rows. */
  async commit(statement: string, values: readonly unknown[] = []): Promise<void> {
    await this.client.query(statement, [...values]);
    await this.client.query('COMMIT');
    await this.release();
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.client.query('ROLLBACK');
    await this.client.end();
  }
}
