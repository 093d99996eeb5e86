import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.ts';
import { LoginThrottle } from './login-throttle.ts';

const minutes = 60_000;
const windowMs = 15 * minutes;

function throttled() {
  let now = 0;
  const throttle = new LoginThrottle(() => now);
  const attempt = async (username: string, address: string, passes: boolean) => {
    try {
      return (await throttle.attempt(username, address, async () => passes || null)) ? 'passed' : 'failed';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.kind).toBe('rate_limited');
      return error.retryAfterSeconds as number;
    }
  };
  return {
    throttle,
    attempt,
    fail: (username: string, address: string) => attempt(username, address, false),
    advance: (ms: number) => {
      now += ms;
    },
  };
}

/** The rule (docs/contract.md, Throttles), as plainly as possible. */
class Model {
  now = 0;
  #failures: { at: number; username: string; address: string; forgottenByPair: boolean }[] = [];

  attempt(username: string, address: string, passes: boolean): 'passed' | 'failed' | number {
    const recent = this.#failures.filter((failure) => failure.at > this.now - windowMs);
    const counters: [typeof recent, number][] = [
      [
        recent.filter((one) => !one.forgottenByPair && one.username === username && one.address === address),
        10,
      ],
      [recent.filter((one) => one.username === username), 100],
      [recent.filter((one) => one.address === address), 100],
    ];
    const waits = counters.flatMap(([list, bound]) => {
      const blocking = list.at(-bound);
      return list.length >= bound && blocking ? [blocking.at + windowMs - this.now] : [];
    });
    if (waits.length > 0) return Math.ceil(Math.max(...waits) / 1000);
    if (!passes) {
      this.#failures.push({ at: this.now, username, address, forgottenByPair: false });
      return 'failed';
    }
    for (const failure of this.#failures) {
      if (failure.username === username && failure.address === address) failure.forgottenByPair = true;
    }
    return 'passed';
  }
}

describe('the login throttle', () => {
  it('decides by the rule, whatever is attempted when', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ n: fc.constantFrom(1, 4, 9, 12), user: fc.nat(2), address: fc.nat(13) }),
      },
      { weight: 1, arbitrary: fc.record({ passing: fc.nat(2), address: fc.nat(13) }) },
      { weight: 1, arbitrary: fc.record({ advance: fc.integer({ min: 1, max: windowMs }) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const { attempt, advance } = throttled();
        const model = new Model();
        for (const one of steps) {
          if ('advance' in one) {
            advance(one.advance);
            model.now += one.advance;
            continue;
          }
          const [username, passes, times] =
            'passing' in one ? [`user ${one.passing}`, true, 1] : [`user ${one.user}`, false, one.n];
          for (let n = 0; n < times; n++) {
            const address = `10.0.0.${one.address}`;
            expect(await attempt(username, address, passes)).toBe(model.attempt(username, address, passes));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('lets no more than ten wrong attempts of a pair through that come at once', async () => {
    const { fail } = throttled();
    const results = await Promise.all(Array.from({ length: 50 }, () => fail('user', '10.0.0.1')));
    expect(results.filter((result) => result === 'failed')).toHaveLength(10);
    expect(results.filter((result) => result === 900)).toHaveLength(40);
  });

  it('lets no more than 100 wrong attempts from one address through that come at once', async () => {
    const { fail } = throttled();
    const results = await Promise.all(Array.from({ length: 150 }, (_, n) => fail(`user ${n}`, '10.0.0.1')));
    expect(results.filter((result) => result === 'failed')).toHaveLength(100);
  });

  it('refuses no right attempt of many that come at once', async () => {
    const { attempt } = throttled();
    const results = await Promise.all(Array.from({ length: 300 }, () => attempt('user', '10.0.0.1', true)));
    expect(new Set(results)).toEqual(new Set(['passed']));
  });

  it('counts an attempt that could not be decided for nothing, and hands the error on', async () => {
    const { throttle, fail } = throttled();
    const broken = () =>
      throttle.attempt('user', '10.0.0.1', () => Promise.reject(new Error('database away')));
    await Promise.all(Array.from({ length: 20 }, () => expect(broken()).rejects.toThrow('database away')));
    for (let n = 0; n < 10; n++) expect(await fail('user', '10.0.0.1')).toBe('failed');
    expect(await fail('user', '10.0.0.1')).toBe(900);
  });

  it('counts an attempt that checks several passwords as so many', async () => {
    const { throttle, fail } = throttled();
    const three = () => throttle.attempt('user', '10.0.0.1', async () => null, 3);
    for (let n = 0; n < 3; n++) expect(await three()).toBeNull();
    await expect(three()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 900 });
    expect(await fail('user', '10.0.0.1')).toBe('failed');
    expect(await fail('user', '10.0.0.1')).toBe(900);
    for (let n = 0; n < 90; n++) expect(await fail(`user ${n}`, '10.0.0.1')).toBe('failed');
    expect(await fail('another', '10.0.0.1')).toBe(900);
  });

  it('counts several passwords of attempts that come at once too', async () => {
    const { throttle } = throttled();
    const three = () => throttle.attempt('user', '10.0.0.1', async () => null, 3);
    const results = await Promise.allSettled(Array.from({ length: 20 }, three));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3);
  });

  it('forgets no failures by a success among several passwords: it says nothing about the other ones', async () => {
    const { throttle, fail } = throttled();
    for (let n = 0; n < 8; n++) await fail('user', '10.0.0.1');
    expect(await throttle.attempt('user', '10.0.0.1', async () => 'passed', 2)).toBe('passed');
    for (let n = 0; n < 2; n++) expect(await fail('user', '10.0.0.1')).toBe('failed');
    expect(await fail('user', '10.0.0.1')).toBe(900);
  });

  it('counts all addresses of an IPv6 network of 64 bits as one, and IPv4 written as IPv6 as IPv4', async () => {
    const { fail } = throttled();
    for (let n = 0; n < 5; n++) {
      expect(await fail('user', `2001:db8:1:2::${n}`)).toBe('failed');
      expect(await fail('user', `2001:db8:1:2:${n}:a:b:c`)).toBe('failed');
    }
    expect(await fail('user', '2001:db8:1:2:ffff::1')).toBe(900);
    expect(await fail('user', '2001:db8:1:3::1')).toBe('failed');
    for (let n = 0; n < 10; n++)
      expect(await fail('head', n < 5 ? '10.0.0.1' : '::ffff:10.0.0.1')).toBe('failed');
    expect(await fail('head', '10.0.0.1')).toBe(900);
  });

  it('lets only so many attempts wait for one another', async () => {
    const { throttle } = throttled();
    const decision = Promise.withResolvers<null>();
    const attempt = (name: string) => throttle.attempt(name, '10.0.0.1', () => decision.promise);
    const waiting = Promise.allSettled(Array.from({ length: 510 }, () => attempt('user')));
    await expect(attempt('user')).rejects.toMatchObject({ kind: 'unavailable' });
    const other = attempt('other');
    decision.resolve(null);
    expect(await other).toBeNull();
    expect((await waiting).filter((one) => one.status === 'fulfilled')).toHaveLength(10);
  });

  it('does not take a username and an address for another pair of the same letters', async () => {
    const { fail } = throttled();
    for (let n = 0; n < 10; n++) await fail('b', 'a');
    expect(await fail('b', 'a')).toBe(900);
    expect(await fail('a b', '')).toBe('failed');
    expect(await fail('', 'a b')).toBe('failed');
  });
});
