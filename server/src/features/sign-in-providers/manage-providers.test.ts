import { afterAll, afterEach, expect, it } from 'vitest';
import { client, PlainBrowser } from '../../../test/identity-provider.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchoolWithProvider } from '../../../test/school-with-provider.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

const setup = await openSchoolWithProvider();
const { test, admin, provider, school } = setup;
const { schoolDb } = school;
const path = `/sign-in-providers/${setup.id}`;

afterAll(() => provider.stop());
afterEach(() => {
  provider.fault = null;
});

const findingOf = async (id: number) => {
  const answer = await admin.post(`/sign-in-providers/${id}/test`, { schoolDb });
  expect(answer.status).toBe(200);
  return (answer.data as { finding: string }).finding;
};

it('the API never returns the secret of a sign-in provider, and stores it encrypted', async () => {
  const list = await admin.get(`/sign-in-providers?schoolDb=${schoolDb}`);
  const changed = await admin.patch(path, { schoolDb, clientSecret: client.clientSecret });
  for (const { data } of [list, changed]) expect(JSON.stringify(data)).not.toContain(client.clientSecret);
  const [row] = await test.database.db.selectFrom('sign_in_provider').selectAll().execute();
  expect(row?.client_secret.toString('latin1')).not.toContain(client.clientSecret);
  expect(changed.data).toMatchObject({ name: 'School account', issuer: provider.issuer, kind: 'oidc' });
});

it('the secret of a sign-in provider is used only with its own issuer, otherwise a sign-in answers 404', async () => {
  const { db } = test.database;
  await db.updateTable('sign_in_provider').set({ issuer: 'https://evil.example' }).execute();
  expect((await setup.start(new PlainBrowser(), 'admin')).status).toBe(404);
  await db.updateTable('sign_in_provider').set({ issuer: provider.issuer }).execute();
  expect((await setup.start(new PlainBrowser(), 'admin')).status).toBe(303);
});

it('changing a provider’s issuer or client removes all bindings and requires the secret again', async () => {
  const browser = new PlainBrowser();
  await setup.signIn(browser, 'admin', 'subject of zhao.mei');
  const bound = async () => {
    const path = `/sign-in-providers?schoolDb=${schoolDb}`;
    return (await admin.read<{ boundAccounts: number }[]>(path))[0]?.boundAccounts;
  };
  expect(await bound()).toBe(1);
  expect((await admin.patch(path, { schoolDb, scopes: 'openid profile email' })).status).toBe(200);
  expect([await bound(), await setup.readSignedInUsername(browser)]).toEqual([1, 'zhao.mei']);
  const other = { schoolDb, clientId: 'another-app' };
  expect((await admin.patch(path, other)).status).toBe(400);
  expect((await admin.patch(path, { ...other, clientSecret: 'of-another-app' })).status).toBe(200);
  // Sessions opened at the provider end. Those opened with the password stay.
  expect([await bound(), await setup.readSignedInUsername(browser)]).toEqual([0, null]);
  expect((await setup.teacher.get('/auth/me')).status).toBe(200);
  await admin.patch(path, { schoolDb, ...client });
});

const other = await createSampleSchool(admin, 'Other School');
const newStudentsIn = ({ grades: [{ classes }] }: SampleSchool) => ({ createStudentsIn: classes[0].id });

it.each<[string, object, number]>([
  ['an issuer without https', { issuer: 'http://id.example' }, 400],
  ['an issuer on another machine without https', { issuer: 'http://10.0.0.1' }, 400],
  ['an issuer with a password in it', { issuer: 'https://user:word@id.example' }, 400],
  ['an issuer with a query', { issuer: 'https://id.example?tenant=1' }, 400],
  ['an issuer that is not a URL', { issuer: 'id.example' }, 400],
  ['a file URL', { issuer: 'file:///etc/passwd' }, 400],
  ['a secret with line breaks', { clientSecret: 'a\nb' }, 400],
  ['new students by address', { studentAttribute: 'email', ...newStudentsIn(school) }, 400],
  ['new students in another school', newStudentsIn(other), 404],
  ['the name of another provider', { name: 'School account' }, 409],
])('a sign-in provider is rejected with %s', async (_what, wrong, status) => {
  const input = { schoolDb, name: 'Wrong', issuer: 'https://id.example', ...client, ...wrong };
  expect((await admin.post('/sign-in-providers', input)).status).toBe(status);
});

it('a sign-in provider with http is rejected unless the setting allows loopback', async () => {
  const plain = await startTestApp({}, { shareDatabaseWith: test });
  const input = { schoolDb, name: 'Plain', issuer: provider.issuer, ...client };
  const before = provider.requestedPaths.length;
  expect((await (await plain.signIn()).post('/sign-in-providers', input)).status).toBe(400);
  expect(provider.requestedPaths.length).toBe(before);
});

