import { createHash } from 'node:crypto';
import type { Permission } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type AdminClient, anonymous } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

interface Issued {
  id: number;
  token: string;
  prefix: string;
  scopes: Permission[];
  expiresAt: string | null;
  scopeType: string;
  scopeGradeId: number | null;
  scopeClassId: number | null;
}

const day = 86_400_000;

const { test, admin, school, staff } = await openStaffedSchool();

const plain = { name: 'Campus card', scopeType: 'school', scopes: ['students:read'] };

const issue = (by: AdminClient, body: object) =>
  by.post('/api-tokens', { ...plain, ...body }, { 'x-confirm-password': by.password });

async function issueSuccessfully(by: AdminClient, body: object): Promise<Issued> {
  const answer = await issue(by, body);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as Issued;
}

const ping = (token: string, app = test) =>
  anonymous(app.app.http).external.get('/ping', { 'x-api-token': token });

describe('Plaintext of a credential', () => {
  it('a credential’s plaintext is the prefix, 35 random characters and a checksum of 6', async () => {
    const { token, prefix } = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    expect(token).toMatch(/^cls_[0-9A-Za-z]{41}$/);
    expect(token).toHaveLength(45);
    expect(token.startsWith(prefix)).toBe(true);
    expect(prefix).toMatch(/^cls_[0-9A-Za-z]{4,8}$/);
    expect(await ping(token)).toMatchObject({ status: 200, data: { token: { prefix } } });
  });

  it('a credential begins with TOKEN_PREFIX, and credentials with an earlier prefix stay valid', async () => {
    const renamed = await startTestApp({ TOKEN_PREFIX: 'my-school_2' }, { shareDatabaseWith: test });
    const office = await renamed.signIn();
    const before = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    const { token } = await issueSuccessfully(office, { schoolDb: school.schoolDb });
    expect(token).toMatch(/^my-school_2_[0-9A-Za-z]{41}$/);
    for (const app of [test, renamed]) {
      expect((await ping(token, app)).status).toBe(200);
      expect((await ping(before.token, app)).status).toBe(200);
    }
  });

  it('the server stores only the SHA-256 of a credential', async () => {
    const { id, token } = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    const { rows } = await test.database.pool.query(
      'SELECT k::text AS row, token_hash FROM api_token k WHERE id = $1',
      [id],
    );
    expect(rows[0].row).not.toContain(token);
    expect(rows[0].row).not.toContain(token.slice(-20));
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest());
  });
});

describe('POST /api-tokens', () => {
  it('issuing a credential returns the whole record with the plaintext', async () => {
    const before = await issue(staff.ofSchool, { expiresInDays: 30, scopes: ['stats:read', 'scores:write'] });
    expect(before.data).toEqual({
      id: expect.any(Number),
      name: 'Campus card',
      prefix: expect.any(String),
      status: 'enabled',
      schoolId: school.id,
      scopeType: 'school',
      scopeGradeId: null,
      scopeClassId: null,
      scopes: ['stats:read', 'scores:write'],
      expiresAt: new Date(test.clock.now().getTime() + 30 * day).toISOString(),
      disabled: false,
      callCount: 0,
      lastUsedAt: null,
      lastUsedIp: null,
      createdAt: test.clock.now().toISOString(),
      createdBy: { id: staff.ofSchool.id, username: staff.ofSchool.username },
      token: expect.any(String),
    });
  });

  it('a credential gets the issuer’s grade or class when the request names none', async () => {
    const [grade] = school.grades;
    expect(await issueSuccessfully(staff.ofGrade, { scopeType: 'grade' })).toMatchObject({
      scopeGradeId: grade.id,
    });
    expect(await issueSuccessfully(staff.ofClass, { scopeType: 'class' })).toMatchObject({
      scopeClassId: grade.classes[0].id,
    });
  });

  it.each<[string, object]>([
    ['a blank name', { name: '  ' }],
    ['more days than the maximum', { expiresInDays: 366 }],
    ['a school credential with a grade', { scopeGradeId: 1 }],
    ['a school credential with a class', { scopeClassId: 1 }],
    ['a grade credential with a class', { scopeType: 'grade', scopeGradeId: 1, scopeClassId: 1 }],
  ])('issuing a credential with %s answers 400', async (_what, body) => {
    const answer = await issue(admin, { schoolDb: school.schoolDb, ...body });
    expect(answer).toMatchObject({ status: 400, success: false, data: null });
  });

  it('a credential has no expiry by default, and may have 1 day up to the configured maximum', async () => {
    const strict = await startTestApp({ TOKEN_MAX_EXPIRE_DAYS: '7' }, { shareDatabaseWith: test });
    const office = await strict.signIn();
    const until = async (by: AdminClient, days: object) =>
      (await issueSuccessfully(by, { schoolDb: school.schoolDb, ...days })).expiresAt;
    const inDays = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();
    expect(await until(admin, {})).toBeNull();
    expect(await until(admin, { expiresInDays: null })).toBeNull();
    expect(await until(admin, { expiresInDays: 1 })).toBe(inDays(1));
    expect(await until(admin, { expiresInDays: 365 })).toBe(inDays(365));
    expect(await until(office, { expiresInDays: 7 })).toBe(inDays(7));
    expect((await issue(office, { schoolDb: school.schoolDb, expiresInDays: 8 })).status).toBe(400);
    expect((await office.get('/api-tokens/meta')).data).toMatchObject({ maxExpireDays: 7 });
  });
});

describe('GET /api-tokens/meta', () => {
  it('lists the scope types that the caller may choose, and the grade and class to which the caller is limited', async () => {
    const [grade] = school.grades;
    const of = async (by: AdminClient) => {
      const { scopeTypes, fixedGradeId, fixedClassId } = (await by.get('/api-tokens/meta')).data as Record<
        string,
        unknown
      >;
      return { scopeTypes, fixedGradeId, fixedClassId };
    };
    const free = { scopeTypes: ['school', 'grade', 'class'], fixedGradeId: null, fixedClassId: null };
    expect(await of(admin)).toEqual(free);
    expect(await of(staff.ofSchool)).toEqual(free);
    expect(await of(staff.ofGrade)).toEqual({
      scopeTypes: ['grade', 'class'],
      fixedGradeId: grade.id,
      fixedClassId: null,
    });
    expect(await of(staff.ofClass)).toEqual({
      scopeTypes: ['class'],
      fixedGradeId: grade.id,
      fixedClassId: grade.classes[0].id,
    });
  });
});
