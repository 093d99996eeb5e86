import { createHash } from 'node:crypto';
import { type Permission, permissionNames, permissions } from '@classledger/contract';
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

const { test, admin, school, other, staff } = await openStaffedSchool();

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
  it('is the prefix, 35 random characters and a checksum of 6', async () => {
    const { token, prefix } = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    expect(token).toMatch(/^cls_[0-9A-Za-z]{41}$/);
    expect(token).toHaveLength(45);
    expect(token.startsWith(prefix)).toBe(true);
    expect(prefix).toMatch(/^cls_[0-9A-Za-z]{4,8}$/);
    expect(await ping(token)).toMatchObject({ status: 200, data: { token: { prefix } } });
  });

  it('begins with TOKEN_PREFIX, and earlier credentials stay valid', async () => {
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

  it('is stored only as SHA-256', async () => {
    const { id, token } = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    const { rows } = await test.database.pool.query(
      'SELECT k::text AS row, token_hash FROM api_token k WHERE id = $1',
      [id],
    );
    expect(rows[0].row).not.toContain(token);
    expect(rows[0].row).not.toContain(token.slice(-20));
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest());
  });

  it('is returned once and in no later answer', async () => {
    const { id, token } = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
    const later = [
      await admin.get('/api-tokens'),
      await admin.patch(`/api-tokens/${id}`, { name: 'Renamed' }),
      await admin.get('/api-tokens/logs'),
      await ping(token),
    ];
    for (const answer of later) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer)).not.toContain(token.slice(-20));
    }
    expect(later[1]?.data).not.toHaveProperty('token');
  });

  it('differs each time', async () => {
    const tokens = await Promise.all(
      [1, 2, 3].map(() => issueSuccessfully(admin, { schoolDb: school.schoolDb })),
    );
    expect(new Set(tokens.map((entry) => entry.token)).size).toBe(3);
  });
});

describe('POST /api-tokens', () => {
  it('returns the whole record with the plaintext', async () => {
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

  it('uses the issuer’s grade or class when none is named', async () => {
    const [grade] = school.grades;
    expect(await issueSuccessfully(staff.ofGrade, { scopeType: 'grade' })).toMatchObject({
      scopeGradeId: grade.id,
    });
    expect(await issueSuccessfully(staff.ofClass, { scopeType: 'class' })).toMatchObject({
      scopeClassId: grade.classes[0].id,
    });
  });

  it('uses the issuer’s school, and requires a super administrator to name one', async () => {
    expect((await issue(admin, {})).status).toBe(400);
    expect((await issue(admin, { schoolDb: 'school_999999' })).status).toBe(404);
    expect(await issueSuccessfully(admin, { schoolDb: other.id })).toMatchObject({ schoolId: other.id });
    for (const member of [staff.ofSchool, staff.ofGrade, staff.ofClass]) {
      expect((await issue(member, { schoolDb: other.schoolDb })).status).toBe(403);
    }
  });

  it.each<[string, object]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: '  ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['no scope type', { scopeType: undefined }],
    ['an unknown scope type', { scopeType: 'world' }],
    ['no permissions', { scopes: undefined }],
    ['an empty list of permissions', { scopes: [] }],
    ['an unknown permission', { scopes: ['students:read', 'students:expel'] }],
    ['0 days', { expiresInDays: 0 }],
    ['more days than the maximum', { expiresInDays: 366 }],
    ['a grade credential without a grade', { scopeType: 'grade' }],
    ['a class credential without a class', { scopeType: 'class' }],
    ['a school credential with a grade', { scopeGradeId: 1 }],
    ['a school credential with a class', { scopeClassId: 1 }],
    ['a grade credential with a class', { scopeType: 'grade', scopeGradeId: 1, scopeClassId: 1 }],
  ])('answers 400 to %s', async (_what, body) => {
    const answer = await issue(admin, { schoolDb: school.schoolDb, ...body });
    expect(answer).toMatchObject({ status: 400, success: false, data: null });
  });

  it('answers 400 to a class outside the named grade', async () => {
    const [grade, otherGrade] = school.grades;
    const scope = { schoolDb: school.schoolDb, scopeType: 'class', scopeClassId: grade.classes[0].id };
    expect((await issue(admin, { ...scope, scopeGradeId: otherGrade.id })).status).toBe(400);
  });

  it('sets no expiry by default, and accepts 1 day to the configured maximum', async () => {
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
  });

  it('stores each permission once', async () => {
    const scopes = ['scores:read', 'students:read', 'scores:read'];
    const credential = await issueSuccessfully(admin, { schoolDb: school.schoolDb, scopes });
    expect(credential.scopes).toEqual(['scores:read', 'students:read']);
  });

  it('grants exactly the requested permissions', async () => {
    const { token } = await issueSuccessfully(admin, {
      schoolDb: school.schoolDb,
      scopes: ['structure:read'],
    });
    const { external } = anonymous(test.app.http);
    const headers = { authorization: `Bearer ${token}` };
    expect((await external.get('/grades', headers)).status).toBe(200);
    expect(await external.get('/students', headers)).toMatchObject({ status: 403, code: 40302 });
  });
});

describe('GET /api-tokens/meta', () => {
  it('lists the 12 permissions, two of them dangerous, and the longest validity', async () => {
    const { data } = await admin.get('/api-tokens/meta');
    const meta = data as { permissions: { name: string; dangerous: boolean; description: string }[] };
    expect(meta).toMatchObject({ maxExpireDays: 365, permissions: [...permissions] });
    expect(meta.permissions.map((permission) => permission.name)).toEqual([...permissionNames]);
    expect(meta.permissions).toHaveLength(12);
    expect(meta.permissions.filter((one) => one.dangerous).map((one) => one.name)).toEqual([
      'students:delete',
      'structure:delete',
    ]);
  });

  it('lists the scope types and fixed places that the caller’s range allows', async () => {
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

  it('returns the configured maximum', async () => {
    const strict = await startTestApp({ TOKEN_MAX_EXPIRE_DAYS: '90' }, { shareDatabaseWith: test });
    expect((await (await strict.signIn()).get('/api-tokens/meta')).data).toMatchObject({ maxExpireDays: 90 });
  });
});
