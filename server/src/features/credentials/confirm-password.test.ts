import { beforeEach, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../../test/administrators.ts';
import { repeatCountedEvents } from '../../../test/repeated-events.ts';
import { openSchool, superAdmin } from '../../../test/test-app.ts';

const minutes = 60_000;

const { test, school } = await openSchool();

beforeEach(() => {
  // Lets the failures of earlier tests expire.
  test.clock.advance(15 * minutes);
});

let heads = 0;
const head = (password = 'the password of a head'): Promise<Staff> => {
  const username = `head ${++heads}`;
  return createAdmin(test, { username, role: 'school_admin', schoolId: school.id, password });
};

const json = { 'content-type': 'application/json' };
const credential = { name: 'x', scopeType: 'school', scopes: ['scores:read'] };
const issue = (by: Staff, headers: Record<string, string>) => by.post('/api-tokens', credential, headers);

async function credentialOf(by: Staff): Promise<number> {
  const answer = await issue(by, { 'x-confirm-password': encodeURIComponent(by.password) });
  return (answer.data as { id: number }).id;
}

const listed = async (by: Staff) =>
  ((await by.get('/api-tokens')).data as { id: number }[]).map((one) => one.id);

it.each([
  ['an empty password', 400, { 'x-confirm-password': '' }],
  ["another administrator's password", 403, { 'x-confirm-password': superAdmin.password }],
])(
  'issuing or revoking a credential with %s answers %i and changes nothing',
  async (_what, status, headers) => {
    const by = await head();
    const kept = await credentialOf(by);
    const before = await listed(by);
    const sent = headers as Record<string, string>;
    const refused = { status, success: false, data: null };
    expect(await issue(by, sent)).toMatchObject(refused);
    expect(await by.delete(`/api-tokens/${kept}`, sent)).toMatchObject(refused);
    expect(await listed(by)).toEqual(before);
  },
);

it.each<[string, string, string, number?]>([
  ['a Latin-1 password as it is', 'geheim Straße ü', 'geheim Straße ü'],
  ['a password in another script percent-encoded', '密码 секрет 🔑', encodeURIComponent('密码 секрет 🔑')],
  ['a password that looks percent-encoded as it is', 'abc%20def', 'abc%20def'],
  ['a password with a bare percent sign as it is', '50%off!', '50%off!'],
  ['a password with a plus sign, which is no space', 'one+two+three', 'one+two+three'],
  ['no password that is encoded twice', 'abc def', encodeURIComponent('abc%20def'), 403],
])('the confirmation header may contain %s', async (_what, password, header, status = 200) => {
  const by = await head(password);
  expect((await issue(by, { 'x-confirm-password': header })).status).toBe(status);
});

it('the confirmation header may contain a Latin-1 password over a real connection', async () => {
  const by = await head('çédille à la crème');
  const origin = await test.listen();
  const response = await fetch(`${origin}/api/api-tokens`, {
    method: 'POST',
    headers: { ...json, cookie: by.cookie, 'x-confirm-password': by.password },
    body: JSON.stringify(credential),
  });
  expect(response.status).toBe(200);
});

it('confirmations answer 429 after 10 wrong passwords, until 15 minutes have passed, and then require the newest password', async () => {
  const by = await head();
  const id = await credentialOf(by);
  const wrong = { 'x-confirm-password': 'a wrong password' };
  for (let n = 0; n < 5; n++) expect((await issue(by, wrong)).status).toBe(403);
  for (let n = 0; n < 5; n++) expect((await by.delete(`/api-tokens/${id}`, wrong)).status).toBe(403);
  const right = { 'x-confirm-password': by.password };
  const change = { oldPassword: by.password, newPassword: 'a newer password' };
  for (const answer of [
    await issue(by, right),
    await by.delete(`/api-tokens/${id}`, right),
    await by.patch('/auth/me', change),
  ]) {
    expect(answer).toMatchObject({ status: 429, data: null, headers: { 'retry-after': '900' } });
  }
  // Logins stay open: only confirmations are throttled.
  expect((await (await test.signIn(by.username, by.password)).get('/auth/me')).status).toBe(200);
  test.clock.advance(15 * minutes);
  expect((await by.delete(`/api-tokens/${id}`, right)).status).toBe(200);
  expect((await by.patch('/auth/me', change)).status).toBe(200);
  expect((await issue(by, right)).status).toBe(403);
  expect((await issue(by, { 'x-confirm-password': 'a newer password' })).status).toBe(200);
});

it('a confirmation still works after failed logins have blocked the address', async () => {
  const by = await head();
  const id = await credentialOf(by);
  // As many failures as one address may have.
  const guess = () => expect(test.signIn('guessed', 'a wrong password')).rejects.toThrow('Wrong');
  await repeatCountedEvents(test.database.pool, 100, guess);
  await expect(test.signIn(by.username, by.password)).rejects.toThrow('Too many');
  const right = { 'x-confirm-password': by.password };
  expect((await by.delete(`/api-tokens/${id}`, right)).status).toBe(200);
  const change = { oldPassword: by.password, newPassword: 'a newer password' };
  expect((await by.patch('/auth/me', change)).status).toBe(200);
});
