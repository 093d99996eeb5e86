import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../server/src/features/scores/verify-ledger.ts';
import { startTestApp, type TestApp } from '../../../server/test/test-app.ts';
import type { Endpoint } from '../load/job.ts';
import { runJob } from '../load/run-job.ts';
import { Child } from '../processes/child.ts';
import { assertSameAnswers } from '../same-answers.ts';
import { createRecords } from '../seed/records.ts';
import { createSchool } from '../seed/school.ts';
import { type Dataset, workloadNames } from '../workloads.ts';
import { Operations, openPool } from './operations.ts';

const floorModule = fileURLToPath(new URL('main.ts', import.meta.url));

describe('Benchmark floor, the minimal server of comparison', () => {
  const interruption = new AbortController();
  let test: TestApp;
  let data: Dataset;
  let server: Endpoint;
  let floor: Endpoint;

  beforeAll(async () => {
    test = await startTestApp();
    test.clock.set(new Date().toISOString());
    const client = await test.database.pool.connect();
    await client.query('BEGIN');
    data = await createSchool(client, test.clock.now());
    await createRecords(client, data, 20_000, test.clock.now(), () => {});
    await client.query('COMMIT');
    client.release();
    const { token } = await (await test.signIn()).issue(`school_${data.schoolId}`);
    const port = Number(new URL(await test.listen()).port);
    const { child, first } = await Child.start<{ port: number }>(
      floorModule,
      [JSON.stringify({ target: test.databaseTarget, schoolId: data.schoolId })],
      { signal: interruption.signal },
    );
    afterAll(() => child.stop());
    server = { port, prefix: '/api/v1', token };
    floor = { port: first.port, prefix: '', token: null };
  });

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
        const job = { endpoint, workload, data, connections: 4 };
        let shown = await runJob({ ...job, seconds: 0.4 });
        // A busy machine may answer nothing in a short round, so the round doubles.
        for (let seconds = 1; shown.failures === 0 && shown.answered === 0; seconds *= 2)
          shown = await runJob({ ...job, seconds });
        expect(shown).toMatchObject({ failures: 0, firstFailure: null });
        expect(shown.p99Ms).toBeGreaterThanOrEqual(shown.p50Ms);
      }
    },
  );

  it('the floor writes every record of a student who occurs several times in one batch', async () => {
    const pool = openPool(test.databaseTarget);
    const operations = new Operations(pool, data.schoolId);
    const [userId] = data.studentIds as [number];
    const items = [5, -2, 0].map((scoreChange) => ({ userId, scoreChange }));
    expect((await operations.writeScores(items, 'Three at once')).logIds).toHaveLength(3);
    await pool.end();
  });

  it('after writes by the floor, every stored total equals the sum of its records', async () => {
    expect((await verifyLedger(test.database.db)).differences).toEqual([]);
  });
});
