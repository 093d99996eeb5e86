import type { AuditRecord } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { removeExpired } from '../../../test/remove-expired.ts';
import { startTestApp } from '../../../test/test-app.ts';

const day = 86_400_000;

async function recordsOf(by: AdminClient, query = ''): Promise<AuditRecord[]> {
  const answer = await by.get(`/api-tokens/logs${query}`);
  expect(answer).toMatchObject({ status: 200, success: true });
  return (answer.data as { list: AuditRecord[] }).list;
}

const { test, admin, school, other, staff } = await openStaffedSchool();
const [grade, otherGrade] = school.grades;
const classScope = (id: number) => school.issue({ scopeType: 'class', scopeClassId: id });
const credentials: Record<'school' | 'grade' | 'class' | 'sibling' | 'otherGrade', CredentialClient> = {
  school: await school.issue({}),
  grade: await school.issue({ scopeType: 'grade', scopeGradeId: grade.id }),
  class: await classScope(grade.classes[0].id),
  sibling: await classScope(grade.classes[1].id),
  otherGrade: await school.issue({ scopeType: 'grade', scopeGradeId: otherGrade.id }),
};
const foreign = await other.issue({});
for (const credential of [...Object.values(credentials), foreign]) await credential.get('/ping');

it('an audit record contains the specified fields of a successful call', async () => {
  const response = await test.app.http.inject({
    url: '/api/v1/students?keyword=secret',
    headers: { authorization: `Bearer ${credentials.school.token}`, 'user-agent': 'campus-card/2.0' },
    remoteAddress: '203.0.113.5',
  });
  const [record] = await recordsOf(admin, '?limit=1');
  const { id: tokenId, token } = credentials.school;
  expect(record).toEqual({
    ...{ id: expect.any(Number), requestId: response.headers['x-request-id'], schoolId: school.id },
    ...{ tokenId, tokenPrefix: token.slice(0, record?.tokenPrefix?.length) },
    ...{ method: 'GET', path: '/api/v1/students', statusCode: 200, latencyMs: expect.any(Number) },
    ...{ ip: '203.0.113.5', userAgent: 'campus-card/2.0', errorMessage: null },
    createdAt: test.clock.now().toISOString(),
  });
  expect(record?.latencyMs).toBeGreaterThan(0);
  expect(record?.tokenPrefix?.length).toBeLessThan(15);
});

it('audit records are listed up to 500 a page, 50 without a limit', async () => {
  const large = await admin.created<{ id: number; schoolDb: string }>('/schools', { name: 'Busy School' });
  await test.database.pool.query(
    `INSERT INTO audit_record (school_id, created_at, token_id, status_code, latency_ms, request_id, method, path, ip)
     SELECT $1, $2::timestamptz, $3, 200, 1, gen_random_uuid(), 'GET', '/api/v1/ping', '::1' FROM generate_series(1, 510)`,
    [large.id, new Date(test.clock.now().getTime() - 29 * day).toISOString(), foreign.id],
  );
  expect(await recordsOf(admin, `?schoolDb=${large.schoolDb}&limit=100000`)).toHaveLength(500);
  const paged = [];
  for (let page = 1; page <= 11; page++) {
    const found = await recordsOf(admin, `?schoolDb=${large.schoolDb}&page=${page}`);
    expect(found).toHaveLength(page === 11 ? 10 : 50);
    paged.push(...found.map(({ id }) => id));
  }
  expect(new Set(paged).size).toBe(510);
});

