import type pg from 'pg';
import { openDatabase } from '../../../server/src/commands/open-database.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { interrupted, type Settings } from '../processes/product.ts';
import type { Dataset } from '../workloads.ts';
import { type DataSize, seedSchool } from './records.ts';
import { findSchool } from './school.ts';

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
  size: DataSize,
  settings: Settings = {},
): Promise<PreparedData> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder, ...settings }));
  try {
    const { records = 0 } = size;
    const { pool } = database.connection;
    let school = await findSchool(pool);
    let seedSeconds: number | null = null;
    if (!school) {
      const startedAt = performance.now();
      const target = { db: database.connection.db, target: database.target };
      school = await seedSchool(target, size, new Date(), (done) => {
        interrupted.throwIfAborted();
        console.error(`  ${done.toLocaleString('en')} records`);
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
