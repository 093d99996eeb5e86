import { describe, expect, it } from 'vitest';
import { generatePassword, hashPassword, verifyPassword } from './passwords.ts';

describe('a stored password', () => {
  it('is argon2id with 19 MiB, two passes and one lane, salted', async () => {
    const [first, second] = await Promise.all([hashPassword('secret word'), hashPassword('secret word')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(first).not.toContain('secret word');
  });

  it('is verified by exactly that password', async () => {
    const stored = await hashPassword('Pässwörd 密码 🔑');
    expect(await verifyPassword(stored, 'Pässwörd 密码 🔑')).toBe(true);
    for (const other of ['pässwörd 密码 🔑', 'Pässwörd 密码 🔑 ', 'Pässwörd', '']) {
      expect(await verifyPassword(stored, other)).toBe(false);
    }
  });

  it('of nobody is verified by no password, not even that of the decoy', async () => {
    for (const password of ['', 'nobody has this password', 'secret word']) {
      expect(await verifyPassword(null, password)).toBe(false);
    }
  });
});

describe('a password to verify', () => {
  it('does not wait for many that are being hashed, whether the user exists or not', async () => {
    const stored = await hashPassword('secret word');
    let hashed = 0;
    const many = Array.from({ length: 40 }, async () => {
      await hashPassword('one of many');
      hashed++;
    });
    await Promise.all([verifyPassword(stored, 'secret word'), verifyPassword(null, 'secret word')]);
    expect(hashed).toBeLessThan(40);
    await Promise.all(many);
  });
});

describe('a generated password', () => {
  it('has at least 6 characters, none that are read for one another, and is different every time', () => {
    const passwords = Array.from({ length: 300 }, () => generatePassword());
    for (const password of passwords) expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{10}$/);
    expect(new Set(passwords).size).toBe(passwords.length);
    expect(generatePassword(16)).toHaveLength(16);
  });
});
