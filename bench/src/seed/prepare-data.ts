import type pg from 'pg';
import { openDatabase } from '../../../server/src/commands/open-database.ts';
import { readConfig } from '../../../server/src/config.ts';
import type { Settings } from '../processes/product.ts';
import type { Dataset } from '../workloads.ts';
import { createRecords } from './records.ts';
import { createSchool, findSchool } from './school.ts';

export interface PreparedData {
  readonly school: Dataset;
  /** Live records when the run begins; more than asked for where a kept folder has been written to. */
  readonly records: number;
  /** Null when the data was there already. */
  readonly seedSeconds: number | null;
  /** How the database is reached while the server runs. */
  readonly target: pg.PoolConfig;
}

/**
 * Makes sure that a data folder holds the school with at least so many records, in the server's own embedded
 * PostgreSQL, and leaves it stopped; or that the database does which the settings name.
 *
 * @throws Error when there are fewer records, or another school
 */
export async function prepareData(
  folder: string,
  records: number,
  report: (line: string) => void,
  settings: Settings = {},
): Promise<PreparedData> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder, ...settings }));
  try {
    const { pool } = database.connection;
    let school = await findSchool(pool);
    let seedSeconds: number | null = null;
    if (!school) {
      const startedAt = performance.now();
      school = await inOneTransaction(pool, async (client) => {
        const now = new Date();
        const created = await createSchool(client, now);
        await createRecords(client, created, records, now, (done) =>
          report(`${done.toLocaleString('en')} records`),
        );
        return created;
      });
      seedSeconds = (performance.now() - startedAt) / 1000;
    }
    const counted = await pool.query(
      'SELECT sum(record_count)::bigint AS records FROM class WHERE school_id = $1',
      [school.schoolId],
    );
    const found = Number(counted.rows[0].records);
    if (found < records) {
      const place = settings.DATABASE_URL === undefined ? folder : 'The database of DATABASE_URL';
      throw new Error(`${place} holds ${found} records, fewer than ${records}: name another one`);
    }
    await pool.query('VACUUM (ANALYZE)');
    await pool.query('CHECKPOINT');
    return { school, records: found, seedSeconds, target: database.target };
  } finally {
    await database.close();
  }
}

async function inOneTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The connection goes, and the transaction with it.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
