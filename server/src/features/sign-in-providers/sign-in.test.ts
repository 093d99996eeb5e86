import { afterAll, describe, expect, it } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { PlainBrowser, withQuery } from '../../../test/identity-provider.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchoolWithProvider } from '../../../test/school-with-provider.ts';
import { createSampleSchool, studentPassword } from '../../../test/test-app.ts';

const setup = await openSchoolWithProvider();
const { test, admin, provider, school, origin } = setup;
const { schoolDb } = school;
const [first, second] = school.grades[0].classes[0].students;

afterAll(() => provider.stop());

/** Creates a head of the school, and a person of the provider with this username. */
function newHead(username: string, subject = username) {
  provider.add(subject, { username });
  return createAdmin(test, { username, role: 'school_admin', schoolId: school.id });
}

type Options = Parameters<typeof setup.signIn>[3];

/** Signs in at the provider in a new browser. */
async function signIn(as: 'admin' | 'student', subject: string, options?: Options) {
  const browser = new PlainBrowser();
  const back = await setup.signIn(browser, as, subject, options);
  return { browser, back, status: back.status, username: await setup.readSignedInUsername(browser) };
}

/** Redeems the code with which a student comes back. */
async function redeem({ back }: Pick<Awaited<ReturnType<typeof signIn>>, 'back'>) {
  const code = /^\/student#code=(.+)$/.exec(back.headers.get('location') ?? '')?.[1];
  return test.anonymous.internal.post('/auth/student/code', { code });
}

it('an administrator who signs in at a provider gets a session, which replaces the browser’s session', async () => {
  const { browser, back, username } = await signIn('admin', 'subject of zhao.mei');
  expect([back.status, back.headers.get('location')]).toEqual([303, '/admin#signed-in']);
  expect(back.headers.get('cache-control')).toBe('no-store');
  expect(username).toBe('zhao.mei');
  expect(browser.cookie).toContain('classledger_device=');
  const former = browser.cookie;
  await setup.signIn(browser, 'admin', 'subject of zhao.mei');
  expect(await setup.readSignedInUsername(browser)).toBe('zhao.mei');
  expect((await fetch(`${origin}/api/auth/me`, { headers: { cookie: former } })).status).toBe(401);
});

it('an account stays bound to the provider’s subject under any username, until an administrator removes the binding', async () => {
  const { id } = await newHead('li.na', 'renamed');
  await signIn('admin', 'renamed');
  provider.add('renamed', { username: 'another name' });
  const { browser, username } = await signIn('admin', 'renamed');
  expect(username).toBe('li.na');
  provider.add('successor', { username: 'li.na' });
  expect(await signIn('admin', 'successor')).toMatchObject({ status: 403, username: null });

  const unbound = await admin.post(`/admin/manage/${id}/unbind`, {});
  expect(unbound).toMatchObject({ status: 200, data: { username: 'li.na', removed: 1 } });
  // The wrong person is signed out, and the owner is notified.
  expect(await setup.readSignedInUsername(browser)).toBeNull();
  const unbindings = await admin.get(`/admin/activity?adminId=${id}&action=unbound`);
  expect(unbindings.data).toMatchObject([{ action: 'unbound', ip: null, userAgent: null }]);
  expect((await signIn('admin', 'successor')).status).toBe(303);
  provider.add('renamed', { username: 'li.na' });
  expect((await signIn('admin', 'renamed')).status).toBe(403);
});

it('an administrator gets no session when the binding is removed during the sign-in', async () => {
  const { id } = await newHead('ma.li');
  await signIn('admin', 'ma.li');
  const browser = new PlainBrowser();
  const address = await setup.signInAtProvider(browser, 'admin', 'ma.li');
  const held = await LockedRows.selectedBy(test, 'SELECT 1 FROM admin WHERE id = $1 FOR UPDATE', [id]);
  const [unbinding] = await held.startInOrder(
    () => admin.post(`/admin/manage/${id}/unbind`, {}),
    () => browser.open(address),
  );
  expect(unbinding.data).toMatchObject({ removed: 1 });
  expect(await setup.readSignedInUsername(browser)).toBeNull();
});

