import fc from 'fast-check';
import { beforeEach, expect, inject, it } from 'vitest';
import { openDatabase } from '../../test/test-app.ts';
import { openClient } from '../../test/with-client.ts';
import { RateLimiter } from './rate-limit.ts';
import { limitChannel } from './rate-limit-shares.ts';

const { name, database } = await openDatabase();

let now = 0;
/** How long answers of the database take. */
let answerMs = 0;
let firstToken = 0;

/** Differs from `now`, as the clocks of two machines may. */
function databaseClock(): Date {
  const at = new Date(1_700_000_000_000 + now);
  now += answerMs;
  return at;
}

beforeEach(() => {
  now = 0;
  answerMs = 0;
});

function processes(count: number, totalPerMinute: number, writePerMinute: number) {
  firstToken += 100_000;
  const offset = firstToken;
  return Array.from({ length: count }, () => {
    let statements = 0;
    const clocks = { monotonic: () => now, databaseClock };
    const limiter = new RateLimiter({ totalPerMinute, writePerMinute, db: database.db, ...clocks });
    return {
      take: async (token: number, isWrite: boolean) => {
        const known = limiter.tryCount(offset + token, isWrite);
        if (known) return known;
        statements++;
        return limiter.claimAndCount(offset + token, isWrite);
      },
      /** A call that ends before the database is queried. */
      begin: (token: number) => limiter.tryCount(offset + token, false),
      stop: () => limiter.returnShares(),
      clean: () => limiter.removeEndedWindows(),
      receive: (notice: string) => limiter.applyNotice(notice),
      get asked() {
        return statements;
      },
    };
  });
}

/** Takes until a request is refused, and returns how many were allowed. */
async function takeAll(process: ReturnType<typeof processes>[number] | undefined, isWrite = false) {
  let allowed = 0;
  while ((await process?.take(1, isWrite))?.allowed) allowed++;
  return allowed;
}

type Take = { readonly token: number; readonly isWrite: boolean };

/** The rule (docs/contract.md, Rate limits) in its simplest form: a window is a list of counted requests. */
class Model {
  readonly #counted = new Map<string, number[]>();
  readonly #max: Record<string, number>;

  constructor(max: Record<'total' | 'write', number>) {
    this.#max = max;
  }

  /** @param counts overrides whether the rule counts the request */
  take({ token, isWrite }: Take, counts?: boolean) {
    const buckets = isWrite ? ['total', 'write'] : ['total'];
    const windows = buckets.map((bucket) => {
      const name = `${token} ${bucket}`;
      const counted = this.#counted.get(name) ?? [];
      const over = counted[0] !== undefined && now >= counted[0] + 60_000;
      const current = over ? [] : counted;
      this.#counted.set(name, current);
      return { max: this.#max[bucket] as number, current };
    });
    const mayPass = windows.every(({ max, current }) => current.length < max);
    if (counts ?? mayPass) for (const { current } of windows) current.push(now);
    const left = windows.map(({ max, current }) => max - current.length);
    return { allowed: mayPass, remaining: Math.min(...left) };
  }
}

const takes = (maxLength: number) =>
  fc.array(
    fc.record({
      token: fc.integer({ min: 1, max: 3 }),
      process: fc.nat(2),
      isWrite: fc.boolean(),
      after: fc.oneof(fc.constantFrom(0, 0, 0, 1, 29_999, 30_000, 59_999, 60_000), fc.nat(20_000)),
    }),
    { maxLength, size: 'max' },
  );

const takesAndLimits = [takes(60), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20 })] as const;

