import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff, setCookieOf } from './administrators.ts';
import { Authenticator } from './authenticator.ts';
import { AdminClient, type InternalAnswer } from './identities.ts';
import { PlainBrowser } from './identity-provider.ts';
import { openSchoolWithProvider } from './school-with-provider.ts';
import { StaffedSchools } from './staffed-schools.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

/** Tests which sessions ask for confirmations and what confirms (docs/contract.md, Confirmation). */

const minutes = 60_000;
const world = await StaffedSchools.open();
const { test, chief, school } = world;
const { internal } = test.anonymous;
const { schoolDb } = school;

beforeEach(() => test.clock.advance(15 * minutes));

const statusAndReason = ({ status, reason }: InternalAnswer) => [status, reason];
const asked = [403, 'confirm'];
const header = (password: string) => ({ 'x-confirm-password': encodeURIComponent(password) });
type Session = Pick<AdminClient, 'delete'>;
const isAsked = async (session: Session) => {
  const { status, reason } = await session.delete('/admin/manage/999999999');
  expect([403, 404]).toContain(status);
  return reason === 'confirm';
};
const signIn = ({ username, password }: Staff, more: object) =>
  AdminClient.signIn(test.app.http, username, password, more);
const sessionOf = (answer: InternalAnswer) => {
  const { name, value } = setCookieOf(answer.headers) as { name: string; value: string };
  const headers = { cookie: `${name}=${value}` };
  return { headers, delete: (path: string) => internal.delete(path, headers) };
};

describe('a session that signed in without confirmations: true', () => {
  it('needs no confirmation for the specified calls six hours after its sign-in', async () => {
    const session = await signIn(chief, {});
    await chief.confirm();
    const doomed = await createSampleSchool(chief, world.newName('doomed'));
    const { id: tokenId } = await doomed.issue({ scopes: ['students:read'], expiresInDays: 30 });
    const student = doomed.grades[0].classes[0].students[0];
    test.clock.advance(6 * 60 * minutes);
    const person = { username: world.newName(), password: 'kindle42 kindle42', role: 'school_admin' };
    const { id } = await session.created<{ id: number }>('/admin/manage', {
      ...person,
      schoolId: doomed.id,
    });
    const answers = [
      await session.patch(`/admin/manage/${id}`, { role: 'super_admin' }),
      await session.delete(`/admin/manage/${id}`),
      await session.patch(`/users/${student?.id}?schoolDb=${doomed.schoolDb}`, {
        username: world.newName(),
        password: 'a new password',
      }),
      await session.patch(`/api-tokens/${tokenId}`, { scopes: ['scores:read'], expiresInDays: 60 }),
      await session.patch(`/api-tokens/${tokenId}`, { disabled: true }),
      await session.patch(`/api-tokens/${tokenId}`, { disabled: false }),
      await session.delete(`/schools/${doomed.id}`),
    ];
    expect(answers.map(statusAndReason)).toEqual(answers.map(() => [200, undefined]));
  });

  it('results from a sign-in with confirmations false or absent; an invalid value gets 400', async () => {
    for (const more of [{}, { confirmations: false }]) {
      const session = await signIn(await world.member('super_admin'), more);
      test.clock.advance(11 * minutes);
      expect(await isAsked(session)).toBe(false);
    }
    const { username, password } = chief;
    for (const confirmations of ['true', 2, 'yes']) {
      const answer = await internal.post('/auth/login', { username, password, confirmations });
      expect(answer).toMatchObject({ status: 400, message: expect.stringContaining('confirmations') });
    }
  });

  it('still needs the own password to change the password and to issue or revoke a credential', async () => {
    const session = await signIn(await world.member('super_admin'), {});
    const { id } = (await session.get('/auth/me')).data as { id: number };
    expect((await session.patch(`/admin/manage/${id}`, { password: 'another word' })).status).toBe(403);
    const { id: tokenId } = await session.issue(schoolDb);
    expect((await session.delete(`/api-tokens/${tokenId}`)).status).toBe(400);
    expect((await session.delete(`/api-tokens/${tokenId}`, header('a guess'))).status).toBe(403);
  });
});

