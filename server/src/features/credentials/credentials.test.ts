import { createHash } from 'node:crypto';
import type { Credential } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool } from '../../../test/administrators.ts';
import { type AdminClient, anonymous, type IssueInput } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

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

const issueSuccessfully = (by: AdminClient, body: object = {}) =>
  by.created<Issued>('/api-tokens', { ...plain, ...body }, { 'x-confirm-password': by.password });

const ping = (token: string, app = test) =>
  anonymous(app.app.http).external.get('/ping', { 'x-api-token': token });

const inDays = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

const list = (by: AdminClient, query = '') => by.read<Credential[]>(`/api-tokens${query}`);
const listed = async (id: number) => (await list(admin)).find((credential) => credential.id === id);

it('a credential begins with TOKEN_PREFIX, and credentials with an earlier prefix stay valid', async () => {
  const before = await issueSuccessfully(staff.ofSchool);
  const { token } = await issueSuccessfully(await configured.signIn(), { schoolDb: school.schoolDb });
  expect(token).toMatch(/^my-school_2_[0-9A-Za-z]{41}$/);
  for (const app of [test, configured]) {
    expect((await ping(token, app)).status).toBe(200);
    expect((await ping(before.token, app)).status).toBe(200);
  }
});

it('the server stores only the SHA-256 of a credential', async () => {
  const { id, token } = await issueSuccessfully(staff.ofSchool);
  const rows = await test.rows('SELECT k::text AS row, token_hash FROM api_token k WHERE id = $1', id);
  expect(rows[0].row).not.toContain(token);
  expect(rows[0].row).not.toContain(token.slice(-20));
  expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest());
});

it('a credential gets the issuer’s grade or class when the request names none', async () => {
  const [ofGrade, ofClass] = [{ scopeGradeId: grade.id }, { scopeClassId: grade.classes[0].id }];
  expect(await issueSuccessfully(staff.ofGrade, { scopeType: 'grade' })).toMatchObject(ofGrade);
  expect(await issueSuccessfully(staff.ofClass, { scopeType: 'class' })).toMatchObject(ofClass);
});

it('a credential has no expiry by default, and may have 1 day up to the configured maximum', async () => {
  const office = await configured.signIn();
  for (const [by, days, expiresAt] of [
    [admin, {}, null],
    [admin, { expiresInDays: null }, null],
    [admin, { expiresInDays: 1 }, inDays(1)],
    [admin, { expiresInDays: 365 }, inDays(365)],
    [office, { expiresInDays: 7 }, inDays(7)],
  ] as const) {
    expect(await issueSuccessfully(by, { schoolDb, ...days })).toMatchObject({ expiresAt });
  }
  expect((await issue(office, { schoolDb, expiresInDays: 8 })).status).toBe(400);
  expect(await office.read('/api-tokens/meta')).toMatchObject({ maxExpireDays: 7 });
});

it('GET /api-tokens/meta lists the scope types that the caller may choose, and the grade and class to which the caller is limited', async () => {
  for (const [by, scopeTypes, fixedGradeId, fixedClassId] of [
    [admin, ['school', 'grade', 'class'], null, null],
    [staff.ofSchool, ['school', 'grade', 'class'], null, null],
    [staff.ofGrade, ['grade', 'class'], grade.id, null],
    [staff.ofClass, ['class'], grade.id, grade.classes[0].id],
  ] as const) {
    const meta = { scopeTypes, fixedGradeId, fixedClassId };
    expect(await by.read('/api-tokens/meta')).toMatchObject(meta);
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
    const line = { action: 'issueCredential', schoolId: id };
    expect(await admin.read('/admin/activity?limit=1')).toMatchObject([line]);
  }
});