it.each([
  [1, 20],
  [3, 15],
])('%i rate limiters together match the model for any sequence of requests', async (count, numRuns) => {
  await fc.assert(
    fc.asyncProperty(...takesAndLimits, async (all, total, write) => {
      const limiters = processes(count, total, write);
      const model = new Model({ total, write });
      for (const take of all) {
        now += take.after;
        const verdict = await limiters[take.process % count]?.take(take.token, take.isWrite);
        const rule = model.take(take, verdict?.allowed);
        // One of several processes may refuse a request whose slot another process still has.
        if (count === 1) expect(verdict).toMatchObject(rule);
        else if (verdict?.allowed) expect(rule.allowed).toBe(true);
        expect(verdict?.resetSeconds).toBeGreaterThanOrEqual(1);
        expect(verdict?.resetSeconds).toBeLessThanOrEqual(60);
      }
      // In a new window the processes receive requests in turn.
      now += 60_000;
      const allowed = { read: 0, write: 0 };
      for (let n = 0; n < 3 * (total + write); n++) {
        for (const isWrite of [true, false]) {
          const verdict = await limiters[n % count]?.take(1, isWrite);
          if (verdict?.allowed) allowed[isWrite ? 'write' : 'read']++;
        }
      }
      expect(allowed.read + allowed.write).toBe(total);
      expect(allowed.write).toBeLessThanOrEqual(write);
    }),
    { numRuns },
  );
});

it('a rate limiter allows a refused request exactly after the stated seconds', async () => {
  await fc.assert(
    fc.asyncProperty(takes(40), async (all) => {
      const [only] = processes(1, 4, 2);
      for (const { after, token, isWrite } of all) {
        now += after;
        const refused = await only?.take(token, isWrite);
        if (!refused || refused.allowed) continue;
        now += (refused.resetSeconds - 1) * 1000;
        expect(await only?.take(token, isWrite)).toMatchObject({ allowed: false });
        now += 1000;
        expect(await only?.take(token, isWrite)).toMatchObject({ allowed: true });
      }
    }),
    { numRuns: 12 },
  );
});

it('a rate limiter queries the database a dozen times a window, and never for a used-up window', async () => {
  const [only] = processes(1, 600, 120);
  for (let n = 0; n < 1_000; n++) expect(await only?.take(1, false)).toMatchObject({ allowed: n < 600 });
  expect(only?.asked).toBeLessThanOrEqual(14);
  for (let n = 0; n < 200; n++) expect(await only?.take(2, true)).toMatchObject({ allowed: n < 120 });
  expect(only?.asked).toBeLessThanOrEqual(28);
});

it('a rate limiter allows a request when its minute has ended, however slow the database was', async () => {
  answerMs = 20_000;
  const [only] = processes(1, 1, 1);
  expect(await only?.take(1, false)).toMatchObject({ allowed: true });
  expect(only?.begin(1)).toMatchObject({ allowed: false });
  now = 60_000;
  expect(only?.begin(1)).toBeNull();
  expect(await only?.take(1, false)).toMatchObject({ allowed: true });
});

it('a rate limiter with many credentials evicts only idle credentials', async () => {
  const [only] = processes(1, 2, 2);
  for (let n = 0; n < 3; n++) await only?.take(1, false);
  await only?.take(2, true);
  const asked = only?.asked;
  // More credentials than are kept in memory.
  for (let token = 3; token <= 10_010; token++) only?.begin(token);
  now = 59_999;
  expect(await only?.take(1, false)).toMatchObject({ allowed: false });
  expect(only?.asked).toBe(asked);
  now = 60_000;
  for (let token = 10_011; token <= 20_020; token++) only?.begin(token);
  expect(await only?.take(1, false)).toMatchObject({ allowed: true, remaining: 1 });
});

it('a rate limiter removes the rows of credentials that were idle for an hour', async () => {
  const [only] = processes(1, 600, 120);
  for (const token of [1, 2]) await only?.take(token, false);
  const rows = async () => {
    await only?.clean();
    const held =
      'SELECT token_id::int - $1 AS token FROM rate_limit_window WHERE token_id BETWEEN $1 AND $1 + 2';
    return (await database.pool.query(held, [firstToken])).rows.map(({ token }) => token);
  };
  now = 3_600_000;
  await only?.take(2, true);
  expect((await rows()).sort()).toEqual([1, 2]);
  now++;
  expect(await rows()).toEqual([2]);
});

