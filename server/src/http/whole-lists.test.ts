import { get, type IncomingMessage } from 'node:http';
import { internalOperations } from '@classledger/contract';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import type { AdminClient, InternalAnswer, StudentClient } from '../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp, type TestApp } from '../../test/test-app.ts';
import type { PartReaders } from '../database/page.ts';
import { internalFailure } from './envelopes.ts';
import { WholeLists } from './whole-lists.ts';

describe('Whole list longer than one read', () => {
  let test: TestApp;
  let admin: AdminClient;
  let school: SampleSchool;
  let student: StudentClient;

  const many = 1_100;

  beforeAll(async () => {
    test = await startTestApp();
    admin = await test.signIn();
    school = await createSampleSchool(admin);
    const [grade] = school.grades;
    const [{ id: classId }] = grade.classes;
    const run = (statement: string) =>
      test.database.pool.query(
        `WITH given AS (SELECT $1::bigint AS school, $2::bigint AS grade, $3::bigint AS class,
           $4::timestamptz AS at, generate_series(1, ${many}) AS n) ${statement}`,
        [school.id, grade.id, classId, test.clock.now().toISOString()],
      );
    // SQL is faster than calls for long lists.
    await run(`INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at, total_score,
      add_score, score_count, disabled, disabled_at) SELECT school, class, 'u' || n, 'Name ' || n % 7, '', at, n % 37, n % 37, 1,
      n % 5 = 0, CASE WHEN n % 5 = 0 THEN at END FROM given`);
    await run(`UPDATE class SET student_count = 3 + ${many}, disabled_student_count = ${many / 5}
      FROM given WHERE id = class AND n = 1`);
    await run(`INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
      SELECT school, s.id, at, n % 11, '' FROM given JOIN student AS s ON s.username = 'u' || n`);
    await run("INSERT INTO grade (school_id, name, created_at) SELECT school, 'g' || n, at FROM given");
    await run(
      "INSERT INTO class (school_id, grade_id, name, created_at) SELECT school, grade, 'c' || n, at FROM given",
    );
    await run(`INSERT INTO template (school_id, name, score_change, description, created_at, updated_at)
      SELECT school, 't' || n, 1, '', at, at FROM given`);
    await run(`INSERT INTO seat (school_id, class_id, group_index, row_index, col_index)
      SELECT school, class, n % 20 + 1, n / 400 + 1, n / 20 % 20 + 1 FROM given`);
    await run(`INSERT INTO term (school_id, class_id, class_name, name, action, started_at, closed_at, closed_by_id,
      closed_by_username, student_count, record_count) SELECT school, class, 'c', 'm' || n, 'reset', at,
      at + n % 9 * interval '1 day', 1, 'admin', 0, 0 FROM given`);
    await run(`INSERT INTO application (school_name, applicant_name, contact_phone, reason, created_at)
      SELECT 's' || n, 'a', '1', 'r', at FROM given`);
    await run(`INSERT INTO announcement (title, content, type, active, created_at, updated_at)
      SELECT 't' || n, '<p>c</p>', 'info', n % 2 = 0, at, at FROM given`);
    await run("INSERT INTO school (name, created_at) SELECT 's' || n, at FROM given");
    await run(`INSERT INTO admin (username, password_hash, role, school_id, created_at)
      SELECT 'a' || n, '', 'school_admin', school, at FROM given`);
    await run(`INSERT INTO api_token (school_id, name, token_hash, prefix, scope_type, scopes, created_at, issuer_id,
      issuer_username) SELECT school, 'k' || n, decode(md5('k' || n), 'hex'), 'cls', 'school', '{students:read}', at, 1,
      'admin' FROM given`);
    student = await test.signInStudent(school.schoolDb, grade.classes[0].students[0]?.username as string);
  });

  const ofSchool = (path: string) => () =>
    `${path}${path.includes('?') ? '&' : '?'}schoolDb=${school.schoolDb}`;

  it.each([
    ['students', ofSchool('/users')],
    ['students by score', ofSchool('/users?sortBy=totalScore&order=desc')],
    ['students found by name', ofSchool('/users?search=name&sortBy=actualName')],
    ['enabled students', ofSchool('/users?disabled=false&sortBy=username&order=desc')],
    ['rankings', ofSchool('/stats/leaders')],
    ['rankings by improvement', ofSchool('/stats/leaders?by=improvement')],
    ['classes compared', ofSchool('/stats/classes')],
    ['grades', ofSchool('/grades')],
    ['classes', ofSchool('/classes')],
    ['templates', ofSchool('/scores/templates')],
    ['seats', ofSchool('/seats/data')],
    ['terms', ofSchool('/admin/terms')],
    ['credentials', ofSchool('/api-tokens')],
    ['administrators', ofSchool('/admin/list')],
    ['administrators that one may change', ofSchool('/admin/manage')],
    ['schools', () => '/schools'],
    ['applications', () => '/applications'],
    ['announcements', () => '/announcements/admin'],
    ['announcements to the public', () => '/announcements'],
    ['classmates', () => '/student/classmates'],
  ])('has the entries of its pages in order: %s', async (what, path) => {
    const who = what === 'classmates' ? student : admin;
    const whole = await who.get(path());
    expect(whole).toMatchObject({ status: 200, success: true, message: 'ok' });
    expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
    const pages: unknown[] = [];
    for (let page = 1; page <= 3; page++) {
      const answer: InternalAnswer = await who.get(
        `${path()}${path().includes('?') ? '&' : '?'}page=${page}&limit=500`,
      );
      expect(answer.headers['x-total-count']).toBe(whole.headers['x-total-count']);
      pages.push(...(answer.data as unknown[]));
    }
    expect(pages.length).toBeGreaterThan(500);
    expect(whole.data).toEqual(pages);
    expect(whole.headers['x-total-count']).toBe(String(pages.length));
  });
});

