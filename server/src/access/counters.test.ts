import { hash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../test/test-app.ts';
import { DatabaseLostError } from '../database/transient-errors.ts';
import { type Counter, Counters } from './counters.ts';

const { database } = await openDatabase();

const windowMs = 900_000;
/** A busy machine may hold a counter for longer than the server would wait. */
const lockWaitMs = 60_000;
let now = Date.parse('2026-09-15T10:00:00.000Z');

const keyedHash = (_purpose: string, text: string) => hash('sha256', text, 'buffer');

const createProcess = (more: Partial<ConstructorParameters<typeof Counters>[0]> = {}) =>
  new Counters({
    ...{ database, sealing: { keyedHash }, lockWaitMs, databaseClock: () => new Date(now) },
    report: (error) => {
      throw error;
    },
    ...more,
  });
const [first, second] = [createProcess(), createProcess()];

let count = 0;
let counter: Counter;

beforeEach(() => {
  counter = { name: `counter ${count++}`, limit: 3 };
});

const rows = async () =>
  Number((await database.pool.query('SELECT count(*) FROM counted_event')).rows[0].count);
const removeExpired = () => second.removeExpired(new AbortController().signal);

function watchedProcess(connectionsMax = 3) {
  const usage = { now: 0, most: 0, taken: 0, away: false };
  const reported: unknown[] = [];
  const watched: Pick<typeof database, 'acquire'> = {
    acquire: async (urgent) => {
      if (usage.away) throw new DatabaseLostError(new Error('away'));
      const client = await database.acquire(urgent);
      usage.taken++;
      usage.most = Math.max(usage.most, ++usage.now);
      const { release } = client;
      client.release = (broken) => {
        usage.now--;
        release(broken);
      };
      return client;
    },
  };
  const report = (error: unknown) => reported.push(error);
  const retryPausesMs = Array(100).fill(10);
  const counters = createProcess({
    ...{ database: watched, connectionsMax, databaseClock: null, report, retryPausesMs },
  });
  return { counters, usage, reported };
}

const refused = (seconds: number) => ({ kind: 'rate_limited', retryAfterSeconds: seconds });
const refusedForNow = {
  kind: 'rate_limited',
  retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= windowMs / 1_000),
};

it('a counter limits events in any window for all processes, and each event expires by itself', async () => {
  const waits = [];
  for (const at of [0, 100_000, 100_000, 0, 699_999, 1]) {
    now += at;
    waits.push(await (at === 0 ? first : second).count(counter, windowMs));
  }
  expect(waits).toEqual([0, 0, 0, 700_000, 1, 0]);
});

it('a counter ignores events from before the database clock was set back', async () => {
  for (let n = 0; n < 3; n++) await first.count(counter, windowMs);
  now -= 7_200_000;
  for (let n = 0; n < 3; n++) expect(await first.count(counter, windowMs)).toBe(0);
  expect(await first.count(counter, windowMs)).toBe(windowMs);
  now -= 60_000;
  expect(await first.count(counter, windowMs)).toBe(0);
});

it('a counter stores only a hash of its name and removes expired events', async () => {
  now += 86_400_000;
  await removeExpired();
  expect(await rows()).toBe(0);
  const typed = { name: 'my secret password', limit: 3 };
  await first.count(typed, windowMs);
  const { rows: stored } = await database.pool.query('SELECT counted_event::text FROM counted_event');
  expect(JSON.stringify(stored)).not.toContain(Buffer.from(typed.name).toString('hex'));
  now += windowMs - 1;
  await removeExpired();
  expect(await rows()).toBe(1);
  now += 1;
  await removeExpired();
  expect(await rows()).toBe(0);
});

it('each locked counter occupies one connection, so other counters still count', async () => {
  const { counters, usage } = watchedProcess();
  const names = Array.from({ length: 2 }, (_, n) => `${counter.name} held ${n}`);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  for (const name of names) {
    const lock = keyedHash('', name).subarray(0, 16).readBigInt64BE();
    await holder.query('SELECT pg_advisory_xact_lock($1)', [String(lock)]);
  }
  const waiting = Array.from({ length: 30 }, (_, n) =>
    counters.count({ name: names[n % 2] as string, limit: 3 }, windowMs),
  );
  const ends = Promise.all(waiting);
  for (let n = 0; n < 3; n++) expect(await counters.count(counter, windowMs)).toBe(0);
  await holder.query('ROLLBACK');
  holder.release();
  expect((await ends).filter((waitMs) => waitMs === 0)).toHaveLength(6);
  expect(usage.most).toBeLessThanOrEqual(3);
});

it('eight processes at once let no more attempts through than the limit', async () => {
  const processes = Array.from({ length: 8 }, createProcess);
  let through = 0;
  const attempts = Array.from({ length: 64 }, async (_, n) => {
    const pair = { name: `${counter.name} of ${n % 5}`, limit: 3 };
    const attempt = await processes[n % 8]?.countAttempt([pair, { ...counter, limit: 10 }], windowMs);
    through++;
    await attempt?.fail();
  });
  const ends = await Promise.allSettled(attempts);
  expect(through).toBe(10);
  for (const end of ends) {
    if (end.status === 'rejected') expect(end.reason).toMatchObject({ kind: 'rate_limited' });
  }
});

it('an attempt counts in all of its counters, or in none when it is refused', async () => {
  const full = { name: `${counter.name} full`, limit: 1 };
  await first.count(full, windowMs);
  for (let n = 0; n < 5; n++) {
    await expect(second.countAttempt([counter, full], windowMs)).rejects.toMatchObject(refused(900));
  }
  for (let n = 0; n < 3; n++) expect(await first.count(counter, windowMs)).toBe(0);
});