it('the rate limiters of several processes allow the whole window to simultaneous requests', async () => {
  const three = processes(3, 600, 120);
  const verdicts = await Promise.all(
    Array.from({ length: 1_800 }, (_, n) => three[n % 3]?.take(1, n % 5 === 0)),
  );
  expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(600);
  // Waiting requests share a statement.
  const granted = 'SELECT total_granted, write_granted FROM rate_limit_window WHERE token_id = $1';
  const { rows } = await database.pool.query(granted, [firstToken + 1]);
  expect(rows[0]).toEqual({ total_granted: 600, write_granted: 120 });
});

it('at most a sixth of a window stays unused in an idle process', async () => {
  const [first, second] = processes(2, 600, 120);
  for (let n = 0; n < 26; n++) await first?.take(1, false);
  expect(await takeAll(second)).toBe(475);
});

it('when a process stops, other processes get its unused requests of the window', async () => {
  const [first, second] = processes(2, 600, 120);
  await first?.take(1, true);
  await first?.stop();
  expect([await takeAll(second, true), await takeAll(second)]).toEqual([119, 480]);
});

it('a process that stops returns no unused requests to a window that began later', async () => {
  const [first, second] = processes(2, 600, 120);
  await first?.take(1, true);
  now = 59_000;
  await first?.take(1, false);
  now = 60_000;
  await second?.take(1, false);
  now = 59_999;
  await first?.stop();
  now = 60_000;
  expect(await takeAll(second)).toBe(599);
});

it('processes that received each other’s notices never report more remaining requests than before', async () => {
  const three = processes(3, 600, 120);
  const listener = await openClient({ ...inject('postgres'), database: name });
  listener.on('notification', ({ payload = '' }) => {
    for (const each of three) each.receive(payload);
  });
  await listener.query(`LISTEN ${limitChannel}`);
  let [last, allowed] = [600, 0];
  for (let n = 0; n < 1_200; n++) {
    const verdict = await three[n < 50 ? 0 : (n * n) % 3]?.take(1, n % 7 === 0);
    // The answer to this query arrives after the earlier notices.
    await listener.query('SELECT');
    if (verdict?.allowed) allowed++;
    const total = Number(/"total";r=(\d+)/.exec(verdict?.summary ?? '')?.[1]);
    expect(total).toBeLessThanOrEqual(last);
    expect(total).toBeLessThanOrEqual(600 - allowed);
    last = total;
  }
  await listener.end();
  expect([last, allowed > 590]).toEqual([0, true]);
});

it('a rate limiter ignores malformed notices', async () => {
  const [only] = processes(1, 600, 120);
  await only?.take(1, false);
  const shares = ['{"tokenId":1}', '[1,null,null]', `[${firstToken + 1},{}]`];
  for (const notice of ['', '7', '[]', 'null', ...shares]) only?.receive(notice);
  expect(await only?.take(1, false)).toMatchObject({ allowed: true, remaining: 598 });
});

/** Moves the windows as if the database's clock was set. No time passes for the processes. */
const setBack = (milliseconds: number) =>
  database.pool.query(
    `UPDATE rate_limit_window SET total_started_at = total_started_at + make_interval(secs => $1),
       write_started_at = write_started_at + make_interval(secs => $1)`,
    [milliseconds / 1000],
  );

it('a database clock that is set back delays a credential by at most one window', async () => {
  const [first, second] = processes(2, 5, 5);
  await takeAll(first);
  await setBack(7_200_000);
  // A process that does not know the window begins another one.
  expect(await second?.take(1, false)).toMatchObject({ allowed: true, resetSeconds: 60 });
  now = 60_000;
  expect(await first?.take(1, false)).toMatchObject({ allowed: true });
});

it('a database clock that is set back within a window extends the window by less than its length', async () => {
  const [first] = processes(1, 5, 5);
  now = 40_000;
  await first?.take(1, false);
  now = 80_000;
  await takeAll(first);
  await setBack(30_000);
  now = 100_000;
  expect(await first?.take(1, false)).toMatchObject({ allowed: false, resetSeconds: 30 });
  now = 130_000;
  expect(await first?.take(1, false)).toMatchObject({ allowed: true });
});
