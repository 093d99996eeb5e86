import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../../test/administrators.ts';
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

const issue = (by: Staff, headers: Record<string, string>) =>
  by.post('/api-tokens', { name: 'x', scopeType: 'school', scopes: ['scores:read'] }, headers);

async function credentialOf(by: Staff): Promise<number> {
  const answer = await issue(by, { 'x-confirm-password': encodeURIComponent(by.password) });
  return (answer.data as { id: number }).id;
}

const listed = async (by: Staff) =>
  ((await by.get('/api-tokens')).data as { id: number }[]).map((one) => one.id);

describe('Password confirmation for issuing and revoking a credential', () => {
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

  it('issuing a credential requires the new password after a password change', async () => {
    const by = await head();
    const change = { oldPassword: by.password, newPassword: 'a newer password' };
    expect((await by.patch('/auth/me', change)).status).toBe(200);
    expect((await issue(by, { 'x-confirm-password': by.password })).status).toBe(403);
    expect((await issue(by, { 'x-confirm-password': 'a newer password' })).status).toBe(200);
  });

  it.each([
    ['a Latin-1 password as it is', 'geheim Straße ü', 'geheim Straße ü'],
    ['a password in another script percent-encoded', '密码 секрет 🔑', encodeURIComponent('密码 секрет 🔑')],
    ['a password that looks percent-encoded as it is', 'abc%20def', 'abc%20def'],
    ['a password with a bare percent sign as it is', '50%off!', '50%off!'],
    ['a password with a plus sign, which is no space', 'one+two+three', 'one+two+three'],
  ])('the confirmation header may contain %s', async (_what, password, header) => {
    const by = await head(password);
    expect((await issue(by, { 'x-confirm-password': header })).status).toBe(200);
  });

  it('the confirmation header is decoded once, not twice', async () => {
    const by = await head('abc def');
    const twice = encodeURIComponent(encodeURIComponent('abc def'));
    expect((await issue(by, { 'x-confirm-password': twice })).status).toBe(403);
  });

  it('the confirmation header may contain a Latin-1 password over a real connection', async () => {
    const by = await head('çédille à la crème');
    const origin = await test.listen();
    const response = await fetch(`${origin}/api/api-tokens`, {
      method: 'POST',
      headers: {
        cookie: by.cookie,
        'content-type': 'application/json',
        'x-confirm-password': by.password,
      },
      body: JSON.stringify({ name: 'x', scopeType: 'school', scopes: ['scores:read'] }),
    });
    expect(response.status).toBe(200);
  });

  it('confirmations answer 429 after 10 wrong passwords, until 15 minutes have passed', async () => {
    const by = await head();
    const id = await credentialOf(by);
    const wrong = { 'x-confirm-password': 'a wrong password' };
    for (let n = 0; n < 5; n++) expect((await issue(by, wrong)).status).toBe(403);
    for (let n = 0; n < 5; n++) expect((await by.delete(`/api-tokens/${id}`, wrong)).status).toBe(403);
    const right = { 'x-confirm-password': by.password };
    for (const answer of [await issue(by, right), await by.delete(`/api-tokens/${id}`, right)]) {
      expect(answer).toMatchObject({ status: 429, data: null, headers: { 'retry-after': '900' } });
    }
    // Logins stay open: only confirmations are throttled.
    expect((await (await test.signIn(by.username, by.password)).get('/auth/me')).status).toBe(200);
    test.clock.advance(15 * minutes);
    expect((await by.delete(`/api-tokens/${id}`, right)).status).toBe(200);
  });

  it('a confirmation still works after failed logins have blocked the address', async () => {
    const by = await head();
    const id = await credentialOf(by);
    // As many failures as one address may have, with any names.
    for (let n = 0; n < 100; n++) {
      await expect(test.signIn(`guessed ${n % 10}`, 'a wrong password')).rejects.toThrow('Wrong');
    }
    await expect(test.signIn(by.username, by.password)).rejects.toThrow('Too many');
    const right = { 'x-confirm-password': by.password };
    expect((await by.delete(`/api-tokens/${id}`, right)).status).toBe(200);
    const change = { oldPassword: by.password, newPassword: 'a newer password' };
    expect((await by.patch('/auth/me', change)).status).toBe(200);
  });
});