it('audit records are filtered by method, status and failure, alone and together', async () => {
  const unused = await school.issue({});
  const fresh = await school.issue({ scopes: ['students:write', 'students:read'] });
  const classId = school.grades[0].classes[0].id;
  await fresh.get('/students');
  await fresh.get('/grades');
  await fresh.post('/students', { classId, username: 'audited' });
  await fresh.post('/students', { classId, username: 'audited' });
  await fresh.delete('/students/1');
  const found = async (query: string) => {
    const records = await recordsOf(admin, `?tokenId=${fresh.id}${query}`);
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
  expect(await recordsOf(admin, `?tokenId=${unused.id}`)).toEqual([]);
  const counted = await admin.get(`/api-tokens/logs?tokenId=${fresh.id}&onlyFailed=true&limit=1`);
  expect(counted.data).toMatchObject({ list: [{}], total: 3, page: 1, limit: 1 });
});

it('administrators see audit records of credentials in their range, or all of their own school', async () => {
  const seen = async (by: AdminClient, query = '') => {
    const ids = new Set((await recordsOf(by, `?limit=500${query}`)).map((record) => record.tokenId));
    return Object.entries(credentials).flatMap(([place, { id }]) => (ids.has(id) ? [place] : []));
  };
  const all = Object.keys(credentials);
  for (const [by, query, places] of [
    [admin, '', all],
    [admin, `&schoolDb=${school.schoolDb}`, all],
    [staff.ofSchool, '', all],
    [staff.ofGrade, '', ['grade', 'class', 'sibling']],
    [staff.ofClass, '', ['class']],
  ] as const) {
    expect(await seen(by, query)).toEqual(places);
  }
  for (const member of Object.values(staff)) {
    const schools = new Set((await recordsOf(member, '?limit=500')).map((record) => record.schoolId));
    expect([...schools]).toEqual([school.id]);
  }
  const foreignOnly = await recordsOf(admin, `?schoolDb=${other.schoolDb}&limit=500`);
  expect(new Set(foreignOnly.map((record) => record.schoolId))).toEqual(new Set([other.id]));
});

it('audit records of a credential answer 403 outside the range, and 404 in another school or when unknown', async () => {
  const status = async (by: AdminClient, tokenId: number) =>
    (await by.get(`/api-tokens/logs?tokenId=${tokenId}`)).status;
  const { school: ofSchool, class: ofClass, sibling, otherGrade } = credentials;
  const ofGradeHead = [ofClass, ofSchool, otherGrade].map(({ id }) => status(staff.ofGrade, id));
  expect(await Promise.all(ofGradeHead)).toEqual([200, 403, 403]);
  expect(await status(staff.ofClass, sibling.id)).toBe(403);
  for (const member of Object.values(staff)) {
    for (const id of [foreign.id, 999_999]) expect(await status(member, id)).toBe(404);
    expect((await member.get(`/api-tokens/logs?schoolDb=${other.schoolDb}`)).status).toBe(403);
  }
  expect(await status(admin, 999_999)).toBe(404);
  const elsewhere = await admin.get(`/api-tokens/logs?tokenId=${foreign.id}&schoolDb=${school.schoolDb}`);
  expect(elsewhere.status).toBe(404);
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

describe('Retention of audit records', async () => {
  const test = await startTestApp({ AUDIT_RETENTION_DAYS: '3' });

  it('audit records are deleted after AUDIT_RETENTION_DAYS, and use counters stay', async () => {
    const founder = await test.signIn();
    const { schoolDb } = await founder.created<{ schoolDb: string }>('/schools', { name: 'Short memory' });
    const credential = await founder.issue(schoolDb);
    await credential.get('/ping');
    await test.anonymous.external.get('/ping');
    test.clock.advance(1);
    await credential.get('/students');
    // Reading flushes the log first.
    expect(await recordsOf(await test.signIn())).toHaveLength(3);
    test.clock.advance(3 * day);
    await test.app.housekeep();
    const admin = await test.signIn();
    expect((await recordsOf(admin)).map((record) => record.path)).toEqual(['/api/v1/students']);
    test.clock.advance(1);
    await test.app.housekeep();
    expect(await recordsOf(admin)).toEqual([]);
    await expect
      .poll(async () => (await admin.get('/api-tokens')).data)
      .toContainEqual(expect.objectContaining({ id: credential.id, callCount: 2 }));
  });

  it('batch writers that were idle for AUDIT_RETENTION_DAYS are removed', async () => {
    const { pool } = test.database;
    const admin = await test.signIn();
    const called = async () => {
      await test.anonymous.external.get('/ping');
      return (await recordsOf(admin)).length;
    };
    const writers = async () => (await pool.query('SELECT id FROM batch_writer')).rowCount;
    const records = await called();
    const used = await writers();
    expect(used).toBeGreaterThan(0);
    await removeExpired(test, 'batch_writer');
    expect(await writers()).toBe(used);
    await pool.query("UPDATE batch_writer SET written_at = now() - interval '73 hours'");
    await removeExpired(test, 'batch_writer');
    expect(await writers()).toBe(0);
    // A writer that was only idle continues.
    expect(await called()).toBe(records + 1);
    expect(await writers()).toBe(1);
  });
});
