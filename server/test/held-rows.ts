import pg from 'pg';
import { eventually } from './eventually.ts';
import type { TestApp } from './test-app.ts';

/** Whose database it is; an application under test, or where a process of its own has it. */
type Reached = Pick<TestApp, 'databaseTarget'>;

/**
 * A database session of its own that holds rows inside a transaction, so that requests which need them stand
 * still at a known place until it lets go.
 */
export class HeldRows {
  readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** Locks what a statement selects. */
  static async by(test: Reached, statement: string, values: readonly unknown[] = []): Promise<HeldRows> {
    const client = new pg.Client(test.databaseTarget as pg.ClientConfig);
    // Dropping the database ends a session that a failed test has left open.
    client.on('error', () => {});
    await client.connect();
    await client.query('BEGIN');
    await client.query(statement, [...values]);
    return new HeldRows(client);
  }

  static student(test: Reached, id: number): Promise<HeldRows> {
    return HeldRows.by(test, 'SELECT 1 FROM student WHERE id = $1 FOR UPDATE', [id]);
  }

  static class(test: Reached, id: number): Promise<HeldRows> {
    return HeldRows.by(test, 'SELECT 1 FROM class WHERE id = $1 FOR UPDATE', [id]);
  }

  /** Resolves once so many sessions of this database wait for a lock. */
  async waiting(count: number): Promise<void> {
    await eventually(`${count} sessions wait for a lock`, async () => {
      // Inside a transaction the list of sessions stays as it was first seen.
      await this.client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await this.client.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].n >= count;
    });
  }

  async release(): Promise<void> {
    await this.client.query('ROLLBACK');
    await this.client.end();
  }
}
