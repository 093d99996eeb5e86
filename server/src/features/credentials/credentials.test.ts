import { createHash } from 'node:crypto';
import type { Credential } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type AdminClient, anonymous, type IssueInput } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

type Issued = { id: number; token: string; expiresAt: string | null };

const day = 86_400_000;

let { test, admin, school, other, staff } = await openStaffedSchool();
const settings = { TOKEN_PREFIX: 'my-school_2', TOKEN_MAX_EXPIRE_DAYS: '7' };
const configured = await startTestApp(settings, { shareDatabaseWith: test });
const [grade] = school.grades;
const classElsewhere = { scopeClassId: other.grades[0].classes[0].id };

const plain = { name: 'Campus card', scopeType: 'school', scopes: ['students:read'] };

const issue = (by: AdminClient, body: object, query = '') =>
  by.post(`/api-tokens${query}`, { ...plain, ...body }, { 'x-confirm-password': by.password });
const issueFor = (body: object, by = admin, query = '') => issue(by, body, query);

async function issueSuccessfully(by: AdminClient, body: object): Promise<Issued> {
  const answer = await issue(by, body);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as Issued;
}

const ping = (token: string, app = test) =>
  anonymous(app.app.http).external.get('/ping', { 'x-api-token': token });

const inDays = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

async function list(by: AdminClient, query = ''): Promise<Credential[]> {
  const answer = await by.get(`/api-tokens${query}`);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as Credential[];
}

const listed = async (id: number) => (await list(admin)).find((credential) => credential.id === id);