it('an administrator keeps the binding with another role in the same school; a promotion ends it with its sessions and confirmations', async () => {
  const { id } = await newHead('riser');
  const { browser } = await signIn('admin', 'riser');
  const move = { role: 'grade_admin', gradeId: school.grades[0].id };
  const moved = await admin.patch(`/admin/manage/${id}`, move);
  expect([moved.status, await setup.readSignedInUsername(browser)]).toEqual([200, 'riser']);
  provider.add('riser', { username: 'renamed riser' });
  expect((await signIn('admin', 'riser')).status).toBe(303);

  provider.add('riser', { username: 'riser' });
  const promoted = await admin.patch(`/admin/manage/${id}`, { role: 'super_admin' });
  expect(promoted).toMatchObject({ status: 200, data: { role: 'super_admin' } });
  expect(await setup.readSignedInUsername(browser)).toBeNull();
  expect((await signIn('admin', 'riser')).status).toBe(403);
  const chief = await test.signIn('riser', 'password of riser');
  const taken = new PlainBrowser();
  taken.keep(chief.cookie);
  expect((await setup.start(taken, 'confirmation')).status).toBe(403);
  const { data } = await chief.get(`/admin/activity?adminId=${id}&action=unbound`);
  expect(data).toMatchObject([{ action: 'unbound', ip: null }]);
});

it('a sign-in at the provider is rejected without an enabled account of the school', async () => {
  const other = await createSampleSchool(admin, 'Other School');
  await createAdmin(test, { username: 'of another school', role: 'school_admin', schoolId: other.id });
  const gone = await newHead('disabled');
  await admin.patch(`/admin/manage/${gone.id}`, { disabled: true });
  for (const username of ['admin', 'of another school', 'disabled', 'nobody', first.username]) {
    provider.add(`called ${username}`, { username });
    const { back, ...found } = await signIn('admin', `called ${username}`);
    expect([username, found]).toMatchObject([username, { status: 403, username: null }]);
    expect(await back.text()).toMatch(/No account here fits.*<a href="\/admin">/s);
  }
  const names = await test.database.db.selectFrom('admin').select('username').execute();
  expect(names.map(({ username }) => username)).not.toContain('nobody');
});

it('a sign-in at the provider returns to the page where it started, but never to another site', async () => {
  const backTo = async (path: string) => {
    const more = `&return=${encodeURIComponent(path)}`;
    const { back } = await signIn('admin', 'subject of zhao.mei', { more });
    return back.headers.get('location');
  };
  expect(await backTo('/admin/students?class=3')).toBe('/admin/students?class=3#signed-in');
  const evil = ['//evil.example/admin', '/\\evil.example/admin'];
  for (const foreign of [...evil, '/admin/../student', '/administrators']) {
    expect([foreign, await backTo(foreign)]).toEqual([foreign, '/admin#signed-in']);
  }
});

it('an administrator who signs in at a provider does not have to change the initial password', async () => {
  const person = { username: 'newcomer', password: 'first-password-77', role: 'school_admin' };
  await admin.created('/admin/manage', { ...person, schoolId: school.id });
  provider.add('newcomer', { username: 'newcomer' });
  const { browser } = await signIn('admin', 'newcomer');
  const me = await (await browser.open(`${origin}/api/auth/me`)).json();
  expect(me).toMatchObject({ data: { username: 'newcomer', mustChangePassword: false } });
});

it('a student who signs in at a provider gets a code that works once within a minute', async () => {
  provider.add('first student', { username: first.username });
  const signedIn = await signIn('student', 'first student');
  const data = { id: first.id, openedWith: 'provider' };
  expect(await redeem(signedIn)).toMatchObject({ status: 200, data });
  expect((await redeem(signedIn)).status).toBe(401);
  const late = await signIn('student', 'first student');
  test.clock.advance(61_000);
  expect((await redeem(late)).status).toBe(401);
  test.clock.set(new Date().toISOString());
});

it('removing a student’s binding ends sessions and pending codes, and records an event', async () => {
  const third = school.grades[0].classes[1].students[0];
  provider.add('wrong person', { username: third.username });
  const { token } = (await redeem(await signIn('student', 'wrong person'))).data as { token: string };
  const onItsWay = await signIn('student', 'wrong person');
  const me = () => test.anonymous.internal.get('/auth/student/me', { authorization: `Bearer ${token}` });
  expect((await me()).status).toBe(200);
  const unbound = await admin.post(`/users/${third.id}/unbind`, { schoolDb });
  expect(unbound).toMatchObject({ status: 200, data: { removed: 1 } });
  expect((await me()).status).toBe(401);
  expect((await redeem(onItsWay)).status).toBe(401);
  const student = await test.signInStudent(schoolDb, third.username);
  const { data } = await student.get('/auth/student/events');
  expect((data as { kind: string }[]).map(({ kind }) => kind)).toContain('unbound');
});