describe('a session that signed in with confirmations: true', () => {
  it('must be confirmed before it deletes a school', async () => {
    const doomed = await createSampleSchool(chief, world.newName('doomed'));
    const session = await signIn(await world.member('super_admin'), { confirmations: true });
    test.clock.advance(11 * minutes);
    expect(statusAndReason(await session.delete(`/schools/${doomed.id}`))).toEqual(asked);
    expect((await session.get(`/schools/${doomed.id}`)).status).toBe(200);
    await session.confirm();
    expect((await session.delete(`/schools/${doomed.id}`)).status).toBe(200);
  });

  it('gets an error that names both ways to confirm: x-confirm-password and POST /api/auth/confirm', async () => {
    const { message } = await chief.delete('/admin/manage/999999999');
    expect(message).toContain('x-confirm-password');
    expect(message).toContain('POST /api/auth/confirm');
  });

  it('accepts the own password in x-confirm-password for one call only', async () => {
    const person = { username: world.newName(), password: 'kindle42 kindle42', role: 'super_admin' };
    const { id } = (await chief.post('/admin/manage', person, header(chief.password))).data as { id: number };
    expect(await isAsked(chief)).toBe(true);
    const right = header(chief.password);
    expect((await chief.patch(`/admin/manage/${id}`, { role: 'super_admin' }, right)).status).toBe(200);
    expect((await chief.delete(`/admin/manage/${id}`, right)).status).toBe(200);
    expect(await isAsked(chief)).toBe(true);
  });

  it('rejects wrong passwords and another person’s password with 403, and after ten guesses the right password with 429', async () => {
    const guesser = await world.member('super_admin');
    test.clock.advance(11 * minutes);
    const path = '/admin/manage/999999999';
    for (const wrong of ['a guess', chief.password]) {
      expect(await guesser.delete(path, header(wrong))).toMatchObject({
        status: 403,
        message: 'The password in x-confirm-password is wrong',
      });
    }
    expect(statusAndReason(await guesser.delete(path, { 'x-confirm-password': '' }))).toEqual(asked);
    for (let n = 0; n < 8; n++) expect((await guesser.delete(path, header(`guess ${n}`))).status).toBe(403);
    const late = await guesser.delete(path, header(guesser.password));
    expect(late).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() } });
  });

  it('still asks for confirmations after a confirmation, a new password and a sign-in elsewhere', async () => {
    const person = await world.member('super_admin');
    await person.confirm();
    const change = { oldPassword: person.password, newPassword: 'battery staple horse' };
    expect((await person.patch('/auth/me', change)).status).toBe(200);
    await AdminClient.signIn(test.app.http, person.username, 'battery staple horse', {});
    test.clock.advance(11 * minutes);
    expect(await isAsked(person)).toBe(true);
  });
});

describe('a passkey', () => {
  const withPasskey = async (role: 'super_admin' | 'school_admin' = 'super_admin') => {
    const person = await world.member(role);
    const key = new Authenticator();
    const made = await person.created<{ challenge: string }>('/auth/passkeys/challenge', {});
    await person.created('/auth/passkeys', key.make(made));
    const confirm = async (session: Pick<AdminClient, 'created' | 'post'>) => {
      const options = await session.created<{ challenge: string }>('/auth/confirm/passkey/challenge', {});
      expect((await session.post('/auth/confirm/passkey', key.answer(options))).status).toBe(200);
    };
    return { person, key, confirm };
  };

  it.each([
    [{ confirmations: true }, true],
    [{ confirmations: false }, false],
    [{}, false],
  ])('that signs in with %j opens a session that asks for confirmations: %s', async (more, isToAsk) => {
    const { key } = await withPasskey();
    const options = await internal.post('/auth/login/passkey/challenge');
    const cookie = setCookieOf(options.headers, 'challenge');
    const answer = await internal.post(
      '/auth/login/passkey',
      { ...key.answer(options.data as { challenge: string }), ...more },
      { cookie: `${cookie?.name}=${cookie?.value}` },
    );
    expect(answer.status).toBe(200);
    test.clock.advance(11 * minutes);
    expect(await isAsked(sessionOf(answer))).toBe(isToAsk);
  });

  it('replaces the password for issuing and revoking credentials, for ten minutes and in one session', async () => {
    const { person, confirm } = await withPasskey('school_admin');
    const body = { name: 'Card', scopeType: 'school', scopes: ['students:read'] };
    const other = await signIn(chief, { confirmations: true });
    expect((await person.post('/api-tokens', body)).status).toBe(400);
    await person.confirm();
    expect((await person.post('/api-tokens', body)).status).toBe(400);
    await confirm(person);
    const issued = await person.post('/api-tokens', body);
    expect(issued.status).toBe(200);
    const { id } = issued.data as { id: number };
    expect((await person.delete(`/api-tokens/${id}`, header('a guess'))).status).toBe(403);
    expect((await other.delete(`/api-tokens/${id}?schoolDb=${schoolDb}`)).status).toBe(400);
    test.clock.advance(10 * minutes + 1);
    const late = await person.delete(`/api-tokens/${id}`);
    expect(late).toMatchObject({ status: 400, message: expect.stringContaining('passkey') });
    await confirm(person);
    expect((await person.delete(`/api-tokens/${id}`)).status).toBe(200);
  });
});