const { schoolDb } = school;
it.each<[what: string, status: number, body: object, message?: string, query?: string]>([
  ['a blank name', 400, { schoolDb, name: '  ' }],
  ['more days than the maximum', 400, { schoolDb, expiresInDays: 366 }],
  ['a school credential with a grade', 400, { schoolDb, scopeGradeId: 1 }],
  ['a school credential with a class', 400, { schoolDb, scopeClassId: 1 }],
  [
    'a grade credential with a class',
    400,
    { schoolDb, scopeType: 'grade', scopeGradeId: 1, scopeClassId: 1 },
  ],
  ['a missing grade', 404, { scopeType: 'grade', scopeGradeId: 999_999_999 }, 'The grade was not found'],
  ['a missing class', 404, { scopeType: 'class', scopeClassId: 999_999_999 }, 'The class was not found'],
  ['a class of another grade', 400, { scopeType: 'class', scopeGradeId: grade.id, ...classElsewhere }],
  ['no school and no grade', 400, { scopeType: 'grade' }],
  ['no school and no class', 400, { scopeType: 'class', scopeClassId: null }],
  ['no school, where there are several', 400, { scopeType: 'school' }],
  ['two schools in the body', 400, { schoolId: school.id, schoolDb: other.schoolDb }],
  ['two schools in body and query', 400, { schoolId: school.id }, '', `?schoolDb=${other.schoolDb}`],
  ['two schools in the query', 400, {}, '', `?schoolDb=${other.schoolDb}&schoolId=${school.id}`],
])('issuing a credential for %s answers %i', async (_what, status, body, message = '', query = '') => {
  const refused = { status, success: false, data: null, message: expect.stringContaining(message) };
  expect(await issueFor(body, admin, query)).toMatchObject(refused);
});

it('a credential that names no school is for the only school when there is just one', async () => {
  const alone = await (await startTestApp()).signIn();
  const { id } = await alone.created<{ id: number }>('/schools', { name: 'The only one' });
  expect(await issueFor({}, alone)).toMatchObject({ status: 200, data: { schoolId: id } });
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
  expect(await admin.read(`/users?schoolId=${id}`)).toEqual(await admin.read(`/users?schoolDb=${id}`));
});

it('credentials are listed in the caller’s range, newest first and page by page, with the total', async () => {
  const ofGrade = ({ id }: { id: number }) => ({ scopeType: 'grade', scopeGradeId: id }) as const;
  const ofClass = ({ id }: { id: number }) => ({ scopeType: 'class', scopeClassId: id }) as const;
  const [, otherGrade] = school.grades;
  const scopes: Record<string, IssueInput> = {
    school: {},
    grade: ofGrade(grade),
    class: ofClass(grade.classes[0]),
    sibling: ofClass(grade.classes[1]),
    otherGrade: ofGrade(otherGrade),
    otherClass: ofClass(otherGrade.classes[0]),
  };
  const all = Object.keys(scopes);
  for (const name of all) await school.issue({ ...scopes[name], name });
  for (const [by, query, seen] of [
    [admin, '', all],
    [admin, `?schoolDb=${school.schoolDb}`, all],
    [admin, `?schoolDb=${other.schoolDb}`, []],
    [staff.ofSchool, '', all],
    [staff.ofGrade, '', ['grade', 'class', 'sibling']],
    [staff.ofClass, '', ['class']],
  ] as const) {
    const names = (await list(by, query)).map(({ name }) => name);
    expect(names.filter((name) => name in scopes).reverse()).toEqual(seen);
  }
  const complete = await list(staff.ofSchool);
  expect(await staff.ofSchool.get('/api-tokens?page=2&limit=2')).toMatchObject({
    data: complete.slice(2, 4),
    headers: { 'x-total-count': `${complete.length}` },
  });
});

const patch = (id: number, body: object) => admin.patch(`/api-tokens/${id}`, body);

