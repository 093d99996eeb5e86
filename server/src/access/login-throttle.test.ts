import { hash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayMs, ThrottleModel, windowMs } from '../../test/login-throttle-model.ts';
import { repeatCountedEvents } from '../../test/stored-rows.ts';
import { openDatabase } from '../../test/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { Counters } from './counters.ts';
import { type AttemptSource, loginThrottle } from './login-throttle.ts';

type LoginThrottle = ReturnType<typeof loginThrottle>;

const { database } = await openDatabase();

const make = async <T>(
  throttle: LoginThrottle,
  who: AttemptSource,
  check: () => Promise<T | null>,
  passwords = 1,
) => (await throttle.begin(who, passwords)).run(check, who.account ?? null);

/** Returns a throttle with its own counters; attempts alternate between the processes. */
function throttled(processes = 1) {
  let now = 0;
  const own = randomUUID();
  const open = () => {
    const counters = new Counters({
      database,
      sealing: { keyedHash: (_purpose, text) => hash('sha256', own + text, 'buffer') },
      databaseClock: () => new Date(1_700_000_000_000 + now),
      report: (error) => {
        throw error;
      },
    });
    return loginThrottle(counters, 'administratorLogins');
  };
  const all = Array.from({ length: processes }, open);
  const [throttle] = all as [LoginThrottle];
  let attemptCount = 0;
  const attempt = async (who: AttemptSource, passes: boolean) => {
    try {
      const throttleOfProcess = all[attemptCount++ % processes] as LoginThrottle;
      return (await make(throttleOfProcess, who, async () => passes || null)) ? 'passed' : 'failed';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.kind).toBe('rate_limited');
      return error.retryAfterSeconds as number;
    }
  };
  return {
    throttle,
    attempt,
    fail: (name: string, ip: string) => attempt({ name, ip }, false),
    attemptOften: (times: number, who: AttemptSource, passes: boolean) =>
      repeatCountedEvents(database.pool, times, () => attempt(who, passes)),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

it('the login throttle decides like the model for any sequence of attempts, times, addresses and devices', async () => {
  type Attempts = readonly (readonly [who: AttemptSource, passes: boolean])[];
  const attempter = (user: number | string, address: number, device: string | null): AttemptSource => ({
    ...{ name: `user ${user}`, account: `account ${user}`, ip: `10.0.0.${address}`, device },
  });
  const who = fc
    .tuple(fc.nat(2), fc.nat(13), fc.constantFrom(null, null, 'a', 'b'))
    .map((parts) => attempter(...parts));
  const failures = fc
    .tuple(who, fc.constantFrom(1, 4, 9, 12))
    .map(([one, times]): Attempts => Array.from({ length: times }, () => [one, false]));
  /** Signs in at one address, then mistypes. */
  const crowd = fc.tuple(fc.nat(13), fc.constantFrom(10, 52)).map(([address, people]): Attempts => {
    const all = Array.from({ length: people }, (_, n) => attempter(`${n}`, address, null));
    return [true, false, false].flatMap((passes) => all.map((one) => [one, passes] as const));
  });
  const step = fc.oneof(
    { weight: 6, arbitrary: failures },
    { weight: 2, arbitrary: who.map((one): Attempts => [[one, true]]) },
    { weight: 1, arbitrary: crowd },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: windowMs }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
      const { attempt, advance } = throttled(3);
      const model = new ThrottleModel();
      for (const one of steps) {
        if (typeof one === 'number') {
          advance(one);
          model.now += one;
        } else {
          for (const tried of one) expect(await attempt(...tried)).toBe(model.attempt(...tried));
        }
      }
    }),
    { numRuns: 3 },
  );
});

it('of 30 logins at once, 10 are checked, and the others are told to retry in a second', async () => {
  const { throttle, attempt } = throttled();
  const who = { name: 'user', ip: '10.0.0.1' };
  const checks = Promise.withResolvers<string>();
  const burst = Array.from({ length: 30 }, () => make(throttle, who, () => checks.promise));
  let refused = 0;
  for (const one of burst) one.catch(() => refused++);
  await expect.poll(() => refused).toBe(20);
  checks.resolve('passed');
  const ends = await Promise.allSettled(burst);
  for (const end of ends) {
    if (end.status === 'fulfilled') expect(end.value).toBe('passed');
    else expect(end.reason).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 1 });
  }
  for (let n = 0; n < 20; n++) expect(await attempt(who, true)).toBe('passed');
});

it('a login that throws does not count, and passes the error on', async () => {
  const { throttle, fail } = throttled();
  const broken = () =>
    make(throttle, { name: 'user', ip: '10.0.0.1' }, () => Promise.reject(new Error('database away')));
  for (let n = 0; n < 20; n++) await expect(broken()).rejects.toThrow('database away');
  for (let n = 0; n < 10; n++) expect(await fail('user', '10.0.0.1')).toBe('failed');
  expect(await fail('user', '10.0.0.1')).toBe(900);
});

