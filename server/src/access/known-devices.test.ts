import { beforeEach, expect, it } from 'vitest';
import { type Account, KnownDevices } from './known-devices.ts';
import { Sealing } from './sealing.ts';

const days = 86_400_000;
const teacher: Account = { kind: 'administrator', id: 5, passwordHash: 'hash of the teacher' };
const pupil = (id: number): Account => ({ kind: 'student', id, passwordHash: `hash of ${id}` });

let now = Date.parse('2026-09-15T10:00:00.000Z');
const devices = new KnownDevices(
  new Sealing(() => 'a secret of the installation', expect.unreachable),
  () => new Date(now),
);

function browser(cookie = '') {
  const kept = { cookie };
  const call = () =>
    devices.readBrowser(kept.cookie, (newer) => {
      kept.cookie = newer;
    });
  return {
    kept,
    signIn: (account: Account) => call().remember(account),
    knows: (account: Account) => call().idFor(account) !== null,
    call,
  };
}

beforeEach(() => {
  now = Date.parse('2026-09-15T10:00:00.000Z');
});

it('a browser is known only for accounts that have signed in with it', () => {
  const one = browser();
  expect([one.call().isKnown(), one.knows(teacher)]).toEqual([false, false]);
  one.signIn(teacher);
  expect([one.call().isKnown(), one.knows(teacher)]).toEqual([true, true]);
  expect(one.knows({ ...teacher, id: 6 })).toBe(false);
  expect(one.knows({ ...teacher, kind: 'student' })).toBe(false);
});

it('a browser keeps its id while it keeps its cookie', () => {
  const [one, other] = [browser(), browser()];
  one.signIn(teacher);
  other.signIn(teacher);
  const name = one.call().idFor(teacher);
  one.signIn(pupil(1));
  one.signIn(teacher);
  expect([one.call().idFor(teacher), one.call().idFor(pupil(1))]).toEqual([name, name]);
  expect(other.call().idFor(teacher)).not.toBe(name);
});

it('a browser stays known to an account for a year after its last sign-in there, even if other accounts sign in later', () => {
  const one = browser();
  one.signIn(teacher);
  now += 200 * days;
  one.signIn(pupil(1));
  now += 164 * days;
  expect([one.knows(teacher), one.knows(pupil(1))]).toEqual([true, true]);
  now += days;
  expect([one.knows(teacher), one.knows(pupil(1))]).toEqual([false, true]);
  one.signIn(pupil(1));
  now += 364 * days;
  expect([one.knows(teacher), one.knows(pupil(1))]).toEqual([false, true]);
});

it('a browser is known for the last eight accounts, even if one signs in twice, in a small cookie', () => {
  const one = browser();
  for (let id = 1; id <= 10; id++) one.signIn(pupil(id));
  for (const id of [4, 4, 11]) one.signIn(pupil(id));
  const known = Array.from({ length: 11 }, (_, n) => n + 1).filter((id) => one.knows(pupil(id)));
  expect(known).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  expect(one.kept.cookie.length).toBeLessThan(350);
});

it('two device cookies of an account have only the day in common, and only characters that a cookie allows', () => {
  const one = browser();
  one.signIn(teacher);
  expect(one.kept.cookie).toMatch(/^[\w.-]+$/);
  const other = browser();
  other.signIn(teacher);
  const parts = ({ cookie }: { cookie: string }) => cookie.split('.');
  expect(parts(one.kept).filter((part) => parts(other.kept).includes(part))).toHaveLength(1);
});

it('a device cookie is ignored when it was changed, invented or signed for another purpose', () => {
  const one = browser();
  one.signIn(teacher);
  const { cookie } = one.kept;
  const text = cookie.slice(0, cookie.lastIndexOf('.'));
  const sealing = new Sealing(() => 'a secret of the installation', expect.unreachable);
  const foreign = new Sealing(() => 'a secret of another installation', expect.unreachable);
  for (const wrong of [
    text,
    `x${cookie}`,
    `${cookie}x`,
    cookie.replace(/\.\d+\./, '.999999.'),
    sealing.sign('device cookies', 'name').replace('name', text),
    foreign.sign('device cookies', text),
    '.',
    '....',
    'a.b.c',
  ]) {
    const call = browser(wrong).call();
    expect([wrong, call.isKnown(), call.idFor(teacher)]).toEqual([wrong, false, null]);
  }
  expect(browser(cookie).knows(teacher)).toBe(true);
});

it('a device cookie cannot be combined with the cookie of another browser', () => {
  const [one, other] = [browser(), browser()];
  one.signIn(teacher);
  other.signIn(pupil(1));
  const [, day, print] = one.kept.cookie.split('.');
  const [name] = other.kept.cookie.split('.');
  const combined = `${name}.${day}.${print}.${one.kept.cookie.split('.').at(-1)}`;
  expect(browser(combined).knows(teacher)).toBe(false);
});