describe('Long lists while being sent', () => {
  const http = fastify();
  const lists = new WholeLists();
  const turn = { schoolId: 0, name: 'somebody', isSlow: false };
  let parts: PartReaders<unknown> = [];
  let address: string;

  beforeAll(async () => {
    http.setErrorHandler((error, _request, reply) => {
      const { status, message } = internalFailure(error);
      return reply.code(status).send({ success: false, message });
    });
    http.get('/list', async (request, reply) => {
      const { listSchools } = internalOperations;
      const list = await lists.read(listSchools, async () => parts, turn, request, reply);
      return reply.type('application/json').send(list);
    });
    address = await http.listen({ port: 0, host: '127.0.0.1' });
    afterAll(() => http.close());
  });

  const school = {
    id: 1,
    schoolDb: 'school_1',
    name: 'n',
    disabled: 0,
    timeZone: 'UTC',
    createdAt: '2026-09-15T10:00:00.000Z',
    switchedOffTools: [],
  };
  const call = () =>
    new Promise<IncomingMessage>((resolve, reject) => get(`${address}/list`, resolve).on('error', reject));
  async function textOf(response: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  }

  it('a long list contains declared fields only', async () => {
    parts = [async () => [{ ...school, secret: 1 }], async () => [], async () => [school]];
    expect(JSON.parse(await textOf(await call())).data).toEqual([school, school]);
    parts = [async () => [], async () => []];
    expect(JSON.parse(await textOf(await call())).data).toEqual([]);
  });

  it('a late failure of a long list breaks the connection, and an early failure answers 500', async () => {
    parts = [async () => [school], () => Promise.reject(new Error('the database is away'))];
    const response = await call();
    expect(response.statusCode).toBe(200);
    await expect(textOf(response)).rejects.toThrow('aborted');
    parts = [() => Promise.reject(new Error('the database is away'))];
    expect((await call()).statusCode).toBe(500);
  });

  it('a long list is read at the client’s pace, and a stalled client delays no other client', async () => {
    const big = Array.from({ length: 20 }, () => ({ ...school, name: 'n'.repeat(2_000) }));
    let read = 0;
    const listOf = (count: () => void) =>
      Array.from({ length: 1_000 }, () => async () => {
        count();
        return big;
      });
    parts = listOf(() => {
      read++;
    });
    const unread = await call();
    unread.pause();
    parts = listOf(() => {});
    expect((await textOf(await call())).length).toBeGreaterThan(40_000_000);
    expect(read).toBeLessThan(500);
    unread.destroy();
  });

  it('32 long lists are sent at once and 64 wait until others end; further requests get 503', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    parts = [async () => [school], () => held.then(() => [school])];
    const calls = Array.from({ length: 100 }, call);
    const refused: IncomingMessage[] = [];
    for (const each of calls) void each.then((one) => one.statusCode === 503 && refused.push(one));
    await eventually('all have come', () => refused.length === 4);
    letGo();
    const texts = await Promise.all(calls.map(async (each) => textOf(await each)));
    expect(texts.filter((text) => JSON.parse(text).success)).toHaveLength(96);
    expect(JSON.parse(await textOf(await call())).data).toHaveLength(2);
  });
});
