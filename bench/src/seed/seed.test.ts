import { beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../server/src/features/scores/verify-ledger.ts';
import { startTestApp, type TestApp } from '../../../server/test/test-app.ts';
import type { Dataset } from '../workloads.ts';
import { createRecords } from './records.ts';
import { createSchool, findSchool, schoolSize } from './school.ts';

const records = 20_000;

describe('Generated data', () => {
  let test: TestApp;
  let school: Dataset;
  let partsBefore: unknown[];

  const parts = async () => {
    const { rows } = await test.database.pool.query(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE conrelid = 'score_record'::regclass
       UNION ALL
       SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
       WHERE indrelid = 'score_record'::regclass ORDER BY 1, 2`,
    );
    return rows;
  };

  beforeAll(async () => {
    test = await startTestApp();
    partsBefore = await parts();
    const client = await test.database.pool.connect();
    await client.query('BEGIN');
    school = await createSchool(client, test.clock.now());
    await createRecords(client, school, records, test.clock.now(), () => {});
    await client.query('COMMIT');
    client.release();
  });

  it('has the planned number of classes and students', async () => {
    expect(school.studentIds).toHaveLength(schoolSize.students);
    expect(school.classIds).toHaveLength(schoolSize.grades * schoolSize.classesPerGrade);
    expect(await findSchool(test.database.pool)).toEqual(school);
  });

  it('generated totals equal the sums of the generated point records', async () => {
    const verification = await verifyLedger(test.database.db);
    expect(verification).toMatchObject({ students: schoolSize.students, records, differences: [] });
  });

  it('generating data leaves the database schema unchanged', async () => {
    expect(await parts()).toEqual(partsBefore);
  });

  it('generated records cover the past 18 weeks up to now, oldest first', async () => {
    const { rows } = await test.database.pool.query<{ first: string; last: string; ordered: boolean }>(
      `SELECT min(created_at) AS first, max(created_at) AS last, bool_and(ordered) AS ordered FROM (
         SELECT created_at, created_at >= lag(created_at, 1, created_at) OVER (ORDER BY id) AS ordered
         FROM score_record) r`,
    );
    const now = test.clock.now().getTime();
    expect(rows[0]).toMatchObject({ last: new Date(now).toISOString(), ordered: true });
    expect(Date.parse(rows[0]?.first as string)).toBeLessThan(now - 125 * 86_400_000);
  });
});