it('a credential begins with TOKEN_PREFIX, and credentials with an earlier prefix stay valid', async () => {
  const office = await configured.signIn();
  const before = await issueSuccessfully(admin, { schoolDb: school.schoolDb });
  const { token } = await issueSuccessfully(office, { schoolDb: school.schoolDb });
  expect(token).toMatch(/^my-school_2_[0-9A-Za-z]{41}$/);
  for (const app of [test, configured]) {
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

it('issuing a credential returns the whole record with the plaintext', async () => {
  const before = await issue(staff.ofSchool, { expiresInDays: 30, scopes: ['stats:read', 'scores:write'] });
  const { id, username } = staff.ofSchool;
  expect(before.data).toEqual({
    ...{ id: expect.any(Number), name: 'Campus card', schoolId: school.id },
    ...{ prefix: expect.stringMatching(/^cls_/), token: expect.any(String) },
    ...{ scopeType: 'school', scopeGradeId: null, scopeClassId: null },
    ...{ scopes: ['stats:read', 'scores:write'], status: 'enabled', disabled: false },
    ...{ callCount: 0, lastUsedAt: null, lastUsedIp: null },
    expiresAt: new Date(test.clock.now().getTime() + 30 * day).toISOString(),
    ...{ createdAt: test.clock.now().toISOString(), createdBy: { id, username } },
  });
});

it('a credential gets the issuer’s grade or class when the request names none', async () => {
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
  const office = await configured.signIn();
  const until = async (by: AdminClient, days: object) =>
    (await issueSuccessfully(by, { schoolDb: school.schoolDb, ...days })).expiresAt;
  expect(await until(admin, {})).toBeNull();
  expect(await until(admin, { expiresInDays: null })).toBeNull();
  expect(await until(admin, { expiresInDays: 1 })).toBe(inDays(1));
  expect(await until(admin, { expiresInDays: 365 })).toBe(inDays(365));
  expect(await until(office, { expiresInDays: 7 })).toBe(inDays(7));
  expect((await issue(office, { schoolDb: school.schoolDb, expiresInDays: 8 })).status).toBe(400);
  expect((await office.get('/api-tokens/meta')).data).toMatchObject({ maxExpireDays: 7 });
});

it('GET /api-tokens/meta lists the scope types that the caller may choose, and the grade and class to which the caller is limited', async () => {
  for (const [by, scopeTypes, fixedGradeId, fixedClassId] of [
    [admin, ['school', 'grade', 'class'], null, null],
    [staff.ofSchool, ['school', 'grade', 'class'], null, null],
    [staff.ofGrade, ['grade', 'class'], grade.id, null],
    [staff.ofClass, ['class'], grade.id, grade.classes[0].id],
  ] as const) {
    const { data } = await by.get('/api-tokens/meta');
    expect(data).toMatchObject({ scopeTypes, fixedGradeId, fixedClassId });
  }
});

it('without naming a school, a super administrator issues a credential for a grade or class of any school', async () => {
  for (const { id, grades } of [school, other]) {
    const scopeGradeId = grades[0].id;
    const scopeClassId = grades[0].classes[0].id;
    const ofGrade = await issueFor({ scopeType: 'grade', scopeGradeId });
    expect(ofGrade).toMatchObject({ status: 200, data: { schoolId: id, scopeGradeId } });
    const ofClass = await issueFor({ scopeType: 'class', scopeClassId });
    expect(ofClass).toMatchObject({ status: 200, data: { schoolId: id, scopeClassId } });
    const { data } = await admin.get('/admin/activity?limit=1');
    expect(data).toMatchObject([{ action: 'issueCredential', schoolId: id }]);
  }
});

it.each([
  ['a missing grade', { scopeType: 'grade', scopeGradeId: 999_999_999 }, 404, /^The grade was not found/],
  ['a missing class', { scopeType: 'class', scopeClassId: 999_999_999 }, 404, /^The class was not found/],
  ['a class of another grade', { scopeType: 'class', scopeGradeId: grade.id, ...classElsewhere }, 400],
  ['no grade', { scopeType: 'grade' }, 400],
  ['no class', { scopeType: 'class', scopeClassId: null }, 400],
  ['a school, where there are several', { scopeType: 'school' }, 400],
])('a credential that names no school is rejected for %s', async (_what, body, status, message = /./) => {
  expect(await issueFor(body)).toMatchObject({
    status,
    data: null,
    message: expect.stringMatching(message),
  });
});

it('a credential that names no school is for the only school when there is just one', async () => {
  const alone = await (await startTestApp()).signIn();
  const { id } = await alone.created<{ id: number }>('/schools', { name: 'The only one' });
  const answer = await issueFor({}, alone);
  expect(answer).toMatchObject({ status: 200, data: { schoolId: id } });
  expect((await issueFor({ scopeType: 'grade' }, alone)).status).toBe(400);
});

it('schoolId works like schoolDb, in body and query, as key and as id', async () => {
  const { id, schoolDb } = other;
  for (const answer of [
    await issueFor({ schoolId: id }),
    await issueFor({ schoolId: schoolDb }),
    await issueFor({ schoolId: id, schoolDb }),
    await issueFor({ schoolId: null, schoolDb }),
    await issueFor({}, admin, `?schoolId=${id}`),
  ]) {
    expect(answer).toMatchObject({ status: 200, data: { schoolId: id } });
  }
  const users = await admin.get(`/users?schoolId=${id}`);
  expect(users).toMatchObject({ status: 200, data: (await admin.get(`/users?schoolDb=${id}`)).data });
});

it.each([
  ['two schools in the body', { schoolId: school.id, schoolDb: other.schoolDb }, ''],
  ['two schools in body and query', { schoolId: school.id }, `?schoolDb=${other.schoolDb}`],
  ['two schools in the query', {}, `?schoolDb=${other.schoolDb}&schoolId=${school.id}`],
])('schoolId and schoolDb answer 400 for %s', async (_what, body, query) => {
  expect(await issueFor(body, admin, query)).toMatchObject({ status: 400, data: null });
});

it('credentials are listed newest first, with the total', async () => {
  const ids = [];
  for (const name of ['first', 'second', 'third']) ids.push((await other.issue({ name })).id);
  const read = async (query: string) => {
    const answer = await admin.get(`/api-tokens?schoolDb=${other.schoolDb}${query}`);
    const found = (answer.data as Credential[]).map((credential) => credential.id);
    return { found, total: answer.headers['x-total-count'] };
  };
  const { found, total } = await read('');
  expect(found.slice(0, 3)).toEqual(ids.reverse());
  expect(total).toBe(String(found.length));
  expect(await read('&page=2&limit=2')).toEqual({ found: found.slice(2, 4), total });
});

it('credentials are listed in the caller’s range', async () => {
  const ofGrade = ({ id }: { id: number }) => ({ scopeType: 'grade', scopeGradeId: id }) as const;
  const ofClass = ({ id }: { id: number }) => ({ scopeType: 'class', scopeClassId: id }) as const;
  const [, otherGrade] = school.grades;
  const ids = new Map<number, string>();
  for (const [place, scope] of Object.entries<IssueInput>({
    school: {},
    grade: ofGrade(grade),
    class: ofClass(grade.classes[0]),
    sibling: ofClass(grade.classes[1]),
    otherGrade: ofGrade(otherGrade),
    otherClass: ofClass(otherGrade.classes[0]),
  })) {
    ids.set((await school.issue(scope)).id, place);
  }
  const all = [...ids.values()];
  for (const [by, query, seen] of [
    [admin, '', all],
    [admin, `?schoolDb=${school.schoolDb}`, all],
    [admin, `?schoolDb=${other.schoolDb}`, []],
    [staff.ofSchool, '', all],
    [staff.ofGrade, '', ['grade', 'class', 'sibling']],
    [staff.ofClass, '', ['class']],
  ] as const) {
    const found = (await list(by, query)).flatMap(({ id }) => ids.get(id) ?? []);
    expect(found.reverse()).toEqual(seen);
  }
  const total = (await staff.ofClass.get('/api-tokens?limit=1')).headers['x-total-count'];
  expect(total).toBe(String((await list(staff.ofClass)).length));
});

const patch = (id: number, body: object) => admin.patch(`/api-tokens/${id}`, body);

it('changing a credential changes name, permissions and validity at once, alone or together', async () => {
  const credential = await school.issue({ scopes: ['students:read'], name: 'Old' });
  const change = async (body: object) => (await patch(credential.id, body)).data;
  const record = await listed(credential.id);
  expect(await change({ name: ' New ' })).toEqual({ ...record, name: 'New' });
  const scopes = ['stats:read', 'stats:read'];
  expect(await change({ scopes })).toEqual({ ...record, name: 'New', scopes: ['stats:read'] });
  expect((await credential.get('/students')).code).toBe(40302);
  expect((await credential.get('/stats/overview')).code).toBe(0);
  for (const [validity, expiresAt] of [
    [{ expiresInDays: 3 }, inDays(3)],
    [{ expiresAt: inDays(365) }, inDays(365)],
    [{ expiresAt: '2026-10-01T08:00:00+08:00' }, '2026-10-01T00:00:00.000Z'],
    [{ expiresAt: null }, null],
    [{ expiresAt: inDays(3) }, inDays(3)],
    [{ expiresInDays: null }, null],
  ]) {
    expect(await change(validity as object)).toMatchObject({ name: 'New', expiresAt });
  }
  expect((await credential.get('/ping')).data).toMatchObject({ token: { name: 'New', expiresAt: null } });
});

it('the field `status` disables and enables a credential, as the field `disabled` does', async () => {
  const { id } = await school.issue({});
  for (const [body, status] of [
    [{ status: 'disabled' }, 'disabled'],
    [{ status: 'enabled' }, 'enabled'],
    [{ status: 'disabled', disabled: true }, 'disabled'],
  ] as const) {
    const data = { status, disabled: status === 'disabled' };
    expect(await patch(id, body)).toMatchObject({ status: 200, data });
  }
});

it.each<[string, string, () => object]>([
  ['nothing', '', () => ({})],
  ['only the school', '', () => ({ schoolDb: school.schoolDb })],
  ['the scope type', '', () => ({ scopeType: 'school' })],
  ['the grade', '', () => ({ scopeGradeId: null })],
  ['the class', '', () => ({ scopeClassId: 1 })],
  ['a scope field beside a name', '', () => ({ name: 'x', scopeType: 'class' })],
  ['more days than the maximum', '', () => ({ expiresInDays: 366 })],
  ['an end beyond the longest validity', 'expiresAt', () => ({ expiresAt: inDays(365.1), name: 'x' })],
  ['an end in the past', 'expiresAt', () => ({ expiresAt: inDays(-1), name: 'x' })],
  ['an end now', 'expiresAt', () => ({ expiresAt: inDays(0), name: 'x' })],
  ['an end without a zone', 'expiresAt', () => ({ expiresAt: '2026-10-01T08:00:00', name: 'x' })],
  ['an end of another type', 'expiresAt', () => ({ expiresAt: 20_261_001, name: 'x' })],
  ['days and no end', '', () => ({ expiresInDays: 3, expiresAt: null })],
  ['an end and no days', '', () => ({ expiresInDays: null, expiresAt: '2026-10-01T00:00:00Z' })],
  ['days and their end', '', () => ({ expiresInDays: 3, expiresAt: '2026-09-18T10:00:00Z' })],
  ['disabled and the status enabled', '', () => ({ disabled: true, status: 'enabled' })],
  ['not disabled and the status disabled', '', () => ({ disabled: false, status: 'disabled' })],
  ['the status expired', '', () => ({ status: 'expired' })],
  ['the status revoked', '', () => ({ status: 'revoked' })],
])('changing a credential answers 400 when the body names %s', async (_what, named, body) => {
  const { id } = await school.issue({ expiresInDays: 3 });
  const before = await listed(id);
  const message = expect.stringContaining(named);
  expect(await patch(id, body())).toMatchObject({ status: 400, success: false, data: null, message });
  expect(await listed(id)).toEqual(before);
});

describe('Credential while days pass', () => {
  beforeEach(async () => {
    admin = await test.signIn();
  });

  const issueIn = (of: SampleSchool, input: IssueInput) => admin.issue(of.schoolDb, input);
  const pass = async (ms: number) => {
    test.clock.advance(ms);
    admin = await test.signIn();
  };

  it('a credential is expired once expiresAt has passed, and its calls get 40104 until its validity is changed, counted from now', async () => {
    const credential = await issueIn(school, { expiresInDays: 2 });
    await pass(2 * day);
    expect((await credential.get('/ping')).status).toBe(200);
    expect(await listed(credential.id)).toMatchObject({ status: 'enabled' });
    test.clock.advance(1);
    expect(await credential.get('/ping')).toMatchObject({ status: 401, code: 40104, data: null });
    expect(await listed(credential.id)).toMatchObject({ status: 'expired' });
    await pass(10 * day);
    const changed = await admin.patch(`/api-tokens/${credential.id}`, { expiresInDays: 1 });
    expect(changed.data).toMatchObject({ status: 'enabled', expiresAt: inDays(1) });
    expect((await credential.get('/ping')).code).toBe(0);
  });

  it('the status of a credential is the first reason for which its calls are refused', async () => {
    const closed = await createSampleSchool(admin, 'Closed School');
    const credential = await issueIn(closed, { expiresInDays: 1 });
    const refusal = async () => [(await credential.get('/ping')).code, (await listed(credential.id))?.status];
    await admin.patch(`/schools/${closed.id}`, { disabled: 1 });
    expect(await refusal()).toEqual([40301, 'school_disabled']);
    await pass(day + 1);
    expect(await refusal()).toEqual([40104, 'expired']);
    await admin.patch(`/api-tokens/${credential.id}`, { disabled: true });
    expect(await refusal()).toEqual([40103, 'disabled']);
  });

  it('a change accepts the present expiresAt and status, also of an expired credential with its whole record', async () => {
    const { id } = await issueIn(school, { expiresInDays: 1 });
    const change = (body: object) => admin.patch(`/api-tokens/${id}`, body);
    const expiresAt = inDays(1);
    expect(await change({ expiresAt })).toMatchObject({ status: 200, data: { expiresAt } });
    await pass(2 * day);
    const expired = { status: 'expired' };
    expect(await change(expired)).toMatchObject({ status: 200, data: expired });
    const record = { name: 'Renamed', status: 'expired', expiresAt };
    expect(await change({ ...record, disabled: false })).toMatchObject({ status: 200, data: record });
  });

  it('revoking a credential is final: a later change or revocation answers 404', async () => {
    const credential = await issueIn(school, {});
    const revoke = () =>
      admin.delete(`/api-tokens/${credential.id}`, { 'x-confirm-password': admin.password });
    expect((await revoke()).status).toBe(200);
    expect((await admin.patch(`/api-tokens/${credential.id}`, { disabled: false })).status).toBe(404);
    expect((await revoke()).status).toBe(404);
    expect((await credential.get('/ping')).code).toBe(40103);
  });
});