it('a provider finds a student by a verified email address that no other student has', async () => {
  const claims = { claim: 'email', studentAttribute: 'email', scopes: 'openid email' };
  const byEmail = await setup.add({ name: 'By address', ...claims });
  const head = await newHead('head of pupils');
  const give = (id: number | undefined, email: string) => head.patch(`/users/${id}`, { schoolDb, email });
  await give(second.id, 'Pupil@school.example');
  const signInBy = async (subject: string, email: string, emailVerified: boolean) => {
    provider.add(subject, { username: 'x', email, emailVerified });
    return signIn('student', subject, { which: byEmail.id });
  };
  expect((await signInBy('unverified', 'pupil@school.example', false)).status).toBe(403);
  const back = await signInBy('verified', 'pupil@school.example', true);
  expect((await redeem(back)).data).toMatchObject({ id: second.id });

  const others = school.grades[1].classes[0].students;
  for (const { id } of others) await give(id, 'shared@school.example');
  expect((await signInBy('of a family', 'shared@school.example', true)).status).toBe(403);
  await setup.remove(byEmail.id);
});

it('a provider creates a missing student only if allowed, once, in the chosen class', async () => {
  provider.add('new pupil', { username: 'new.pupil', name: '新同学' });
  expect((await signIn('student', 'new pupil')).status).toBe(403);
  const classId = school.grades[1].classes[1].id;
  const { id: which } = await setup.add({ name: 'Creating', createStudentsIn: classId });
  const backs = await Promise.all([1, 2].map(() => signIn('student', 'new pupil', { which })));
  expect(backs.map(({ status }) => status)).toEqual([303, 303]);
  const list = await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}&search=new.pupil`);
  expect(list.data).toMatchObject([{ username: 'new.pupil', actualName: '新同学' }]);
  const redeemed = (await Promise.all(backs.map(redeem))).map(({ data }) => data);
  const created = { username: 'new.pupil', mustChangePassword: false };
  expect(redeemed).toContainEqual(expect.objectContaining(created));

  // Staff accounts are never created by a sign-in.
  expect((await signIn('admin', 'new pupil', { which })).status).toBe(403);
  await setup.remove(which);
});

const login = (username: string, password: string) =>
  test.anonymous.internal.post('/auth/login', { username, password });
const studentLogin = (username: string | undefined, password: string) =>
  test.anonymous.internal.post('/auth/student/login', { username, password, schoolDb });

it('without local sign-in, right passwords answer like wrong ones, except those of super administrators', async () => {
  const reset = await admin.post(`/users/${second.id}/password?schoolDb=${schoolDb}`);
  const { signInCode } = reset.data as { signInCode: string };
  const off = { schoolDb, administrators: false, students: false };
  expect((await admin.patch('/sign-in-providers/local', off)).status).toBe(200);
  const wrong = await login('zhao.mei', 'a wrong password');
  const right = await login('zhao.mei', setup.teacher.password);
  expect([right.status, right.message]).toEqual([401, wrong.message]);
  expect((await studentLogin(first.username, studentPassword)).status).toBe(401);
  expect((await test.anonymous.internal.post('/auth/student/code', { code: signInCode })).status).toBe(401);
  await test.signIn();

  expect((await signIn('admin', 'subject of zhao.mei')).username).toBe('zhao.mei');
  expect((await redeem(await signIn('student', 'first student'))).status).toBe(200);
});

it('a school without local sign-in gets 409 when it deletes, disables or restricts its last provider', async () => {
  const path = `/sign-in-providers/${setup.id}`;
  for (const change of [{ enabled: false }, { forStudents: false }, { forAdministrators: false }]) {
    expect((await admin.patch(path, { schoolDb, ...change })).status).toBe(409);
  }
  expect((await setup.remove(setup.id)).status).toBe(409);
  const on = { schoolDb, administrators: true, students: true };
  expect((await admin.patch('/sign-in-providers/local', on)).status).toBe(200);
  expect((await login('zhao.mei', setup.teacher.password)).status).toBe(200);
  expect((await admin.patch(path, { schoolDb, forStudents: false })).status).toBe(200);
  expect((await admin.patch('/sign-in-providers/local', { schoolDb, students: false })).status).toBe(409);
  await admin.patch(path, { schoolDb, forStudents: true });
});

describe('Confirmation at the provider', () => {
  /** Signs in as our pages do. */
  const signedIn = async () =>
    (await signIn('admin', 'subject of zhao.mei', { more: '&confirmations=1' })).browser;
  const forget = () => test.database.pool.query("UPDATE admin_session SET confirmed_at = '2026-01-01'");
  const isConfirmed = async (browser: PlainBrowser) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ schoolDb }) };
    const answer = await browser.open(`${origin}/api/users/${first.id}/unbind`, init);
    return answer.status === 200;
  };

  it('counts for the session that requested it, after a new authentication', async () => {
    const browser = await signedIn();
    test.clock.advance(11 * 60_000);
    expect(await isConfirmed(browser)).toBe(false);
    test.clock.set(new Date().toISOString());
    await forget();
    expect(await isConfirmed(browser)).toBe(false);
    const started = await setup.start(browser, 'confirmation');
    const address = new URL(started.headers.get('location') as string);
    expect([address.searchParams.get('prompt'), address.searchParams.get('max_age')]).toEqual(['login', '0']);
    const back = await browser.open(await browser.signInAt(provider, address.href, 'subject of zhao.mei'));
    const page = expect.stringMatching(/<title>You are signed in\..*BroadcastChannel/s);
    expect([back.status, await back.text()]).toEqual([200, page]);
    expect(await isConfirmed(browser)).toBe(true);
  });

  it('is rejected for another person, another session, no session, or without a new authentication', async () => {
    const browser = await signedIn();
    await forget();
    browser.leaveProvider();
    expect((await setup.signIn(browser, 'confirmation', 'renamed')).status).toBe(403);
    browser.leaveProvider();
    expect((await setup.start(new PlainBrowser(), 'confirmation')).status).toBe(403);

    // The browser removes the request for a new authentication, so the provider uses its own session.
    const change = (address: string) =>
      withQuery(address, (query) => {
        query.delete('prompt');
        query.delete('max_age');
      });
    await setup.signIn(browser, 'admin', 'subject of zhao.mei');
    await forget();
    // A minute later than the provider's authentication, regardless of how long that took.
    test.clock.set(new Date().toISOString());
    test.clock.advance(60_000);
    const unasked = await setup.signInAtProvider(browser, 'confirmation', 'subject of zhao.mei', { change });
    expect((await browser.open(unasked)).status).toBe(403);
    test.clock.set(new Date().toISOString());

    const begun = await setup.signInAtProvider(browser, 'confirmation', 'subject of zhao.mei');
    await setup.signIn(browser, 'admin', 'subject of zhao.mei');
    await forget();
    expect((await browser.open(begun)).status).toBe(403);
    expect(await isConfirmed(browser)).toBe(false);
  });

  it('is rejected at another school’s provider, even with an old binding there', async () => {
    const other = await createSampleSchool(admin, 'School of a moved one');
    const moved = await createAdmin(test, { username: 'moved', role: 'school_admin', schoolId: other.id });
    const { db } = test.database;
    // Older versions could leave such a binding behind.
    const bound = { school_id: school.id, provider_id: setup.id, admin_id: moved.id, student_id: null };
    await db
      .insertInto('sign_in_identity')
      .values({ ...bound, subject: 'moved', created_at: test.clock.now() })
      .execute();
    const browser = new PlainBrowser();
    browser.keep(moved.cookie);
    expect((await setup.start(browser, 'confirmation')).status).toBe(403);
    await db.updateTable('admin').where('id', '=', moved.id).set({ school_id: school.id }).execute();
    provider.add('moved', { username: 'moved' });
    const begun = await setup.signInAtProvider(browser, 'confirmation', 'moved');
    await db.updateTable('admin').where('id', '=', moved.id).set({ school_id: other.id }).execute();
    expect((await browser.open(begun)).status).toBe(403);
  });

  it('does not bind an account, so a stolen session cannot bind another subject', async () => {
    await newHead('unbound', 'taker');
    const client = await test.signIn('unbound', 'password of unbound');
    const browser = new PlainBrowser();
    browser.keep(client.cookie);
    expect((await setup.signIn(browser, 'confirmation', 'taker')).status).toBe(403);
    expect((await signIn('admin', 'taker')).status).toBe(303);
  });
});
