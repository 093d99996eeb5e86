import { expect, it } from 'vitest';
import { startTestApp } from '../../test/test-app.ts';
import { connectDatabase, query } from './connect.ts';
import { Turnaround } from './turnaround.ts';

const test = await startTestApp();

it('a connection outlives the time limit of statements that were answered together', async () => {
  const connection = connectDatabase({ ...test.databaseTarget, query_timeout: 800 });
  const client = await connection.acquire();
  for (const [text, answer] of [
    ['SELECT 1 AS one', 'resolves'],
    ['SELECT 1 / 0', 'rejects'],
  ] as const) {
    const turnaround = new Turnaround(client);
    const answered = turnaround.run(text, []);
    turnaround.send();
    await expect(answered)[answer].toBeDefined();
  }
  // Each takes less than the limit, both together more.
  for (let i = 0; i < 2; i++) await query(client, 'SELECT pg_sleep(0.45)');
  client.release();
  await connection.end();
});
