import { connect } from 'node:net';
import { type InternalOperation, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { Staff } from './administrators.ts';
import type { AdminClient, InternalAnswer } from './identities.ts';
import { accessTable } from './internal-access-table.ts';
import { AccessWorld } from './internal-access-world.ts';
import { LockedRows } from './locked-rows.ts';
import { readAnswers } from './raw-connection.ts';
import { StaffedSchools } from './staffed-schools.ts';

/** Attacks with an open or stolen session, without the password (docs/security.md, A stolen session). */

const minutes = 60_000;

const world = await StaffedSchools.open();
const { test, school } = world;
const { internal } = test.anonymous;
const schoolDb = school.schoolDb;

/** Returns a session whose sign-in is too old to count as a confirmation. */
async function stolen(role: 'super_admin' | 'school_admin' = 'super_admin'): Promise<Staff> {
  const victim = await world.member(role);
  test.clock.advance(10 * minutes + 1);
  return victim;
}

const stateOf = async (session: AdminClient) => (await session.get('/auth/me')).status;
const statusAndReason = ({ status, reason }: InternalAnswer) => [status, reason];
const refused = [403, 'confirm'];
const isConfirmed = async (session: AdminClient) => {
  const { status, reason } = await session.delete('/admin/manage/999999999');
  expect([403, 404]).toContain(status);
  return reason !== 'confirm';
};
const confirmIn = (session: AdminClient, password: string) => session.post('/auth/confirm', { password });

describe('the need for a confirmation', () => {
  it('applies to every declared operation more than ten minutes after the last confirmation', async () => {
    const matrix = await AccessWorld.open();
    const declared: Readonly<Record<string, InternalOperation>> = internalOperations;
    const asked: { id: string; request: Awaited<ReturnType<AccessWorld['request']>> }[] = [];
    for (const row of accessTable) {
      const operation = declared[row.operation] as InternalOperation;
      const stepUp = operation.access === 'admin' && operation.stepUp;
      if (!stepUp) continue;
      const request = await matrix.request('super', row);
      if (stepUp === true || stepUp.when(request.body ?? {})) asked.push({ id: operation.id, request });
    }
    matrix.test.clock.advance(10 * minutes);
    const inTime = await matrix.send({ ...(asked[0]?.request as (typeof asked)[0]['request']) });
    expect(statusAndReason(inTime)).not.toEqual(refused);
    matrix.test.clock.advance(1);
    const answers = [];
    for (const { id, request } of asked) {
      const { 'x-confirm-password': _, ...headers } = request.headers as Record<string, string>;
      answers.push([id, ...statusAndReason(await matrix.send({ ...request, headers }))]);
    }
    expect(answers).toEqual(asked.map(({ id }) => [id, ...refused]));
    const needed = [
      'createAdministrator',
      'updateAdministrator',
      'deleteAdministrator',
      'resetUserPassword',
      'deleteSchool',
    ];
    expect(asked.map(({ id }) => id)).toEqual(expect.arrayContaining(needed));
  });

  it('does not apply to narrowing a credential or to daily work', async () => {
    const thief = await stolen();
    const { id } = await world.school.issue({ name: 'To be narrowed' });
    for (const [path, body] of [
      [`/api-tokens/${id}`, { name: 'Narrowed' }],
      [`/api-tokens/${id}`, { disabled: true }],
      [`/users/${world.places.first.students[0]?.id}?schoolDb=${schoolDb}`, { actualName: 'Li Wei' }],
      [
        `/users/${world.places.first.students[0]?.id}?schoolDb=${schoolDb}`,
        { classId: world.places.second.id, disabled: true },
      ],
    ] as const) {
      expect([path, (await thief.patch(path, body)).status]).toEqual([path, 200]);
    }
  });
});

describe('a stolen session', () => {
  it('cannot set a new password without the old password', async () => {
    const thief = await stolen();
    const password = 'password of the thief';
    expect(statusAndReason(await thief.patch(`/admin/manage/${thief.id}`, { password }))).toEqual(refused);
    const guessed = await thief.patch('/auth/me', { oldPassword: 'a guess', newPassword: password });
    expect(guessed.status).toBe(400);
    // Even a fresh sign-in does not replace the old password.
    const fresh = await test.signIn(thief.username, thief.password);
    const answer = await fresh.patch(`/admin/manage/${thief.id}`, { password });
    expect(answer).toMatchObject({ status: 403, message: expect.stringContaining('PATCH /api/auth/me') });
    await expect(test.signIn(thief.username, password)).rejects.toThrow('Wrong');
    expect(await stateOf(await test.signIn(thief.username, thief.password))).toBe(200);
  });

  it('cannot create an administrator or take over an administrator of a lower role', async () => {
    const lower = await world.member('class_admin', {
      gradeId: world.places.grade.id,
      classId: world.places.first.id,
    });
    const thief = await stolen();
    const password = 'password of the thief';
    const made = { username: 'accomplice', password, role: 'school_admin', schoolId: school.id };
    expect(statusAndReason(await thief.post('/admin/manage', made))).toEqual(refused);
    for (const change of [{ password }, { role: 'super_admin' }, { disabled: false }]) {
      expect(statusAndReason(await thief.patch(`/admin/manage/${lower.id}`, change))).toEqual(refused);
    }
    expect(statusAndReason(await thief.delete(`/admin/manage/${lower.id}`))).toEqual(refused);
    await expect(test.signIn('accomplice', password)).rejects.toThrow('Wrong');
    await expect(test.signIn(lower.username, password)).rejects.toThrow('Wrong');
    expect((await test.signIn(lower.username, lower.password)).password).toBe(lower.password);
  });

  it('cannot finish a slow request after the session has ended', async () => {
    const thief = await world.member('super_admin');
    const owner = await test.signIn(thief.username, thief.password);
    test.clock.advance(2 * minutes);
    const password = 'password of the thief';
    const body = JSON.stringify({ username: 'slow', password, role: 'school_admin', schoolId: school.id });
    const head = [
      'POST /api/admin/manage HTTP/1.1',
      'Host: localhost',
      `Cookie: ${thief.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '\r\n',
    ];
    const socket = connect({ port: Number(new URL(await test.listen()).port), host: '127.0.0.1' });
    const parts: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => parts.push(bytes));
    socket.write(head.join('\r\n') + body.slice(0, 5));
    // The server records the use once it knows the session, then waits for the rest of the body.
    const used = () => test.database.db.selectFrom('admin_session').where('admin_id', '=', thief.id);
    await expect
      .poll(async () => (await used().select('last_seen_at').execute()).map(({ last_seen_at: at }) => at))
      .toContain(test.clock.now().toISOString());
    const change = { oldPassword: thief.password, newPassword: 'battery staple' };
    expect((await owner.patch('/auth/me', change)).status).toBe(200);
    socket.write(body.slice(5));
    await expect.poll(() => readAnswers(Buffer.concat(parts)).answers).toMatchObject([{ status: 401 }]);
    socket.destroy();
    await expect(test.signIn('slow', password)).rejects.toThrow('Wrong');
  });

  it('cannot reset a student’s password, or change their username or email address', async () => {
    const student = world.places.first.students[1] as { id: number };
    const thief = await stolen('school_admin');
    const path = `/users/${student.id}`;
    expect(statusAndReason(await thief.post(`${path}/password?schoolDb=${schoolDb}`))).toEqual(refused);
    const password = 'password of the thief';
    // A provider finds an account by username or address.
    for (const change of [
      { password },
      { username: 'the thief' },
      { email: 'the.thief@school.example' },
      { actualName: 'Li Wei', email: null },
    ]) {
      expect(statusAndReason(await thief.patch(`${path}?schoolDb=${schoolDb}`, change))).toEqual(refused);
    }
  });

  it('cannot issue, widen or re-enable a credential', async () => {
    const { id } = await school.issue({ name: 'Card', scopes: ['students:read'], expiresInDays: 3 });
    const thief = await stolen();
    const path = `/api-tokens/${id}`;
    for (const change of [
      { scopes: ['students:read', 'scores:write'] },
      { expiresInDays: null },
      { expiresInDays: 300 },
      { disabled: false },
      { name: 'Harmless', disabled: false },
    ]) {
      expect(statusAndReason(await thief.patch(path, change))).toEqual(refused);
    }
    const body = { schoolDb, name: 'Mine', scopeType: 'school', scopes: ['students:read'] };
    expect((await thief.post('/api-tokens', body)).status).toBe(400);
    expect((await thief.post('/api-tokens', body, { 'x-confirm-password': 'a guess' })).status).toBe(403);
  });

  it('is not confirmed by another account’s password, and gets 429 after ten guesses', async () => {
    const accomplice = await world.member('school_admin');
    const thief = await stolen();
    const answer = await confirmIn(thief, accomplice.password);
    expect(answer).toMatchObject({ status: 403, data: null, message: 'The password is wrong' });
    expect(answer.reason).toBeUndefined();
    for (let n = 0; n < 9; n++) expect((await confirmIn(thief, `guess ${n}`)).status).toBe(403);
    expect(await confirmIn(thief, thief.password)).toMatchObject({ status: 429 });
    expect(await isConfirmed(thief)).toBe(false);
    const lines = (await world.chief.get(`/admin/activity?adminId=${thief.id}&action=confirmationFailed`))
      .data;
    expect(lines).toHaveLength(10);
    test.clock.advance(15 * minutes + 1);
  });

  it('is signed out unconfirmed when another person signs in in the same browser', async () => {
    const other = await world.member('school_admin');
    const thief = await stolen();
    const { username, password } = other;
    const signedIn = await internal.post('/auth/login', { username, password }, { cookie: thief.cookie });
    expect(signedIn.status).toBe(200);
    expect(await stateOf(thief)).toBe(401);
    const again = await stolen();
    await test.signIn(username, password);
    expect(await isConfirmed(again)).toBe(false);
  });

  it('stays unconfirmed when its owner confirms in another session', async () => {
    const thief = await stolen();
    const owner = await test.signIn(thief.username, thief.password);
    expect(await isConfirmed(owner)).toBe(true);
    test.clock.advance(10 * minutes + 1);
    expect(await isConfirmed(owner)).toBe(false);
    await owner.confirm();
    expect([await isConfirmed(owner), await isConfirmed(thief)]).toEqual([true, false]);
  });

  it('is not confirmed by use, nor by a password in x-confirm-password', async () => {
    const thief = await stolen();
    expect(await stateOf(thief)).toBe(200);
    test.clock.advance(2 * minutes);
    expect(await stateOf(thief)).toBe(200);
    await thief.issue(schoolDb);
    expect(await isConfirmed(thief)).toBe(false);
  });

  it('is signed out when its owner signs out all other sessions', async () => {
    const thief = await stolen();
    const owner = await test.signIn(thief.username, thief.password);
    expect((await owner.delete('/auth/sessions')).data).toEqual({ ended: 1 });
    expect([await stateOf(thief), await stateOf(owner)]).toEqual([401, 200]);
  });
});

describe('a confirmation', () => {
  it('allows the rejected operations in its session for ten minutes', async () => {
    const admin = await stolen();
    const body = { username: world.newName(), password: 'kindle42 kindle42', role: 'super_admin' };
    expect(statusAndReason(await admin.post('/admin/manage', body))).toEqual(refused);
    const until = new Date(test.clock.now().getTime() + 10 * minutes).toISOString();
    const confirmed = await confirmIn(admin, admin.password);
    expect(confirmed).toMatchObject({ status: 200, data: { confirmedUntil: until } });
    expect((await admin.post('/admin/manage', body)).status).toBe(200);
    test.clock.advance(10 * minutes);
    expect(await isConfirmed(admin)).toBe(true);
    test.clock.advance(1);
    expect(await isConfirmed(admin)).toBe(false);
  });

  it('also results from a change of the own password', async () => {
    const admin = await stolen();
    const change = { oldPassword: admin.password, newPassword: 'battery staple horse' };
    expect((await admin.patch('/auth/me', change)).status).toBe(200);
    expect(await isConfirmed(admin)).toBe(true);
  });

  it('does not count after the clock was set back by a day, and can be repeated then', async () => {
    const admin = await world.member('super_admin');
    const now = test.clock.now();
    const at = (ms: number) => test.clock.set(new Date(now.getTime() + ms).toISOString());
    // Clocks of several processes differ a little.
    at(-30_000);
    expect(await isConfirmed(admin)).toBe(true);
    at(-24 * 60 * minutes);
    expect([await stateOf(admin), await isConfirmed(admin)]).toEqual([200, false]);
    await admin.confirm();
    expect(await isConfirmed(admin)).toBe(true);
    at(0);
    expect([await stateOf(admin), await isConfirmed(admin)]).toEqual([200, false]);
  });

  it.each([
    ['before', 200],
    ['after', 401],
  ])(
    'cannot revive a session that signs out at the same moment (confirmed %s the sign-out)',
    async (order, status) => {
      const admin = await world.member('super_admin');
      const held = await LockedRows.selectedBy(
        test,
        'SELECT 1 FROM admin_session WHERE admin_id = $1 FOR UPDATE',
        [admin.id],
      );
      const signOut = () => admin.post('/auth/logout');
      const confirmNow = () => confirmIn(admin, admin.password);
      const [first, second] = order === 'before' ? [confirmNow, signOut] : [signOut, confirmNow];
      const one = first();
      await held.waitUntilWaiting(1);
      const two = second();
      await held.waitUntilWaiting(2);
      await held.release();
      const [confirmed] = await Promise.all(order === 'before' ? [one, two] : [two, one]);
      expect(confirmed?.status).toBe(status);
      expect(await stateOf(admin)).toBe(401);
    },
  );

  it('fails with 401 if another person resets the password at the same moment', async () => {
    const admin = await world.member('school_admin');
    const held = await LockedRows.selectedBy(
      test,
      'SELECT 1 FROM admin_session WHERE admin_id = $1 FOR UPDATE',
      [admin.id],
    );
    await world.chief.confirm();
    const reset = world.chief.patch(`/admin/manage/${admin.id}`, { password: 'another password' });
    await held.waitUntilWaiting(1);
    const confirmed = confirmIn(admin, admin.password);
    await held.waitUntilWaiting(2);
    await held.release();
    expect((await reset).status).toBe(200);
    expect((await confirmed).status).toBe(401);
    expect(await stateOf(admin)).toBe(401);
  });

  it('needs a session and a password in the body', async () => {
    expect((await internal.post('/auth/confirm', { password: 'x' })).status).toBe(401);
    const admin = await world.member('school_admin');
    for (const body of [undefined, {}, { password: 1 }, { pasword: admin.password }]) {
      expect((await admin.post('/auth/confirm', body)).status).toBe(400);
    }
  });
});
