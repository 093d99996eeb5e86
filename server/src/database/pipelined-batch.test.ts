import { expect, it, vi } from 'vitest';
import { startTestApp } from '../../test/test-app.ts';
import { connectDatabase, query } from './connect.ts';
import { PipelinedBatch } from './pipelined-batch.ts';

const test = await startTestApp();
const limitMs = 3_600_000;

it('a connection stays usable when the time limit of already answered statements passes', async () => {
  const connection = connectDatabase({ ...test.databaseTarget, query_timeout: limitMs });
  const client = await connection.acquire();
  // With fake timers, the test decides when the time limit passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  try {
    for (const [text, answer] of [
      ['SELECT 1 AS one', 'resolves'],
      ['SELECT 1 / 0', 'rejects'],
    ] as const) {
      const batch = new PipelinedBatch(client);
      const answered = batch.run(text, []);
      batch.send();
      await expect(answered)[answer].toBeDefined();
    }
    vi.advanceTimersByTime(limitMs);
  } finally {
    vi.useRealTimers();
  }
  expect((await query(client, 'SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
  client.release();
  await connection.end();
});
