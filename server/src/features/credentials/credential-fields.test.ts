import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { IssueInput } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

const dayMs = 86_400_000;
const { test, admin, school, other } = await openStaffedSchool();
const [grade] = school.grades;
const classElsewhere = { scopeClassId: other.grades[0].classes[0].id };

const issue = (body: object, by = admin, query = '') =>
  by.post(
    `/api-tokens${query}`,
    { name: 'Campus card', scopeType: 'school', scopes: ['students:read'], ...body },
    { 'x-confirm-password': by.password },
  );

describe('Credential issued by a super administrator without naming a school', () => {
  it('without naming a school, a super administrator issues a credential for a grade or class of any school', async () => {
    for (const { id, grades } of [school, other]) {
      const scopeGradeId = grades[0].id;
      const scopeClassId = grades[0].classes[0].id;
      const ofGrade = await issue({ scopeType: 'grade', scopeGradeId });
      expect(ofGrade).toMatchObject({ status: 200, data: { schoolId: id, scopeGradeId } });
      const ofClass = await issue({ scopeType: 'class', scopeClassId });
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
    expect(await issue(body)).toMatchObject({ status, data: null });
  });

  it('a credential that names no school is for the only school when there is just one', async () => {
    const alone = await (await startTestApp()).signIn();
    const { id } = await alone.created<{ id: number }>('/schools', { name: 'The only one' });
    const answer = await issue({}, alone);
    expect(answer).toMatchObject({ status: 200, data: { schoolId: id } });
    expect((await issue({ scopeType: 'grade' }, alone)).status).toBe(400);
  });
});

describe('schoolId', () => {
  it('works like schoolDb, in body and query, as key and as id', async () => {
    const { id, schoolDb } = other;
    for (const answer of [
      await issue({ schoolId: id }),
      await issue({ schoolId: schoolDb }),
      await issue({ schoolId: id, schoolDb }),
      await issue({ schoolId: null, schoolDb }),
      await issue({}, admin, `?schoolId=${id}`),
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
    expect(await issue(body, admin, query)).toMatchObject({ status: 400, data: null });
  });
});

describe('Change of a credential', () => {
  const issued = async (input: IssueInput = {}) => (await school.issue(input)).id;
  const patch = (id: number, body: object) => admin.patch(`/api-tokens/${id}`, body);
  const inDays = (days: number) => new Date(test.clock.now().getTime() + days * dayMs).toISOString();

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
    test.clock.advance(2 * dayMs);
    const by = await test.signIn();
    const list = (await by.get('/api-tokens')).data as { id: number; status: string; expiresAt: string }[];
    const { status, expiresAt } = list.find((one) => one.id === id) as (typeof list)[0];
    expect(status).toBe('expired');
    const answer = await by.patch(`/api-tokens/${id}`, {
      name: 'Renamed',
      status,
      expiresAt,
      disabled: false,
    });
    expect(answer).toMatchObject({ status: 200, data: { name: 'Renamed', status: 'expired', expiresAt } });
  });

  it('changing a credential accepts its present expiresAt and status', async () => {
    const by = await test.signIn();
    const { id } = await by.issue(school.schoolDb, { expiresInDays: 1 });
    const same = { expiresAt: inDays(1) };
    expect(await by.patch(`/api-tokens/${id}`, same)).toMatchObject({ status: 200, data: same });
    test.clock.advance(2 * dayMs);
    const expired = { status: 'expired' };
    const later = await test.signIn();
    expect(await later.patch(`/api-tokens/${id}`, expired)).toMatchObject({ status: 200, data: expired });
  });
});
