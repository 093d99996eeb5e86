import type pg from 'pg';
import { openDatabase } from '../../../server/src/commands/open-database.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { interrupted, type Settings } from '../processes/product.ts';
import type { Dataset } from '../workloads.ts';
import { seedSchool } from './records.ts';
import { findSchool } from './school.ts';

export interface PreparedData {
  readonly school: Dataset;
  readonly target: pg.PoolConfig;
}

/** Creates the school unless it exists, and prints its size. @throws Error if an existing school has too few records */
export async function prepareData(
  folder: string,
  records: number,
  settings: Settings,
): Promise<PreparedData> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder, ...settings }));
  try {
    const { target } = database;
    const { db, pool } = database.connection;
    const existing = await findSchool(pool);
    const showProgress = (done: number) => {
      interrupted.throwIfAborted();
      console.error(`  ${done.toLocaleString('en')} records`);
    };
    const school = existing ?? (await seedSchool({ db, target }, records, new Date(), showProgress));
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
    console.log(
      `${school.studentIds.length} students in ${school.classIds.length} classes, ` +
        `${found.toLocaleString('en')} records (${existing ? 'kept' : 'generated'})\n`,
    );
    return { school, target };
  } finally {
    await database.close();
  }
}
