import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import { auditRecordOf, auditRecords } from '../../test/audit.ts';
import type { CredentialClient, ExternalAnswer } from '../../test/identities.ts';
import { startTestApp } from '../../test/test-app.ts';
import { generateToken } from '../access/token.ts';

const dayMs = 86_400_000;

const test = await startTestApp();
let admin = await test.signIn();

describe('Authentication of the external API', () => {
  let school: { id: number; schoolDb: string };
  let issuer: Staff;
  let credential: CredentialClient;
  let counter = 0;

  beforeEach(async () => {
    // Some tests move the clock past the end of a session.
    admin = await test.signIn();
    school = await admin.created('/schools', { name: `School ${++counter}` });
    const account = { username: `issuer ${counter}`, role: 'school_admin', schoolId: school.id } as const;
    issuer = await createAdmin(test, account);
    credential = await issuer.issue(school.schoolDb, { expiresInDays: 1 });
  });

  const disable = () => admin.patch(`/api-tokens/${credential.id}`, { disabled: true });
  const revoke = () => admin.delete(`/api-tokens/${credential.id}`, { 'x-confirm-password': admin.password });
  const expire = () => test.clock.advance(dayMs + 1);
  const disableSchool = () => admin.patch(`/schools/${school.id}`, { disabled: true });
  const disableIssuer = () =>
    test.database.db.updateTable('admin').set({ disabled: true }).where('id', '=', issuer.id).execute();
  const ping = (token: string) => test.anonymous.external.get('/ping', { authorization: `Bearer ${token}` });
  /** Calls until the process has received the notification of the change. */
  async function refusal(code: number): Promise<ExternalAnswer> {
    for (;;) {
      const answer = await credential.get('/ping');
      if (answer.code === code || answer.code !== 0) return answer;
    }
  }

  it.each([
    ['Authorization: Bearer', (token: string) => ({ authorization: `Bearer ${token}` })],
    ['Authorization: bearer in lower case', (token: string) => ({ authorization: `bearer ${token}` })],
    ['X-API-Token', (token: string) => ({ 'x-api-token': token })],
    [
      'X-API-Token beside another scheme of Authorization',
      (token: string) => ({ 'x-api-token': token, authorization: 'Basic YTpi' }),
    ],
  ])('accepts the token from %s', async (_name, headers) => {
    const answer = await test.anonymous.external.get('/ping', headers(credential.token));
    expect(answer).toMatchObject({ status: 200, code: 0, data: { token: { prefix: expect.any(String) } } });
  });

  it.each([
    ['no header at all', {}],
    ['an empty X-API-Token', { 'x-api-token': '' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['Bearer without a token', { authorization: 'Bearer ' }],
    ['a session cookie', null],
  ])('answers 40101 to %s', async (_name, headers) => {
    const answer = await test.anonymous.external.get('/ping', headers ?? { cookie: admin.cookie });
    expect(answer).toMatchObject({ status: 401, code: 40101, data: null });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    const nobody = { tokenId: null, tokenPrefix: null, schoolId: null };
    const record = { ...nobody, statusCode: 401, errorMessage: answer.message };
    expect(await auditRecordOf(admin, answer.requestId)).toMatchObject(record);
  });

  it('answers 40102 to an unknown token and a wrong checksum, and audits both', async () => {
    const changed = [0, 4, 20, 44].map((at) => {
      const { token } = credential;
      return token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
    });
    for (const token of [generateToken('cls'), ...changed, 'x', '€']) {
      const answer = await test.anonymous.external.get('/ping', { 'x-api-token': token });
      expect(answer).toMatchObject({ status: 401, code: 40102, data: null });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      const record = await auditRecordOf(admin, answer.requestId);
      expect(record).toMatchObject({ tokenId: null, schoolId: null, statusCode: 401, path: '/api/v1/ping' });
    }
  });

  describe('with several reasons to refuse', () => {
    const order = [
      ['a disabled credential', 40103, disable],
      ['an expired credential', 40104, async () => expire()],
      ['a disabled school', 40301, disableSchool],
      ['a disabled issuer', 40105, disableIssuer],
    ] as const;

    it.each(order.map(([name, code], i) => [name, code, i] as const))(
      'of several reasons, a refusal names %s (reason %i of the list) before all later reasons',
      async (_name, code, from) => {
        for (const [, , cause] of order.slice(from)) await cause();
        expect(await refusal(code)).toMatchObject({ code, data: null });
      },
    );

    it('of several reasons, a refusal names a revoked credential as disabled, before all later reasons', async () => {
      await revoke();
      for (const [, , cause] of order.slice(1)) await cause();
      expect((await credential.get('/ping')).code).toBe(40103);
    });
  });

  describe('Use of a credential', () => {
    const listed = async (): Promise<Record<string, unknown>> => {
      const all = (await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`)).data as { id: number }[];
      return all.find((record) => record.id === credential.id) as unknown as Record<string, unknown>;
    };

    it('a credential counts every authenticated call, even a call that is refused later', async () => {
      expect(await listed()).toMatchObject({ callCount: 0, lastUsedAt: null, lastUsedIp: null });
      await credential.get('/ping');
      test.clock.advance(60_000);
      expect((await credential.get('/students/0')).code).toBe(40002);
      expect((await credential.get('/nothing')).code).toBe(40401);
      expect((await credential.post('/students', '{')).code).toBe(40001);
      await expect.poll(listed).toMatchObject({
        callCount: 4,
        lastUsedAt: test.clock.now().toISOString(),
        lastUsedIp: '127.0.0.1',
      });
      expect((await credential.get('/ping')).data).toMatchObject({ token: { callCount: 4 } });
    });

    it('a credential does not count a call that fails authentication', async () => {
      await credential.get('/ping');
      await expect.poll(listed).toMatchObject({ callCount: 1 });
      const used = await listed();
      test.clock.advance(60_000);
      await disable();
      await credential.get('/ping');
      await admin.patch(`/api-tokens/${credential.id}`, { disabled: false });
      await ping(`${credential.token}x`);
      await test.anonymous.external.get('/ping');
      await credential.get('/ping');
      await expect.poll(listed).toMatchObject({ callCount: 2 });
      const lastUsedAt = test.clock.now().toISOString();
      expect(await listed()).toEqual({ ...used, callCount: 2, lastUsedAt });
    });
  });

  it('answers and audit records never contain a token', async () => {
    const answers = [await credential.get('/ping'), await ping(generateToken('cls'))];
    await disable();
    answers.push(await credential.get('/ping'));
    const shown = JSON.stringify([answers, await auditRecords(admin)]);
    expect(shown).not.toContain(credential.token);
    expect(shown).not.toContain(credential.token.slice(-20));
  });
});
