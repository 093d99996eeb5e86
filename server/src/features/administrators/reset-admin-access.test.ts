import { expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { InitialPasswords } from '../../access/initial-passwords.ts';
import { resetAdminAccess } from './reset-admin-access.ts';

const test = await startTestApp();

it('restores access of the only super administrator, enables the account and removes the second factor', async () => {
  const alone = await createAdmin(test, { username: 'alone', role: 'super_admin', schoolId: null });
  const { db } = test.database;
  await db
    .insertInto('passkey')
    .values({
      admin_id: alone.id,
      credential_id: 'lost',
      public_key: Buffer.from('lost'),
      counter: 0,
      rp_id: 'localhost',
      transports: [],
      name: 'Lost key',
      created_at: test.clock.now(),
    })
    .execute();
  await db.updateTable('admin').set({ disabled: true }).where('id', '=', alone.id).execute();

  const password = await resetAdminAccess(
    db,
    'alone',
    new InitialPasswords({ generated: 90, given: 0 }),
    test.clock.now(),
  );

  expect((await alone.get('/auth/me')).status).toBe(401);
  await expect(test.signIn('alone', alone.password)).rejects.toThrow('Login failed');
  const back = await test.signIn('alone', password);
  expect((await back.get('/auth/me')).data).toMatchObject({ role: 'super_admin', mustChangePassword: true });
  expect((await back.get('/auth/second-factor')).data).toMatchObject({ passkeys: [] });
  const lines = (await back.get(`/admin/activity?adminId=${alone.id}&action=passwordReset`)).data;
  expect(lines).toHaveLength(1);
});