it.each([
  ['looks at another claim', { claim: 'email' }],
  ['is switched off', { enabled: false }],
  ['is for students only', { forAdministrators: false }],
])('a sign-in fails when the provider meanwhile %s', async (name, change) => {
  const { id } = await setup.add({ name });
  const browser = new PlainBrowser();
  const address = await setup.signInAtProvider(browser, 'admin', 'subject of zhao.mei', { which: id });
  const statement = 'SELECT 1 FROM school WHERE id = $1 FOR UPDATE';
  const held = await LockedRows.selectedBy(test, statement, [school.id]);
  const [changing, back] = await held.startInOrder(
    () => admin.patch(`/sign-in-providers/${id}`, { schoolDb, ...change }),
    () => browser.open(address),
  );
  expect([changing.status, back.status]).toEqual([200, 403]);
  expect(await setup.readSignedInUsername(browser)).toBeNull();
  await setup.remove(id);
});

it('a sign-in that starts while its provider is deleted answers 404', async () => {
  const { id } = await setup.add({ name: 'Is deleted' });
  const held = await LockedRows.inTable(test, 'sign_in_provider', id);
  const starting = setup.start(new PlainBrowser(), 'admin', '', id);
  await held.waitUntilWaiting(1);
  await held.commit('DELETE FROM sign_in_provider WHERE id = $1', [id]);
  expect((await starting).status).toBe(404);
});

it('creating a sign-in provider answers 404 when the class for new students is deleted meanwhile', async () => {
  const gradeId = school.grades[0].id;
  const { id } = await admin.created<{ id: number }>('/classes', { schoolDb, gradeId, name: 'Is deleted' });
  const held = await LockedRows.ofClass(test, id);
  const input = { schoolDb, name: 'Too late', issuer: 'https://id.example', ...client };
  const adding = admin.post('/sign-in-providers', { ...input, createStudentsIn: id });
  await held.waitUntilWaiting(1);
  await held.commit('DELETE FROM class WHERE id = $1', [id]);
  expect(await adding).toMatchObject({ status: 404, data: null });
});

it('testing a sign-in provider reports ok, or which setting is wrong', async () => {
  expect(await findingOf(setup.id)).toBe('ok');
  const otherName = provider.issuer.replace('localhost', '127.0.0.1');
  for (const [settings, ...findings] of [
    [{ clientSecret: 'not-this-one' }, 'clientRejected'],
    [{ issuer: 'http://localhost:1' }, 'unreachable'],
    [{ issuer: setup.origin }, 'noDiscovery'],
    [{ issuer: otherName }, 'otherIssuer', 'unreachable'],
  ] as const) {
    const { id } = await setup.add({ name: `Wrong for ${findings[0]}`, ...settings });
    expect(findings).toContain(await findingOf(id));
  }
});

it.each([
  ['silent', 'unreachable'],
  ['failing', 'noDiscovery'],
  ['redirecting', 'noDiscovery'],
  ['endless', 'noDiscovery'],
] as const)(
  'testing a sign-in provider that is %s reports the problem after one request',
  async (fault, finding) => {
    provider.fault = fault;
    const before = provider.requestedPaths.length;
    expect(await findingOf(setup.id)).toBe(finding);
    expect(provider.requestedPaths.length - before).toBe(1);
  },
);

const choices = async (audience: string, school?: string) => {
  const of = school === undefined ? '' : `&schoolDb=${school}`;
  const { data } = await test.anonymous.internal.get(`/auth/providers?for=${audience}${of}`);
  return data as { providers: { name: string }[]; askForSchool: boolean; localSignIn: boolean };
};

it('the sign-in page lists the providers of the named school, or of the only school with providers', async () => {
  const { providers } = await choices('students', schoolDb);
  expect(providers[0]).toEqual({ id: setup.id, name: 'School account', schoolDb });
  expect((await choices('administrators')).providers).toEqual(providers);
  const nothing = { providers: [], askForSchool: false, localSignIn: true };
  expect(await choices('students', 'school_4711')).toEqual(nothing);

  const second = await admin.created<{ schoolDb: string }>('/schools', { name: 'Second School' });
  const input = { schoolDb: second.schoolDb, name: 'Second', issuer: 'https://id.example', ...client };
  const { id } = await admin.created<{ id: number }>('/sign-in-providers', { ...input, forStudents: false });
  expect(await choices('administrators')).toEqual({ ...nothing, askForSchool: true });
  expect((await choices('students')).providers).toEqual(providers);
  await admin.delete(`/sign-in-providers/${id}?schoolDb=${second.schoolDb}`);
});
