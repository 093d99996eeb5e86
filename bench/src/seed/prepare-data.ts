import type pg from 'pg';
import { openDatabase } from '../../../server/src/commands/open-database.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import type { Settings } from '../processes/product.ts';
import type { Dataset } from '../workloads.ts';
import { createRecords } from './records.ts';
import { createSchool, findSchool } from './school.ts';

export interface PreparedData {
  readonly school: Dataset;
  /** Live records at the start. A folder of an earlier run can hold more than the caller requested. */
  readonly records: number;
  readonly seedSeconds: number | null;
  readonly target: pg.PoolConfig;
}

/** Creates the school unless it exists. @throws Error if an existing school has too few records */
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
    // Releasing with an error closes the connection, so the transaction is rolled back.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