it('changing a credential changes name, permissions, validity and status at once, alone or together', async () => {
  const credential = await school.issue({ scopes: ['students:read'], name: 'Old' });
  const change = async (body: object) => (await patch(credential.id, body)).data;
  const record = await listed(credential.id);
  expect(await change({ name: ' New ' })).toEqual({ ...record, name: 'New' });
  const scopes = ['stats:read', 'stats:read'];
  expect(await change({ scopes })).toEqual({ ...record, name: 'New', scopes: ['stats:read'] });
  expect((await credential.get('/students')).code).toBe(40302);
  expect((await credential.get('/stats/overview')).code).toBe(0);
  for (const [body, changed] of [
    [{ expiresInDays: 3 }, { expiresAt: inDays(3) }],
    [{ expiresAt: inDays(365) }, { expiresAt: inDays(365) }],
    [{ expiresAt: '2026-10-01T08:00:00+08:00' }, { expiresAt: '2026-10-01T00:00:00.000Z' }],
    [{ expiresAt: null }, { expiresAt: null }],
    [{ expiresAt: inDays(3) }, { expiresAt: inDays(3) }],
    [{ expiresInDays: null }, { expiresAt: null }],
    [
      { status: 'disabled', disabled: true },
      { status: 'disabled', disabled: true },
    ],
    [{ status: 'enabled' }, { status: 'enabled', disabled: false }],
  ]) {
    expect(await change(body as object)).toMatchObject({ name: 'New', ...changed });
  }
  expect(await credential.read('/ping')).toMatchObject({ token: { name: 'New', expiresAt: null } });
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

  const issueFresh = (input: IssueInput) => admin.issue(schoolDb, input);
  const pass = async (ms: number) => {
    test.clock.advance(ms);
    admin = await test.signIn();
  };

  it('a credential is expired once expiresAt has passed, and its calls get 40104 until its validity is changed, counted from now', async () => {
    const credential = await issueFresh({ expiresInDays: 2 });
    await pass(2 * day);
    expect((await credential.get('/ping')).status).toBe(200);
    expect(await listed(credential.id)).toMatchObject({ status: 'enabled' });
    test.clock.advance(1);
    expect(await credential.get('/ping')).toMatchObject({ status: 401, code: 40104, data: null });
    expect(await listed(credential.id)).toMatchObject({ status: 'expired' });
    await pass(10 * day);
    const changed = await patch(credential.id, { expiresInDays: 1 });
    expect(changed.data).toMatchObject({ status: 'enabled', expiresAt: inDays(1) });
    expect((await credential.get('/ping')).code).toBe(0);
  });

  it('a change accepts the present expiresAt and status, also of an expired credential with its whole record', async () => {
    const { id } = await issueFresh({ expiresInDays: 1 });
    const expiresAt = inDays(1);
    expect(await patch(id, { expiresAt })).toMatchObject({ status: 200, data: { expiresAt } });
    await pass(2 * day);
    const expired = { status: 'expired' };
    expect(await patch(id, expired)).toMatchObject({ status: 200, data: expired });
    const record = { name: 'Renamed', status: 'expired', expiresAt };
    expect(await patch(id, { ...record, disabled: false })).toMatchObject({ status: 200, data: record });
  });

  it('revoking a credential is final: a later change or revocation answers 404', async () => {
    const credential = await issueFresh({});
    const revoke = () =>
      admin.delete(`/api-tokens/${credential.id}`, { 'x-confirm-password': admin.password });
    expect((await revoke()).status).toBe(200);
    expect((await patch(credential.id, { disabled: false })).status).toBe(404);
    expect((await revoke()).status).toBe(404);
    expect((await credential.get('/ping')).code).toBe(40103);
  });
});

let heads = 0;
const head = (password = 'the password of a head') =>
  createAdmin(test, { username: `head ${++heads}`, role: 'school_admin', schoolId: school.id, password });
const issueWith = (by: AdminClient, headers: Record<string, string>) =>
  by.post('/api-tokens', plain, headers);

it.each<[string, string, string, number?]>([
  ['a password in another script percent-encoded', '密码 секрет 🔑', encodeURIComponent('密码 секрет 🔑')],
  ['a password that looks percent-encoded as it is', 'abc%20def', 'abc%20def'],
  ['a password with a bare percent sign as it is', '50%off!', '50%off!'],
  ['a password with a plus sign, which is no space', 'one+two+three', 'one+two+three'],
  ['no empty password', 'abc def', '', 400],
  ['no password that is encoded twice', 'abc def', encodeURIComponent('abc%20def'), 403],
])('the confirmation header may contain %s', async (_what, password, header, status = 200) => {
  const by = await head(password);
  expect((await issueWith(by, { 'x-confirm-password': header })).status).toBe(status);
});

it('the confirmation header may contain a Latin-1 password over a real connection', async () => {
  const by = await head('çédille à la crème');
  const origin = await test.listen();
  const response = await fetch(`${origin}/api/api-tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: by.cookie, 'x-confirm-password': by.password },
    body: JSON.stringify(plain),
  });
  expect(response.status).toBe(200);
});