it('an attempt is refused for a second while undecided attempts fill the limit', async () => {
  const undecided = await Promise.all([1, 2, 3].map(() => first.countAttempt([counter], windowMs)));
  await undecided[0]?.fail();
  await undecided[1]?.fail();
  await expect(second.countAttempt([counter], windowMs)).rejects.toMatchObject(refused(1));
  await undecided[2]?.succeed([]);
  await (await second.countAttempt([counter], windowMs)).fail();
  await expect(first.countAttempt([counter], windowMs)).rejects.toMatchObject(refused(900));
});

it('an attempt whose outcome is never stored counts as failed, from one minute after its start until it expires', async () => {
  for (let n = 0; n < 3; n++) await createProcess().countAttempt([counter], windowMs);
  now += 60_000;
  await expect(first.countAttempt([counter], windowMs)).rejects.toMatchObject(refused(840));
  now += 840_000;
  await (await first.countAttempt([counter], windowMs)).cancel();
});

it('a successful attempt clears the given counters, but keeps undecided attempts', async () => {
  await first.count(counter, windowMs);
  const undecided = await second.countAttempt([counter], windowMs);
  const room = await first.countAttempt([counter], windowMs);
  await room.succeed([counter.name]);
  await undecided.fail();
  expect(await first.count(counter, windowMs)).toBe(0);
  expect(await first.count(counter, windowMs)).toBe(0);
  expect(await first.count(counter, windowMs)).toBe(windowMs);
});

it('after a counter was full, attempts are refused from memory for up to a second, unless it is cleared', async () => {
  const { counters, usage } = watchedProcess();
  const pair = { name: `${counter.name} pair`, limit: 5 };
  for (let n = 0; n < 3; n++) await counters.count(counter, windowMs);
  await expect(counters.countAttempt([pair, counter], windowMs)).rejects.toMatchObject(refusedForNow);
  const before = usage.taken;
  for (let n = 0; n < 20; n++) {
    const other = { name: `${counter.name} ${n}`, limit: 1 };
    await expect(counters.countAttempt([other, counter], windowMs)).rejects.toMatchObject(refusedForNow);
  }
  // The database is still asked once a second.
  expect(usage.taken - before).toBeLessThan(20);
  await counters.clear([counter.name], windowMs);
  await (await counters.countAttempt([pair, counter], windowMs)).cancel();
});

it('an attempt is checked in the database if it checks fewer passwords, or the full counter does not apply', async () => {
  const { counters } = watchedProcess();
  await (await counters.countAttempt([counter], windowMs)).fail();
  await expect(counters.countAttempt([counter], windowMs, 3)).rejects.toMatchObject(refusedForNow);
  await (await counters.countAttempt([counter], windowMs)).cancel();
  const busy = { name: `${counter.name} busy`, limit: 5 };
  const shared = { name: `${counter.name} shared`, limit: 1, onlyIfPreviousBelow: 1 };
  await counters.count({ name: shared.name, limit: 1 }, windowMs);
  await expect(
    counters.countAttempt([counter, { ...shared, onlyIfPreviousBelow: 3 }], windowMs),
  ).rejects.toMatchObject(refusedForNow);
  await counters.count(busy, windowMs);
  await (await counters.countAttempt([busy, shared], windowMs)).cancel();
});

it('an attempt ends before waiting attempts are counted', async () => {
  const { counters } = watchedProcess(1);
  const attempt = await counters.countAttempt([counter], windowMs);
  const order: string[] = [];
  const others = Array.from({ length: 5 }, async (_, n) => {
    await counters.count({ name: `${counter.name} ${n}`, limit: 1 }, windowMs);
    order.push('counted');
  });
  await Promise.all([...others, attempt.cancel().then(() => order.push('cancelled'))]);
  expect(order.slice(0, 2)).toEqual(['counted', 'cancelled']);
});

it('an attempt counts as failed, with a report, if its success cannot be stored', async () => {
  const { counters, usage, reported } = watchedProcess();
  const attempts = await Promise.all([1, 2, 3].map(() => counters.countAttempt([counter], windowMs)));
  usage.away = true;
  for (const attempt of attempts) await attempt.succeed([counter.name]);
  expect(reported.length).toBeGreaterThanOrEqual(3);
  await expect(counters.countAttempt([counter], windowMs)).rejects.toBeInstanceOf(DatabaseLostError);
  // The tries to store the success still fail.
  await expect(watchedProcess().counters.countAttempt([counter], windowMs)).rejects.toMatchObject(refused(1));
});

it('a cancelled attempt is uncounted as soon as the database answers again', async () => {
  const { counters, usage, reported } = watchedProcess();
  const before = await rows();
  const attempt = await counters.countAttempt([counter], windowMs);
  expect(await rows()).toBe(before + 1);
  usage.away = true;
  await attempt.cancel();
  expect(reported).toEqual([expect.any(DatabaseLostError)]);
  usage.away = false;
  await expect.poll(rows).toBe(before);
});

it('an attempt takes one round trip before the password check and one after', async () => {
  const { counters, usage } = watchedProcess();
  const room = await counters.countAttempt([counter], windowMs);
  expect(usage.taken).toBe(1);
  await room.succeed([counter.name], { counter: 'a', event: 'b', windowMs });
  expect(usage.taken).toBe(2);
});
