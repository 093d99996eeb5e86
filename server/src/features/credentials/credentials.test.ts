import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import { type AdminClient, anonymous, type IssueInput } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

type Issued = { id: number; token: string; expiresAt: string | null };

const day = 86_400_000;

const { test, admin, school, other, staff } = await openStaffedSchool();
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

describe('Plaintext of a credential', () => {
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

it('GET /api-tokens/meta lists the scope types that the caller may choose, and the grade and class to which the caller is limited', async () => {
  const [grade] = school.grades;
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

describe('Credential issued by a super administrator without naming a school', () => {
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
    ['a missing grade', { scopeType: 'grade', scopeGradeId: 999_999_999 }, 404],
    ['a class of another grade', { scopeType: 'class', scopeGradeId: grade.id, ...classElsewhere }, 400],
    ['no grade', { scopeType: 'grade' }, 400],
    ['no class', { scopeType: 'class', scopeClassId: null }, 400],
    ['a school, where there are several', { scopeType: 'school' }, 400],
  ])('a credential that names no school is rejected for %s', async (_what, body, status) => {
    expect(await issueFor(body)).toMatchObject({ status, data: null });
  });

  it('a credential that names no school is for the only school when there is just one', async () => {
    const alone = await (await startTestApp()).signIn();
    const { id } = await alone.created<{ id: number }>('/schools', { name: 'The only one' });
    const answer = await issueFor({}, alone);
    expect(answer).toMatchObject({ status: 200, data: { schoolId: id } });
    expect((await issueFor({ scopeType: 'grade' }, alone)).status).toBe(400);
  });
});

describe('schoolId', () => {
  it('works like schoolDb, in body and query, as key and as id', async () => {
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
  ])('and schoolDb answer 400 for %s', async (_what, body, query) => {
    expect(await issueFor(body, admin, query)).toMatchObject({ status: 400, data: null });
  });
});

describe('Change of a credential', () => {
  const issued = async (input: IssueInput = {}) => (await school.issue(input)).id;
  const patch = (id: number, body: object) => admin.patch(`/api-tokens/${id}`, body);
  const inDays = (days: number) => new Date(test.clock.now().getTime() + days * day).toISOString();

  it('changing expiresAt sets or removes the expiry of a credential', async () => {
    const id = await issued();
    for (const expiresAt of [inDays(3), inDays(365), null]) {
      expect(await patch(id, { expiresAt })).toMatchObject({ status: 200, data: { expiresAt } });
    }
    const withOffset = await patch(id, { expiresAt: '2026-10-01T08:00:00+08:00' });
    expect(withOffset.data).toMatchObject({ expiresAt: '2026-10-01T00:00:00.000Z' });
  });

  it.each([
    ['beyond the longest validity', () => inDays(365.1)],
    ['in the past', () => inDays(-1)],
    ['now', () => inDays(0)],
    ['without a zone', () => '2026-10-01T08:00:00'],
    ['of another type', () => 20_261_001],
  ])('a credential rejects an expiresAt %s and changes nothing', async (_what, end) => {
    const id = await issued({ expiresInDays: 3 });
    const refused = await patch(id, { expiresAt: end(), name: 'Renamed' });
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('expiresAt') });
    expect((await admin.get('/api-tokens')).data).toContainEqual(
      expect.objectContaining({ id, expiresAt: inDays(3), name: 'test' }),
    );
  });

  it('the field `status` disables and enables a credential, as the field `disabled` does', async () => {
    const id = await issued();
    for (const [body, status] of [
      [{ status: 'disabled' }, 'disabled'],
      [{ status: 'enabled' }, 'enabled'],
      [{ status: 'disabled', disabled: true }, 'disabled'],
    ] as const) {
      const data = { status, disabled: status === 'disabled' };
      expect(await patch(id, body)).toMatchObject({ status: 200, data });
    }
  });

  it.each([
    [{ disabled: true, status: 'enabled' }],
    [{ disabled: false, status: 'disabled' }],
    [{ expiresInDays: 3, expiresAt: null }],
    [{ expiresInDays: null, expiresAt: '2026-10-01T00:00:00Z' }],
    [{ expiresInDays: 3, expiresAt: '2026-09-18T10:00:00Z' }],
    [{ status: 'expired' }],
    [{ status: 'revoked' }],
  ])('changing a credential rejects the contradictory or unknown values %j', async (body) => {
    const id = await issued();
    const { status, data } = await patch(id, body);
    expect([status, data]).toEqual([400, null]);
  });

  it('an expired credential can be renamed by sending its whole record', async () => {
    const id = await issued({ expiresInDays: 1 });
    test.clock.advance(2 * day);
    const by = await test.signIn();
    const list = (await by.get('/api-tokens')).data as { id: number; status: string; expiresAt: string }[];
    const { status, expiresAt } = list.find((one) => one.id === id) as (typeof list)[0];
    expect(status).toBe('expired');
    const record = { name: 'Renamed', status, expiresAt };
    const answer = await by.patch(`/api-tokens/${id}`, { ...record, disabled: false });
    expect(answer).toMatchObject({ status: 200, data: record });
  });

  it('changing a credential accepts its present expiresAt and status', async () => {
    const by = await test.signIn();
    const { id } = await by.issue(school.schoolDb, { expiresInDays: 1 });
    const same = { expiresAt: inDays(1) };
    expect(await by.patch(`/api-tokens/${id}`, same)).toMatchObject({ status: 200, data: same });
    test.clock.advance(2 * day);
    const expired = { status: 'expired' };
    const later = await test.signIn();
    expect(await later.patch(`/api-tokens/${id}`, expired)).toMatchObject({ status: 200, data: expired });
  });
});
