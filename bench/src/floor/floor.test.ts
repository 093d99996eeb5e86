import { afterAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../server/src/features/scores/verify-ledger.ts';
import { startTestApp } from '../../../server/test/test-app.ts';
import { type Endpoint, runJob, sendRequest } from '../load/run-job.ts';
import { Child } from '../processes/child.ts';
import { assertSameAnswers } from '../same-answers.ts';
import { seedSchool } from '../seed/records.ts';
import { findSchool, schoolSize } from '../seed/school.ts';
import { workloadNames } from '../workloads.ts';

const records = 20_000;
const test = await startTestApp();
test.clock.set(new Date().toISOString());
const generatedAt = test.clock.now().toISOString();
const { db, pool } = test.database;
const schemaBefore = await schemaOfRecords();
const data = await seedSchool({ db, target: test.databaseTarget }, records, test.clock.now());

async function schemaOfRecords(): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = 'score_record'::regclass
     UNION ALL
     SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
     WHERE indrelid = 'score_record'::regclass ORDER BY 1, 2`,
  );
  return rows;
}

describe('Generated data', () => {
  it('has the planned number of classes and students', async () => {
    expect(data.studentIds).toHaveLength(schoolSize.students);
    expect(data.classIds).toHaveLength(schoolSize.grades * schoolSize.classesPerGrade);
    expect(await findSchool(pool)).toEqual(data);
  });

  it('generated totals equal the sums of the generated point records', async () => {
    const found = await verifyLedger(db);
    expect(found).toMatchObject({ students: schoolSize.students, records, differences: [] });
  });

  it('generating data leaves the database schema unchanged', async () => {
    expect(await schemaOfRecords()).toEqual(schemaBefore);
  });

  it('generated records cover the past 18 weeks up to now, oldest first', async () => {
    const { rows } = await pool.query<{ first: string; last: string; ordered: boolean }>(
      `SELECT min(created_at) AS first, max(created_at) AS last, bool_and(ordered) AS ordered FROM (
         SELECT created_at, created_at >= lag(created_at, 1, created_at) OVER (ORDER BY id) AS ordered
         FROM score_record) r`,
    );
    expect(rows[0]).toMatchObject({ last: generatedAt, ordered: true });
    expect(Date.parse(rows[0]?.first as string)).toBeLessThan(Date.parse(generatedAt) - 125 * 86_400_000);
  });
});

describe('Benchmark floor, the minimal server of comparison', async () => {
  const { token } = await (await test.signIn()).issue(`school_${data.schoolId}`);
  const port = Number(new URL(await test.listen()).port);
  const floorConfig = JSON.stringify({ target: test.databaseTarget, schoolId: data.schoolId });
  const { child, first } = await Child.start<{ port: number }>('floor/main.ts', floorConfig);
  afterAll(() => child.stop());
  const server: Endpoint = { port, prefix: '/api/v1', tokens: [token] };
  const floor: Endpoint = { port: first.port, prefix: '', tokens: [] };

  it('the floor answers every read exactly like Classledger', async () => {
    // Both sides must answer for the same day, so the comparison repeats when midnight passes.
    const today = () => new Date().toISOString().slice(0, 10);
    for (let day = ''; day !== today(); ) {
      day = today();
      test.clock.set(new Date().toISOString());
      const failure = await assertSameAnswers(server, floor, data).catch((error: unknown) => error);
      if (failure && day === today()) throw failure;
    }
  });

  it.each(workloadNames)(
    'the floor and Classledger answer workload %s without an error',
    async (workload) => {
      for (const endpoint of [server, floor]) {
        const job = { endpoint, workloads: [workload], data, connections: 4 };
        let shown = await runJob({ ...job, seconds: 0.1 });
        // A busy machine may answer nothing in a short round, so the round doubles.
        for (let seconds = 1; shown.failures === 0 && shown.answered === 0; seconds *= 2)
          shown = await runJob({ ...job, seconds });
        expect(shown).toMatchObject({ failures: 0, firstFailure: null });
        expect(shown.p99Ms).toBeGreaterThanOrEqual(shown.p50Ms);
      }
    },
  );

  it('the floor writes every record of a student who occurs several times in one batch', async () => {
    const [userId] = data.studentIds as [number];
    const items = [5, -2, 0].map((scoreChange) => ({ userId, scoreChange }));
    const body = JSON.stringify({ items, description: 'Three at once' });
    const written = await sendRequest(floor, { method: 'POST', path: '/scores', body });
    expect(written).toMatchObject({ logIds: { length: 3 } });
  });

  it('after writes by the floor, every stored total equals the sum of its records', async () => {
    expect((await verifyLedger(db)).differences).toEqual([]);
  });
});
