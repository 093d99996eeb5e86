import { afterAll, expect, it } from 'vitest';
import { type CutAt, DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import type { ExternalAnswer } from './identities.ts';
import { openSchool, startTestApp } from './test-app.ts';
import { withClient } from './with-client.ts';

interface Given {
  readonly name: string;
  readonly userId: number;
  answer: ExternalAnswer | null;
}

const workers = 8;
const { test, school, office } = await openSchool();
const proxy = await DatabaseProxy.start(test.databaseTarget);
const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
const remote = behind.with(office);
const students = school.grades[0].classes[0].students.map(({ id }) => id);
const given: Given[] = [];

afterAll(() => behind.stop());

/** Sends a gift and returns whether its result is final; otherwise it may be repeated. */
async function send(one: Given): Promise<boolean> {
  const body = { userId: one.userId, scoreChange: 1, description: one.name };
  const answer = await remote.post('/scores', body, { 'idempotency-key': one.name });
  if ([409, 503].includes(answer.status)) return false;
  one.answer = answer;
  return true;
}

async function work(until: () => boolean): Promise<void> {
  while (!until()) {
    const userId = students[given.length % students.length] as number;
    const one = { name: `n${given.length}`, userId, answer: null };
    given.push(one);
    await send(one);
  }
}

const endSessions = () =>
  withClient(test.databaseTarget, (client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'classledger' AND pid <> pg_backend_pid()`),
  );

async function recordIds(): Promise<Map<string, number[]>> {
  const { rows } = await test.database.pool.query<{ name: string; ids: string[] }>(
    'SELECT description AS name, array_agg(id) AS ids FROM score_record GROUP BY 1',
  );
  return new Map(rows.map(({ name, ids }) => [name, ids.map(Number)]));
}

it.each(['before the commit', 'after the commit'] satisfies CutAt[])(
  'a batch that was sent before the previous COMMIT was answered is done once if the sessions end %s',
  async (at) => {
    const first = given.length;
    let over = false;
    const silenced = proxy.silenceOverlap(at);
    const working = Promise.all(Array.from({ length: workers }, () => work(() => over)));
    await silenced;
    over = true;
    await endSessions();
    await working;
    const open = given.slice(first).filter(({ answer }) => answer === null);
    expect(open.length).toBeGreaterThan(0);
    for (const one of open) await eventually('the key is free', () => send(one));

    const found = await recordIds();
    expect(found.size).toBe(given.length);
    for (const { answer, name } of given) {
      const { details } = (answer as ExternalAnswer).data as { details: { logId: number }[] };
      expect([name, found.get(name)]).toEqual([name, details.map(({ logId }) => logId)]);
    }
    const replays = open.filter(({ answer }) => answer?.headers['idempotency-replayed'] === 'true');
    expect(replays.length > 0).toBe(at === 'after the commit');
    await test.expectProven();
  },
);
