import { expect, it } from 'vitest';
import { delayPassword } from '../../test/cheap-argon2.ts';
import {
  confirmationCheck,
  generatePassword,
  hashPassword,
  loginCheck,
  type PasswordCheck,
  pronounceablePassword,
  verifyPassword,
} from './passwords.ts';

const login = (n = 1) => loginCheck('students', `student ${n}`, `10.0.0.${n}`);
const confirmation = confirmationCheck('administrator', 1);

// The cost of 19 MiB and two passes is proven with the real product: see start-database.broad.test.ts.
it('a stored password is a salted argon2id hash with a parallelism of 1', async () => {
  const [first, second] = await Promise.all([hashPassword('secret word'), hashPassword('secret word')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
  expect(first).not.toBe(second);
  expect(first).not.toContain('secret word');
});

it('a stored password matches only the original password', async () => {
  const stored = await hashPassword('Pässwörd 密码 🔑');
  expect(await verifyPassword(stored, 'Pässwörd 密码 🔑', login())).toBe(true);
  for (const other of ['pässwörd 密码 🔑', 'Pässwörd 密码 🔑 ', 'Pässwörd', '']) {
    expect(await verifyPassword(stored, other, login())).toBe(false);
  }
});

it('no password matches an unknown user, not even that of the decoy hash', async () => {
  for (const password of ['', 'nobody has this password', 'secret word']) {
    expect(await verifyPassword(null, password, login())).toBe(false);
  }
});

it('a password check at a login starts before queued hashes, whether the user exists or not', async () => {
  const stored = await hashPassword('secret word');
  await verifyPassword(null, 'secret word', login());
  const letGo = delayPassword('one of many');
  const many = Array.from({ length: 40 }, () => hashPassword('one of many'));
  const checks = [stored, null].map((hash) => verifyPassword(hash, 'secret word', login()));
  expect(await Promise.all(checks)).toEqual([true, false]);
  letGo();
  await Promise.all(many);
});

it('a password check starts before a flood of another kind or from another address', async () => {
  const stored = await hashPassword('secret word');
  const letGo = delayPassword('a guess', 20);
  const flood = (by: PasswordCheck) => Array.from({ length: 125 }, () => verifyPassword(null, 'a guess', by));
  const many = [...flood(login(1)), ...flood(loginCheck('administrators', 'head', '10.0.0.1'))];
  const others = [confirmation, login(2), loginCheck('administrators', 'head', '10.0.0.2')];
  const checks = others.map((by) => verifyPassword(stored, 'secret word', by));
  expect(await Promise.all(checks)).toEqual([true, true, true]);
  letGo();
  await Promise.all(many);
});

it('a password check is refused when 300 of its kind wait, while other kinds continue', async () => {
  const stored = await hashPassword('secret word');
  // An invalid hash fails at once, so these checks cost only their place in the queue.
  const flood = (n: number) =>
    verifyPassword('no hash', 'a guess', loginCheck('students', 'x', `10.0.0.${n}`));
  const answers = Promise.allSettled(Array.from({ length: 330 }, (_, n) => flood(n)));
  expect(await verifyPassword(stored, 'secret word', confirmation)).toBe(true);
  const reasons = (await answers).map((answer) => (answer as PromiseRejectedResult).reason);
  // Two start at once, 300 wait.
  expect(reasons.filter(({ kind }) => kind === 'unavailable')).toHaveLength(28);
});

it('a generated password has unambiguous characters, ten by default, and differs every time', () => {
  const passwords = Array.from({ length: 300 }, () => generatePassword());
  for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{10}$/);
  expect(new Set(passwords).size).toBe(passwords.length);
  expect(generatePassword(16)).toHaveLength(16);
});

it('a pronounceable password has four syllables and two digits without ambiguous characters, differs every time, and contains nothing rude in English or Chinese', () => {
  const many = Array.from({ length: 5_000 }, pronounceablePassword);
  for (const password of many) {
    expect(password).toMatch(/^([bdfghjkmnprstvwz][aeiou]){4}[2-9]{2}$/);
    expect(password).not.toMatch(/fuk|dik|nazi|rape|anus|pipi|jiba|nima|sabi|pigu|tama/);
  }
  // By chance two of 5,000 are equal once in some 200 runs; three equal ones do not occur.
  expect(new Set(many).size).toBeGreaterThan(4_997);
});
