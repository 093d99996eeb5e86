import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { addPasskey } from '../../../test/authenticator.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { InitialPasswords } from '../../access/initial-passwords.ts';
import { ensureFirstAdmin, resetAdminAccess } from './operator-access.ts';

const test = await startTestApp();

describe('First administrator', () => {
  beforeEach(async () => {
    await test.database.db.deleteFrom('admin').execute();
  });

  const ensure = (username: string, password: string | null) =>
    ensureFirstAdmin(test.database.db, username, password, test.clock.now());
  const usernames = async () => {
    const rows = await test.database.db.selectFrom('admin').select('username').execute();
    return rows.map((row) => row.username);
  };

  it('is created once by several processes at once, and one of them returns the generated password', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => ensure('chief', null)));
    const [password = '', ...others] = results.filter((one) => one !== null);
    expect([password, others]).toEqual([expect.stringMatching(/^[0-9A-Za-z]{16}$/), []]);
    expect(await ensure('chief', null)).toBeNull();
    expect(await usernames()).toEqual(['chief']);
    // This password stays valid, because it belongs to the only administrator.
    test.clock.advance(365 * 24 * 3_600_000);
    const me = await (await test.signIn('chief', password)).get('/auth/me');
    expect(me.data).toMatchObject({ username: 'chief', mustChangePassword: true });
  });

  it('is a super administrator with the given name and password, and is created only while no administrator exists', async () => {
    expect(await ensure('chief', 'a given password')).toBeNull();
    expect(await ensure('another', 'another password')).toBeNull();
    expect(await ensure('chief', 'a changed setting')).toBeNull();
    expect(await usernames()).toEqual(['chief']);
    const me = await (await test.signIn('chief', 'a given password')).get('/auth/me');
    const chief = { username: 'chief', role: 'super_admin', schoolId: null, mustChangePassword: false };
    expect(me.data).toMatchObject(chief);
    await createAdmin(test, { username: 'second', role: 'super_admin', schoolId: null });
    await test.database.db.deleteFrom('admin').where('username', '=', 'chief').execute();
    expect(await ensure('chief', 'a given password')).toBeNull();
    expect(await usernames()).toEqual(['second']);
  });
});

it('resetAdminAccess enables the only super administrator, sets a new password and removes the second factor', async () => {
  const alone = await createAdmin(test, { username: 'alone', role: 'super_admin', schoolId: null });
  await addPasskey(alone);
  const { db } = test.database;
  await db.updateTable('admin').set({ disabled: true }).where('id', '=', alone.id).execute();

  const initialPasswords = new InitialPasswords({ generated: 90, given: 0 });
  const password = await resetAdminAccess(db, 'alone', initialPasswords, test.clock.now());

  expect((await alone.get('/auth/me')).status).toBe(401);
  await expect(test.signIn('alone', alone.password)).rejects.toThrow('Login failed');
  const back = await test.signIn('alone', password);
  expect(await back.read('/auth/me')).toMatchObject({ role: 'super_admin', mustChangePassword: true });
  expect(await back.read('/auth/second-factor')).toMatchObject({ passkeys: [] });
  expect(await back.read(`/admin/activity?adminId=${alone.id}&action=passwordReset`)).toHaveLength(1);
});
