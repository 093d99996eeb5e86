import type { AuditRecord } from '@classledger/contract';
import { expect, it } from 'vitest';
import { createAdmin, openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import { startTestApp } from '../../../test/test-app.ts';

const day = 86_400_000;

const recordsOf = async (by: AdminClient, query = '') =>
  (await by.read<{ list: AuditRecord[] }>(`/api-tokens/logs${query}`)).list;

const { test, admin, school, other, staff } = await openStaffedSchool();
const [grade, otherGrade] = school.grades;
const ofClass = (id: number) => school.issue({ scopeType: 'class', scopeClassId: id });
const ofGrade = (id: number) => school.issue({ scopeType: 'grade', scopeGradeId: id });
const credentials = {
  school: await school.issue({}),
  grade: await ofGrade(grade.id),
  class: await ofClass(grade.classes[0].id),
  sibling: await ofClass(grade.classes[1].id),
  otherGrade: await ofGrade(otherGrade.id),
};
const foreign = await other.issue({});
for (const credential of [...Object.values(credentials), foreign]) await credential.get('/ping');

it('audit records are filtered by method, status and failure, alone and together, 50 a page, up to 500', async () => {
  const fresh = await school.issue({ scopes: ['students:write', 'students:read'] });
  const classId = school.grades[0].classes[0].id;
  await fresh.get('/students');
  await fresh.get('/grades');
  await fresh.post('/students', { classId, username: 'audited' });
  await fresh.post('/students', { classId, username: 'audited' });
  await fresh.delete('/students/1');
  const found = async (query: string) => {
    const records = await recordsOf(admin, `?tokenId=${fresh.id}${query}`);
    for (const { latencyMs } of records) expect(latencyMs).toBeGreaterThan(0);
    return records.map(({ method, statusCode }) => `${method} ${statusCode}`);
  };
  for (const [query, expected] of [
    ['', ['DELETE 403', 'POST 409', 'POST 200', 'GET 403', 'GET 200']],
    ['&method=post', ['POST 409', 'POST 200']],
    ['&method=TRACE', []],
    ['&statusCode=403', ['DELETE 403', 'GET 403']],
    ['&onlyFailed=true', ['DELETE 403', 'POST 409', 'GET 403']],
    ['&onlyFailed=true&method=GET', ['GET 403']],
    ['&method=POST&statusCode=200', ['POST 200']],
    ['&onlyFailed=true&statusCode=200', []],
  ] as const) {
    expect([query, await found(query)]).toEqual([query, expected]);
  }
  const limitOf = async (query: string) =>
    (await admin.read<{ limit: number }>(`/api-tokens/logs${query}`)).limit;
  expect([await limitOf(''), await limitOf('?limit=100000')]).toEqual([50, 500]);
});

it('administrators see audit records of credentials in their range; others answer 403, or 404 in another school', async () => {
  const all = Object.keys(credentials);
  const status = async (by: AdminClient, tokenId: number, query = '') =>
    (await by.get(`/api-tokens/logs?tokenId=${tokenId}${query}`)).status;
  for (const [by, query, places, schoolId] of [
    [admin, `&schoolDb=${school.schoolDb}`, all, school.id],
    [admin, `&schoolDb=${other.schoolDb}`, [], other.id],
    [staff.ofSchool, '', all, school.id],
    [staff.ofGrade, '', ['grade', 'class', 'sibling'], school.id],
    [staff.ofClass, '', ['class'], school.id],
  ] as const) {
    const records = await recordsOf(by, `?limit=500${query}`);
    expect(new Set(records.map((record) => record.schoolId))).toEqual(new Set([schoolId]));
    const ids = new Set(records.map((record) => record.tokenId));
    for (const [place, { id }] of Object.entries(credentials)) {
      const isSeen = places.some((seen) => seen === place);
      expect([place, ids.has(id)]).toEqual([place, isSeen]);
      const refused = by === admin ? 404 : 403;
      expect([place, await status(by, id, query)]).toEqual([place, isSeen ? 200 : refused]);
    }
    expect(await status(by, 999_999, query)).toBe(404);
    if (by === admin) continue;
    expect(await status(by, foreign.id)).toBe(404);
    expect((await by.get(`/api-tokens/logs?schoolDb=${other.schoolDb}`)).status).toBe(403);
  }
});

it('only a super administrator who chose no school sees audit records without a known credential', async () => {
  const unknown = [
    await test.anonymous.external.get('/ping'),
    await test.anonymous.external.get('/ping', { authorization: `Bearer ${foreign.token}x` }),
    await test.anonymous.external.get('/no/such/path'),
  ].map((answer) => answer.requestId);
  const shown = async (by: AdminClient, query = '') => {
    const ids = (await recordsOf(by, `?limit=500${query}`)).map((record) => record.requestId);
    return unknown.filter((id) => ids.includes(id));
  };
  expect(await shown(admin)).toEqual(unknown);
  expect(await shown(admin, `&schoolDb=${school.schoolDb}`)).toEqual([]);
  expect(await shown(admin, '&onlyFailed=true&statusCode=401')).toEqual(unknown);
  for (const member of Object.values(staff)) expect(await shown(member)).toEqual([]);
  const lost = { username: 'strayed', role: 'class_admin', schoolId: school.id } as const;
  expect(await recordsOf(await createAdmin(test, lost))).toEqual([]);
  const nobody = { tokenId: null, tokenPrefix: null, schoolId: null, statusCode: 401 };
  expect((await recordsOf(admin, '?limit=1'))[0]).toMatchObject(nobody);
});

it('audit records are removed after AUDIT_RETENTION_DAYS, and use counters stay', async () => {
  const test = await startTestApp({ AUDIT_RETENTION_DAYS: '3' });
  const founder = await test.signIn();
  const { schoolDb } = await founder.created<{ schoolDb: string }>('/schools', { name: 'Short memory' });
  const credential = await founder.issue(schoolDb);
  await credential.get('/ping');
  test.clock.advance(1);
  await credential.get('/students');
  // Reading flushes the log first.
  expect(await recordsOf(await test.signIn())).toHaveLength(2);
  test.clock.advance(3 * day);
  await test.app.housekeep();
  const admin = await test.signIn();
  expect(await recordsOf(admin)).toMatchObject([{ path: '/api/v1/students' }]);
  test.clock.advance(1);
  await test.app.housekeep();
  expect(await recordsOf(admin)).toEqual([]);
  await expect.poll(() => admin.read('/api-tokens')).toMatchObject([{ id: credential.id, callCount: 2 }]);
});