it('every password that a login checks counts', async () => {
  const { throttle, fail, attemptOften } = throttled();
  const three = () => make(throttle, { name: 'user', ip: '10.0.0.1' }, async () => null, 3);
  for (let n = 0; n < 3; n++) expect(await three()).toBeNull();
  await expect(three()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 900 });
  expect(await fail('user', '10.0.0.1')).toBe('failed');
  expect(await fail('user', '10.0.0.1')).toBe(900);
  await attemptOften(89, { name: 'other', ip: '10.0.0.1' }, false);
  expect(await fail('another', '10.0.0.1')).toBe('failed');
  expect(await fail('another', '10.0.0.1')).toBe(900);
});

it('earlier failures of a name stay when one of several passwords is correct', async () => {
  const { throttle, fail } = throttled();
  for (let n = 0; n < 8; n++) await fail('user', '10.0.0.1');
  expect(await make(throttle, { name: 'user', ip: '10.0.0.1' }, async () => 'passed', 2)).toBe('passed');
  for (let n = 0; n < 2; n++) expect(await fail('user', '10.0.0.1')).toBe('failed');
  expect(await fail('user', '10.0.0.1')).toBe(900);
});

it('an IPv6 /64 network counts as one address', async () => {
  const { fail } = throttled();
  for (let n = 0; n < 5; n++) {
    expect(await fail('user', `2001:db8:1:2::${n}`)).toBe('failed');
    expect(await fail('user', `2001:db8:1:2:${n}:a:b:c`)).toBe('failed');
  }
  expect(await fail('user', '2001:db8:1:2:ffff::1')).toBe(900);
  expect(await fail('user', '2001:db8:1:3::1')).toBe('failed');
});

it('pairs of name and address that have the same letters together count separately', async () => {
  const { fail } = throttled();
  for (let n = 0; n < 10; n++) await fail('b', 'a');
  expect(await fail('b', 'a')).toBe(900);
  expect(await fail('a b', '')).toBe('failed');
  expect(await fail('', 'a b')).toBe('failed');
});

const at = '203.0.113.7';
const pupil: AttemptSource = { name: '7 pupil', ip: at, account: 'student' };

/** Expects that exactly this many guesses fail at the address, and that the next one is refused. */
const expectFailures = async ({ fail, attemptOften }: ReturnType<typeof throttled>, bound: number) => {
  await attemptOften(bound - 1, { name: 'guess', ip: at }, false);
  expect(await fail('last guess', at)).toBe('failed');
  expect(await fail('another guess', at)).toBe(900);
};

it.each([
  [0, 100],
  [50, 100],
  [51, 102],
  [90, 180],
  [1_010, 2_000],
])('an address where %i accounts signed in may fail %i times', async (accounts, bound) => {
  const world = throttled();
  if (accounts > 0) await world.attemptOften(accounts, pupil, true);
  await expectFailures(world, bound);
});

it('an address where one account signed in, however often, may fail 100 times', async () => {
  const world = throttled();
  for (let n = 0; n < 60; n++) expect(await world.attempt(pupil, true)).toBe('passed');
  await expectFailures(world, 100);
});

it('a day after the sign-ins of many accounts, their address may fail 100 times again', async () => {
  const world = throttled();
  await world.attemptOften(90, pupil, true);
  world.advance(dayMs - 1);
  await expectFailures(world, 180);
  world.advance(windowMs);
  await expectFailures(world, 100);
});

const teacher: AttemptSource = { name: 'teacher', ip: '203.0.113.7', account: 'administrator 5' };
const own: AttemptSource = { ...teacher, device: 'own device' };

it('a device that knows the account may try ten passwords from any address, which count only for the device', async () => {
  const { attempt, advance } = throttled();
  for (let n = 0; n < 10; n++) expect(await attempt({ ...own, ip: `192.0.2.${n}` }, false)).toBe('failed');
  expect(await attempt({ ...own, ip: '192.0.2.99' }, true)).toBe(900);
  expect(await attempt({ ...own, device: 'phone' }, true)).toBe('passed');
  for (let n = 0; n < 10; n++) expect(await attempt(teacher, false)).toBe('failed');
  advance(windowMs);
  expect(await attempt(own, true)).toBe('passed');
});

it('all devices of an account share a limit of 100 failures', async () => {
  const { attempt, attemptOften } = throttled();
  const stolen = (n: number) => ({ ...own, device: `stolen ${n}`, ip: `192.0.2.${n}` });
  await attemptOften(98, stolen(0), false);
  for (const n of [1, 2]) expect(await attempt(stolen(n), false)).toBe('failed');
  expect(await attempt(stolen(3), true)).toBe(900);
});

it('failed logins from known devices at one address share a limit of 1,000, to which each account adds at most ten', async () => {
  const { attempt, attemptOften } = throttled();
  const device = (n: number, account: number): AttemptSource => ({
    name: 'x',
    ip: own.ip,
    account: `administrator ${account}`,
    device: `device ${n} of ${account}`,
  });
  // One account adds ten, however many devices it has.
  for (let n = 0; n < 20; n++) expect(await attempt(device(n % 2, 100), false)).toBe('failed');
  await attemptOften(989, device(0, 101), false);
  expect(await attempt(own, true)).toBe('passed');
  expect(await attempt(device(0, 102), false)).toBe('failed');
  expect(await attempt(own, true)).toBe(900);
  expect(await attempt({ ...own, ip: '192.0.2.1' }, true)).toBe('passed');
});