describe('REQUIRE_CONFIRMATIONS', () => {
  it('makes every session ask for confirmations, also after a sign-in with confirmations: false', async () => {
    const strict = await startTestApp({ REQUIRE_CONFIRMATIONS: 'true' }, { shareDatabaseWith: test });
    const { username, password } = chief;
    for (const more of [{}, { confirmations: false }, { confirmations: true }]) {
      const session = await AdminClient.signIn(strict.app.http, username, password, more);
      expect(await isAsked(session)).toBe(false);
      test.clock.advance(11 * minutes);
      expect(await isAsked(session)).toBe(true);
    }
  });
});

describe('a sign-in at a provider', async () => {
  const setup = await openSchoolWithProvider();
  afterAll(() => setup.provider.stop());
  const who = 'subject of zhao.mei';
  const student = setup.school.grades[0].classes[0].students[0];

  const asks = async (browser: PlainBrowser) => {
    const { db } = setup.test.database;
    await db.updateTable('admin_session').set({ confirmed_at: '2026-01-01T00:00:00Z' }).execute();
    const answer = await browser.open(`${setup.origin}/api/users/${student?.id}/unbind`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ schoolDb: setup.school.schoolDb }),
    });
    return answer.status === 403;
  };

  it.each([
    ['with confirmations=1 opens a session that asks for confirmations', '&confirmations=1', {}, true],
    ['without confirmations opens a session that does not ask for confirmations', '', {}, false],
    ['from another site opens a session with confirmations', '', { 'sec-fetch-site': 'cross-site' }, true],
  ])('%s', async (_how, more, headers, isToAsk) => {
    const browser = new PlainBrowser();
    const { schoolDb } = setup.school;
    const start = `${setup.origin}/api/auth/sso/${setup.id}/start?for=admin&schoolDb=${schoolDb}${more}`;
    const started = await browser.open(start, { headers });
    const address = started.headers.get('location') as string;
    await browser.open(await browser.signInAt(setup.provider, address, who));
    expect(await setup.readSignedInUsername(browser)).toBe('zhao.mei');
    expect(await asks(browser)).toBe(isToAsk);
  });

  it('opens a session that asks for confirmations if the same person’s session in that browser already did', async () => {
    const browser = new PlainBrowser();
    await setup.signIn(browser, 'admin', who, { more: '&confirmations=1' });
    await setup.signIn(browser, 'admin', who);
    expect(await asks(browser)).toBe(true);
    await createAdmin(setup.test, { username: 'li.na', role: 'class_admin', ...placeOf(setup.school) });
    setup.provider.add('subject of li.na', { username: 'li.na' });
    browser.leaveProvider();
    await setup.signIn(browser, 'admin', 'subject of li.na');
    expect(await setup.readSignedInUsername(browser)).toBe('li.na');
    expect(await asks(browser)).toBe(false);
  });

  it('lets staff without a local password revoke a credential after confirming at the provider', async () => {
    const { schoolDb } = setup.school;
    const { id } = await setup.teacher.issue(schoolDb, {
      scopeType: 'class',
      scopeClassId: setup.school.grades[0].classes[0].id,
      scopes: ['students:read'],
    });
    const browser = new PlainBrowser();
    await setup.signIn(browser, 'admin', who, { more: '&confirmations=1' });
    const revoke = () => browser.open(`${setup.origin}/api/api-tokens/${id}`, { method: 'DELETE' });
    expect((await revoke()).status).toBe(400);
    setup.test.clock.set(new Date().toISOString());
    await setup.signIn(browser, 'confirmation', who);
    expect((await revoke()).status).toBe(200);
  });
});

const placeOf = ({ id, grades: [grade] }: (typeof world)['school']) => ({
  schoolId: id,
  gradeId: grade.id,
  classId: grade.classes[0].id,
});
