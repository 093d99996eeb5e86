import type pg from 'pg';
import { openDatabase } from '../../../server/src/commands/open-database.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { withClient } from '../../../server/test/with-client.ts';
import { interrupted, type Settings } from '../processes/product.ts';
import type { Dataset } from '../workloads.ts';
import { createRecords } from './records.ts';
import { createSchool, findSchool } from './school.ts';

export interface DataSize {
  readonly records?: number;
  readonly students?: number;
}

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
  { records = 0, students }: DataSize,
  settings: Settings = {},
): Promise<PreparedData> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder, ...settings }));
  try {
    const { pool } = database.connection;
    let school = await findSchool(pool);
    let seedSeconds: number | null = null;
    if (!school) {
      const startedAt = performance.now();
      // An error ends the connection, and with it the transaction.
      school = await withClient(database.target, async (client) => {
        const now = new Date();
        await client.query('BEGIN');
        const created = await createSchool(client, now, students);
        await createRecords(client, created, records, now, (done) => {
          interrupted.throwIfAborted();
          console.error(`  ${done.toLocaleString('en')} records`);
        });
        await client.query('COMMIT');
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
