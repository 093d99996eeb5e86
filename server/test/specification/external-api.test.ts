import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { app, type ExternalAnswer, internal } from './client.ts';
import { age, dataOf, openInstallation, permissions, sharedPassword } from './installation.ts';
import { column, entryOf, flag, idsOf, integer, list, text, timestamp, uuidV4 } from './values.ts';

/** Checks each statement of the specification on default settings, on the first day, 12 minutes later and a year later. */

const place = { classId: integer, className: text, gradeId: integer, gradeName: text };
const studentEntry = {
  ...{ id: integer, username: text, actualName: text, ...place, disabled: flag },
  ...{ totalScore: integer, addScore: integer, deductScore: integer, scoreCount: integer },
  createdAt: timestamp,
};
const scoreLogEntry = {
  ...{ id: integer, userId: integer, username: text, actualName: text, ...place },
  ...{ scoreChange: integer, description: text, createdAt: timestamp },
};
const grade = { id: integer, name: text, schoolId: integer, createdAt: timestamp };
const template = {
  ...{ id: integer, name: text, scoreChange: integer, description: text },
  ...{ createdAt: timestamp, updatedAt: timestamp },
};

/** Section 4, without ping: the endpoints of each permission. */
const endpoints = {
  'students:read': ['GET /students', 'GET /students/:id'],
  'students:write': ['POST /students', 'PATCH /students/:id'],
  'students:delete': ['DELETE /students/:id'],
  'scores:read': ['GET /scores'],
  'scores:write': ['POST /scores'],
  'scores:revoke': ['DELETE /scores/:logId'],
  'structure:read': ['GET /grades', 'GET /classes'],
  'structure:write': ['POST /grades', 'PATCH /grades/:id', 'POST /classes', 'PATCH /classes/:id'],
  'structure:delete': ['DELETE /grades/:id', 'DELETE /classes/:id'],
  'templates:read': ['GET /templates'],
  'templates:write': ['POST /templates', 'PATCH /templates/:id', 'DELETE /templates/:id'],
  'stats:read': ['GET /stats/overview'],
};
const lists = ['/students', '/scores', '/grades', '/classes', '/templates'];

const succeeds = async (call: ExternalAnswer | Promise<ExternalAnswer>, data: unknown, what?: string) =>
  expect(await call, what).toMatchObject({ status: 200, code: 0, message: text, data, requestId: uuidV4 });
/** Section 7: the code is the HTTP status times 100 plus a sequence number. */
const fails = async (call: ExternalAnswer | Promise<ExternalAnswer>, code: number, what?: string) => {
  const failure = { status: Math.floor(code / 100), code, message: text, data: null, requestId: uuidV4 };
  expect(await call, what).toMatchObject(failure);
};

/** The specification names no code for this failure. */
const refuses = async (call: Promise<ExternalAnswer>, what?: string) =>
  expect(await call, what).toMatchObject({ status: 400, data: null });

const idsIn = async (call: Promise<ExternalAnswer>) => idsOf((await dataOf(call)).list);

describe(`external API v1, ${age}`, async () => {
  const installation = await openInstallation();
  const { url, clock, schoolId, grade1, grade2, class1A, class1B, class2A } = installation;
  const { admin, head, gradeHead, teacher, schoolApp, gradeApp, classApp } = installation;
  const { ada, ben, dora } = installation;

  beforeEach(() => clock.advance(5_000));

  let names = 0;
  const unique = (what: string) => `${what} ${++names}`;
  const newGrade = async () => (await dataOf(schoolApp.post('/grades', { name: unique('Grade') }))).id;
  const newClass = async (gradeId = grade1) =>
    (await dataOf(schoolApp.post('/classes', { name: unique('Class'), gradeId }))).id;
  const newStudents = async (classId: number, count: number): Promise<number[]> => {
    const batch = Array.from({ length: count }, () => ({ username: unique('student') }));
    const { details } = await dataOf(schoolApp.post('/students', { classId, batch }));
    return idsOf(details);
  };
  const newStudent = async (classId = class1A) => (await newStudents(classId, 1))[0] as number;
  const give = async (userId: number, scoreChange: number) => {
    const { details } = await dataOf(schoolApp.post('/scores', { userId, scoreChange }));
    return details[0].logId;
  };
  const usernameOf = async (id: number) => (await dataOf(schoolApp.get(`/students/${id}`))).username;
  const totalsOf = async (id: number) => {
    const { totalScore, addScore, deductScore, scoreCount } = await dataOf(schoolApp.get(`/students/${id}`));
    return [totalScore, addScore, deductScore, scoreCount];
  };
  const issue = async (body: object = {}, issuer = head) => {
    const credential = { name: 'app', scopeType: 'school', scopes: permissions, ...body };
    const made = await issuer.post('/api-tokens', credential, { 'x-confirm-password': issuer.password });
    return { id: made.data?.id, made, ...app(url, made.data?.token) };
  };
  const signsIn = async (username: string, password: string) =>
    expect(await internal(url).post('/auth/student/login', { username, password })).toMatchObject({
      status: 200,
      data: { username },
    });
  const done = (data: unknown) => ({ status: 200, success: true, data });
  const callLog = async (query: string) => (await dataOf(admin.get(`/api-tokens/logs?${query}`))).list;
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString();

  describe('2. Resources and their fields', () => {
    it('2.1 names each request by a UUID in the body, in X-Request-Id and in the audit log', async () => {
      const answers = [await schoolApp.get('/grades'), await schoolApp.get('/students/999999')];
      const ids = answers.map(({ requestId }) => requestId);
      expect(new Set(ids).size).toBe(2);
      expect(answers.map(({ headers }) => headers.get('X-Request-Id'))).toEqual(ids);
      const logged = await callLog('limit=2');
      expect(column(logged, 'requestId')).toEqual(ids.reverse());
    });

    it('2.2 pages every list, with 20 entries by default and 100 at most', async () => {
      for (const path of lists) {
        const page = (query: string) => schoolApp.get(path + query);
        const data = { list: list, total: integer };
        await succeeds(page(''), { ...data, page: 1, limit: 20 }, path);
        await succeeds(page('?page=2&limit=5'), { ...data, page: 2, limit: 5 }, path);
        await succeeds(page('?limit=1000'), { ...data, page: 1, limit: 100 }, path);
      }
    });

    it.each(lists)('2.3 sorts %s by its default when sortBy is invalid', async (path) => {
      const ids = async (query: string) => await idsIn(schoolApp.get(path + query));
      expect(await ids('?sortBy=shoeSize')).toEqual(await ids(''));
      expect(await ids('?sortBy=shoeSize&order=desc&limit=100')).toEqual(await ids('?order=desc&limit=100'));
      expect(await ids('?order=asc&limit=100')).toEqual((await ids('?order=desc&limit=100')).reverse());
    });

    it('2.4 filters by a UTC day or a full ISO string, and answers 400 to any other format', async () => {
      const student = await newStudent();
      await give(student, 1);
      const at = clock.now().toISOString();
      const [before, today, after] = [-1440, 0, 1440].map((minutes) => inMinutes(minutes).slice(0, 10));
      for (const [query, total] of [
        [`startDate=${today}`, 1],
        [`startDate=${after}`, 0],
        [`endDate=${today}`, 1],
        [`endDate=${before}`, 0],
        [`startDate=${today}&endDate=${today}`, 1],
        [`startDate=${at}&endDate=${at}`, 1],
        [`startDate=${inMinutes(1)}`, 0],
        [`endDate=${inMinutes(-1)}`, 0],
      ]) {
        const answer = await schoolApp.get(`/scores?userId=${student}&${query}`);
        await succeeds(answer, { total }, `${query}`);
      }
      for (const other of ['15/09/2026', '2026-9-1', '2026-09', 'yesterday', '1789466400000']) {
        await refuses(schoolApp.get(`/scores?startDate=${other}`), other);
        await refuses(schoolApp.get(`/stats/overview?endDate=${other}`), other);
      }
    });

    it('2.4 a date filter starts a day at 00:00:00.000Z, ends it at 23:59:59.999Z, and keeps a full ISO string', async () => {
      const range = async (startDate: string, endDate: string) => {
        const query = new URLSearchParams({ startDate, endDate });
        return (await dataOf(schoolApp.get(`/stats/overview?${query}`))).range;
      };
      expect(await range('2026-09-01', '2026-09-02')).toEqual({
        startDate: '2026-09-01T00:00:00.000Z',
        endDate: '2026-09-02T23:59:59.999Z',
      });
      const full = { startDate: '2026-09-01T08:00:00+08:00', endDate: '2026-09-02T10:30:00Z' };
      expect(await range(full.startDate, full.endDate)).toEqual(full);
    });

    it('2.5, 2.6 lists students with totals that add up their score log, with negative points for a deduction', async () => {
      const classId = await newClass();
      const student = await newStudent(classId);
      for (const change of [5, -2, 0]) await give(student, change);
      const scores = { totalScore: 3, addScore: 5, deductScore: -2, scoreCount: 3 };
      const students = await dataOf(schoolApp.get(`/students?classId=${classId}`));
      expect(students.list).toMatchObject([{ ...studentEntry, id: student, ...scores }]);
      const log = await dataOf(schoolApp.get(`/scores?classId=${classId}&sortBy=id&order=asc`));
      const entry = { ...scoreLogEntry, userId: student };
      expect(log.list).toMatchObject([5, -2, 0].map((scoreChange) => ({ ...entry, scoreChange })));
    });

    it('2.5 shows a student with the latest ten records, and only whether an e-mail address exists', async () => {
      const student = await newStudent();
      const given = [];
      for (let change = 1; change <= 11; change++) given.push(await give(student, change));
      const unbound = await classApp.get(`/students/${student}`);
      expect(unbound.data).toMatchObject({ ...studentEntry, emailBound: false, emailBoundAt: null });
      expect(idsOf(unbound.data.recentScores)).toEqual(given.reverse().slice(0, 10));

      await dataOf(head.patch(`/users/${student}`, { schoolDb: schoolId, email: 'ada@riverside.example' }));
      const bound = await schoolApp.get(`/students/${student}`);
      expect(bound.data).toMatchObject({ emailBound: true, emailBoundAt: timestamp });
      expect(JSON.stringify(bound.data)).not.toContain('ada@riverside.example');
    });

    it('2.11, 4.9 POST /api/api-tokens shows a credential once; later only its prefix can be read', async () => {
      const given = {
        name: 'Campus card',
        scopeType: 'grade',
        scopeGradeId: grade1,
        scopes: ['scores:read'],
      };
      const { made, id, token, ...caller } = await issue({ ...given, expiresInDays: 30 });
      expect(token).toMatch(/^[A-Za-z0-9]+_\w{38,50}$/);
      const credential = {
        ...given,
        scopeClassId: null,
        expiresAt: inMinutes(30 * 1440),
        prefix: token.slice(0, made.data.prefix.length),
        ...{ callCount: 0, lastUsedAt: null, lastUsedIp: null, createdAt: timestamp },
      };
      expect(made).toMatchObject(done(credential));
      const { data } = await head.get('/api-tokens');
      expect(entryOf(data, id)).toMatchObject(credential);
      expect(JSON.stringify(data)).not.toContain(token);
      await succeeds(caller.get('/scores'), { page: 1 });
    });

    it('2.12 keeps an audit log record of a call', async () => {
      const { id, made, ...caller } = await issue();
      const done = await caller.get('/students?limit=1');
      const refused = await caller.delete(`/students/${ada}`);
      const ofToken = { tokenId: id, tokenPrefix: made.data.prefix, schoolId };
      const record = {
        ...ofToken,
        latencyMs: integer,
        ip: '127.0.0.1',
        userAgent: text,
        createdAt: timestamp,
      };
      const success = { method: 'GET', path: '/api/v1/students', statusCode: 200, errorMessage: null };
      const path = `/api/v1/students/${ada}`;
      expect(await callLog(`tokenId=${id}`)).toMatchObject([
        {
          ...record,
          requestId: refused.requestId,
          method: 'DELETE',
          path,
          statusCode: 400,
          errorMessage: text,
        },
        { ...record, requestId: done.requestId, ...success },
      ]);
    });
  });

  it('3.1 refuses the credential of a deleted school with 40301', async () => {
    const { id, schoolDb } = await dataOf(admin.post('/schools', { name: unique('School') }));
    const credential = await issue({ schoolDb }, admin);
    await succeeds(credential.get('/ping'), { ok: true });
    await admin.delete(`/schools/${id}`);
    await fails(credential.get('/ping'), 40301);
  });

  it('4.2 GET /ping shows school and credential to any valid token', async () => {
    const scope = { scopeType: 'class', scopeGradeId: null, scopeClassId: class1A };
    const caller = await issue({ name: 'Door', ...scope, scopes: ['stats:read'] });
    await succeeds(caller.get('/ping'), {
      ok: true,
      serverTime: clock.now().toISOString(),
      school: { id: schoolId, name: 'Riverside School' },
      token: {
        name: 'Door',
        prefix: caller.made.data.prefix,
        ...scope,
        scopes: ['stats:read'],
        expiresAt: null,
        callCount: integer,
        createdAt: timestamp,
      },
    });
  });

  describe('4.3 Students', () => {
    it('GET /students filters by class, grade, keyword, and whether a student is disabled', async () => {
      const gradeId = await newGrade();
      const classId = await newClass(gradeId);
      const mei = { username: unique('mei'), actualName: '王小美' };
      const tom = { username: unique('tom'), actualName: 'Tom Hale' };
      const made = await dataOf(schoolApp.post('/students', { classId, batch: [mei, tom] }));
      const [meiId, tomId] = idsOf(made.details);
      await dataOf(schoolApp.patch(`/students/${tomId}`, { disabled: true }));
      for (const [query, expected] of [
        [`classId=${classId}`, [meiId, tomId]],
        [`gradeId=${gradeId}`, [meiId, tomId]],
        [`gradeId=${gradeId}&keyword=${encodeURIComponent('小美')}`, [meiId]],
        [`gradeId=${gradeId}&keyword=HALE`, [tomId]],
        [`gradeId=${gradeId}&keyword=${encodeURIComponent(mei.username)}`, [meiId]],
        [`gradeId=${gradeId}&disabled=true`, [tomId]],
        [`gradeId=${gradeId}&disabled=false`, [meiId]],
        [`gradeId=${gradeId}&disabled=1`, [tomId]],
        [`gradeId=${gradeId}&disabled=0`, [meiId]],
        [`gradeId=${grade2}&classId=${classId}`, []],
      ]) {
        expect(await idsIn(schoolApp.get(`/students?${query}`)), `${query}`).toEqual(expected);
      }
    });

    it.each(['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'])(
      'GET /students sorts by %s, asc or desc',
      async (sortBy) => {
        await give(ben, 1);
        const values = async (order: string) => {
          const query = `sortBy=${sortBy}&order=${order}&limit=100`;
          return column((await dataOf(classApp.get(`/students?${query}`))).list, sortBy);
        };
        const rising = await values('asc');
        expect(rising).toEqual([...rising].sort((a, b) => (typeof a === 'number' ? a - b : a < b ? -1 : 1)));
        expect(await values('desc')).toEqual(rising.reverse());
      },
    );

    it('POST /students creates one student with the given password, which no answer contains, or a generated one', async () => {
      const student = { classId: class1A, username: unique('student'), actualName: 'Fay Wong' };
      const created = await schoolApp.post('/students', { ...student, password: '123456' });
      await succeeds(created, { id: integer, ...student, disabled: false, createdAt: timestamp });
      expect(JSON.stringify(created.data)).not.toContain('123456');
      await signsIn(student.username, '123456');
      const username = unique('student');
      const { initialPassword } = await dataOf(schoolApp.post('/students', { classId: class1A, username }));
      expect(initialPassword.length).toBeGreaterThanOrEqual(6);
      await signsIn(username, initialPassword);
    });

    it('2.10 POST /students creates a batch entry by entry, and reports each failure, which undoes no other entry', async () => {
      const entry = () => ({ username: unique('student') });
      const [first, second, third] = [entry(), { username: '2024001' }, { ...entry(), classId: class1B }];
      const body = { classId: class1A, defaultPassword: sharedPassword, batch: [first, second, third] };
      const { details, ...counts } = await dataOf(schoolApp.post('/students', body));
      expect(counts).toMatchObject({ successCount: 2, failedCount: 1, totalCount: 3 });
      expect(column(details, 'success')).toEqual([true, false, true]);
      expect(column(details, 'reason')).toEqual([null, text, null]);
      await succeeds(schoolApp.get(`/students/${details[2].id}`), { classId: class1B });
      await signsIn(first.username, sharedPassword);
    });

    it('POST /students needs no classId with a class credential; other credentials must name a class', async () => {
      const student = () => ({ username: unique('student') });
      await succeeds(classApp.post('/students', student()), { classId: class1A });
      await succeeds(classApp.post('/students', { batch: [student()] }), { successCount: 1 });
      await fails(gradeApp.post('/students', student()), 40003);
    });

    it('POST /students takes at most 200 entries and answers 40003 to an empty batch', async () => {
      const classId = await newClass();
      const batch = Array.from({ length: 201 }, () => ({ username: unique('student') }));
      const most = { classId, defaultPassword: '123456', batch: batch.slice(1) };
      await succeeds(schoolApp.post('/students', most), { successCount: 200 });
      await refuses(schoolApp.post('/students', { classId, batch }));
      await fails(schoolApp.post('/students', { classId, batch: [] }), 40003);
    });

    it('PATCH /students/:id changes username, name and disabled, moves the student, and accepts the whole record', async () => {
      const student = await newStudent();
      const username = unique('student');
      const change = { username, actualName: 'Gil Ode', disabled: true, classId: class1B };
      const changed = { id: student, ...change, createdAt: timestamp };
      await succeeds(gradeApp.patch(`/students/${student}`, change), changed);
      const record = await gradeApp.get(`/students/${student}`);
      await succeeds(record, changed);
      const again = { ...record.data, actualName: 'Hana Mori' };
      await succeeds(schoolApp.patch(`/students/${student}`, again), { ...changed, actualName: 'Hana Mori' });
    });

    it('PATCH /students/:id changes no password and no e-mail address', async () => {
      for (const field of [{ password: 'newpass123' }, { email: 'ada@riverside.example' }]) {
        await refuses(schoolApp.patch(`/students/${ada}`, field));
      }
    });

    it('DELETE /students/:id removes the student with the score log records', async () => {
      const student = await newStudent();
      await give(student, 1);
      const username = await usernameOf(student);
      const deleted = await schoolApp.delete(`/students/${student}?confirm=true`);
      await succeeds(deleted, { id: student, username, classId: class1A });
      await fails(schoolApp.get(`/students/${student}`), 40401);
      await succeeds(schoolApp.get(`/scores?userId=${student}`), { total: 0 });
    });
  });

  describe('4.4 Scores', () => {
    it('GET /scores filters by student, class, grade, type and dates', async () => {
      const gradeId = await newGrade();
      const classId = await newClass(gradeId);
      const student = await newStudent(classId);
      const username = await usernameOf(student);
      const added = await give(student, 3);
      const deducted = await give(student, -1);
      const today = clock.now().toISOString().slice(0, 10);
      for (const [query, expected] of [
        [`userId=${student}`, [deducted, added]],
        [`username=${encodeURIComponent(username)}`, [deducted, added]],
        [`classId=${classId}`, [deducted, added]],
        [`gradeId=${gradeId}`, [deducted, added]],
        [`userId=${student}&type=add`, [added]],
        [`userId=${student}&type=deduct`, [deducted]],
        [`userId=${student}&startDate=${today}&endDate=${today}`, [deducted, added]],
        [`userId=${student}&classId=${class1A}`, []],
      ]) {
        expect(await idsIn(schoolApp.get(`/scores?${query}`)), `${query}`).toEqual(expected);
      }
    });

    it.each(['id', 'createdAt', 'scoreChange'])('GET /scores sorts by %s, asc or desc', async (sortBy) => {
      const student = await newStudent();
      const given = [await give(student, 1)];
      clock.advance(1);
      given.push(await give(student, 2));
      const ids = async (order: string) =>
        await idsIn(schoolApp.get(`/scores?userId=${student}&sortBy=${sortBy}&order=${order}`));
      expect(await ids('asc')).toEqual(given);
      expect(await ids('desc')).toEqual(given.reverse());
    });

    it('POST /scores gives points to one student, named by id or username, as POST /api/scores/add does', async () => {
      const student = await newStudent();
      const username = await usernameOf(student);
      for (const named of [{ userId: student }, { username }]) {
        const body = { ...named, scoreChange: 2, description: 'Homework' };
        const counts = { successCount: 1, failedCount: 0, totalCount: 1 };
        await succeeds(schoolApp.post('/scores', body), { ...counts, details: [{ logId: integer }] });
      }
      const score = { schoolDb: schoolId, userId: student, scoreChange: -1, description: 'Late' };
      await dataOf(teacher.post('/scores/add', score));
      expect(await totalsOf(student)).toEqual([3, 4, -1, 3]);
    });

    it('POST /scores takes a batch, whose items may differ in points and description', async () => {
      const [one, two] = await newStudents(class1A, 2);
      const items = [{ userId: one }, { userId: two, scoreChange: -2, description: 'Late' }];
      const written = await schoolApp.post('/scores', { items, scoreChange: 5, description: 'Contest' });
      await succeeds(written, { successCount: 2 });
      const scores = async (id?: number) => (await dataOf(schoolApp.get(`/scores?userId=${id}`))).list;
      expect(await scores(one)).toMatchObject([{ scoreChange: 5, description: 'Contest' }]);
      expect(await scores(two)).toMatchObject([{ scoreChange: -2, description: 'Late' }]);
    });

    it('POST /scores uses points and description of a template', async () => {
      const student = await newStudent();
      const points = { scoreChange: 3, description: 'Read aloud' };
      const body = { name: unique('Template'), ...points, classId: class1A };
      const { id: templateId } = await dataOf(schoolApp.post('/templates', body));
      const items = [{ userId: student }];
      await succeeds(classApp.post('/scores', { templateId, items }), { successCount: 1 });
      const { list } = await dataOf(schoolApp.get(`/scores?userId=${student}`));
      expect(list).toMatchObject([points]);
    });

    it('POST /scores takes at most 200 items', async () => {
      const student = await newStudent();
      const items = Array.from({ length: 201 }, () => ({ userId: student }));
      const written = await schoolApp.post('/scores', { scoreChange: 1, items: items.slice(1) });
      await succeeds(written, { successCount: 200 });
      await refuses(schoolApp.post('/scores', { scoreChange: 1, items }));
      expect(await totalsOf(student)).toEqual([200, 200, 0, 200]);
    });

    it('POST /scores takes whole points from -10000 to 10000 and answers 40002 otherwise', async () => {
      const student = await newStudent();
      for (const scoreChange of [10_000, -10_000]) {
        const written = await schoolApp.post('/scores', { userId: student, scoreChange });
        await succeeds(written, { successCount: 1 });
      }
      for (const scoreChange of [10_001, -10_001, 0.5, '5']) {
        const refused = await schoolApp.post('/scores', { userId: student, scoreChange });
        await fails(refused, 40002, `${scoreChange}`);
      }
    });

    it('2.10 POST /scores records a failing item in details and writes the other items', async () => {
      const student = await newStudent();
      const items = [
        { userId: dora },
        { userId: 999999 },
        { userId: student, scoreChange: 10_001 },
        { userId: student },
      ];
      const written = await classApp.post('/scores', { scoreChange: 1, items });
      await succeeds(written, {
        successCount: 1,
        failedCount: 3,
        totalCount: 4,
        details: [{ reason: text }, { reason: text }, { reason: text }, { logId: integer, reason: null }],
      });
      expect(await totalsOf(student)).toEqual([1, 1, 0, 1]);
    });

    it('DELETE /scores/:logId revokes a record and restores the four totals', async () => {
      const student = await newStudent();
      const kept = await give(student, 5);
      const logId = await give(student, -2);
      const username = await usernameOf(student);
      const revoked = { logId, userId: student, username, revokedScoreChange: -2 };
      await succeeds(schoolApp.delete(`/scores/${logId}`), revoked);
      expect(await totalsOf(student)).toEqual([5, 5, 0, 1]);
      expect(await idsIn(schoolApp.get(`/scores?userId=${student}`))).toEqual([kept]);
    });
  });

  describe('4.5 Grades', () => {
    it('2.7 GET /grades lists grades with their school, POST creates a grade, PATCH /grades/:id renames it', async () => {
      expect((await gradeApp.get('/grades')).data.list).toMatchObject([{ ...grade, id: grade1, schoolId }]);
      const [name, renamed] = [unique('Grade'), unique('Grade')];
      const created = await schoolApp.post('/grades', { name });
      await succeeds(created, { ...grade, name });
      const { id } = created.data;
      await succeeds(schoolApp.patch(`/grades/${id}`, { name: renamed }), { id, name: renamed });
    });

    it('DELETE /grades/:id deletes everything in the grade', async () => {
      const gradeId = await newGrade();
      const [student] = await newStudents(await newClass(gradeId), 2);
      await newClass(gradeId);
      await give(student as number, 1);
      await succeeds(schoolApp.delete(`/grades/${gradeId}?confirm=true`), {
        id: gradeId,
        name: text,
        cascadeDeleted: { classes: 2, students: 2 },
      });
      for (const path of ['/classes', '/students', '/scores']) {
        await succeeds(schoolApp.get(`${path}?gradeId=${gradeId}`), { total: 0 }, path);
      }
    });
  });

  describe('4.6 Classes', () => {
    it('GET /classes lists the classes of the scope, with the name of their grade', async () => {
      const { data } = await classApp.get('/classes');
      expect(data.list).toMatchObject([{ id: class1A, name: 'Class 1A', gradeName: 'Grade 1' }]);
      const ofGrade = await idsIn(gradeApp.get('/classes?limit=100'));
      expect(ofGrade).toEqual(expect.arrayContaining([class1A, class1B]));
      expect(ofGrade).not.toContain(class2A);
    });

    it('POST /classes creates a class, PATCH /classes/:id renames it or moves it to another grade', async () => {
      const body = { name: unique('Class'), gradeId: grade1 };
      const created = await gradeApp.post('/classes', body);
      await succeeds(created, { id: integer, gradeName: 'Grade 1', ...body });
      const { id } = created.data;
      const name = unique('Class');
      await succeeds(gradeApp.patch(`/classes/${id}`, { name }), { id, name });
      const moved = await schoolApp.patch(`/classes/${id}`, { gradeId: grade2 });
      await succeeds(moved, { gradeId: grade2, gradeName: 'Grade 2' });
    });

    it('DELETE /classes/:id deletes the class with its students', async () => {
      const classId = await newClass();
      const student = await newStudent(classId);
      await succeeds(gradeApp.delete(`/classes/${classId}?confirm=true`), { id: classId });
      await fails(schoolApp.get(`/students/${student}`), 40401);
    });
  });

  describe('4.7 Templates', () => {
    it('POST /templates creates a template for a class, or for the whole school without classId', async () => {
      const points = { scoreChange: -2, description: 'Late' };
      for (const [caller, classId, global] of [
        [classApp, class1A, false],
        [schoolApp, undefined, true],
      ] as const) {
        const body = { name: unique('Template'), classId, ...points };
        const created = await caller.post('/templates', body);
        const entry = { ...template, ...body, classId: classId ?? null, global };
        await succeeds(created, entry);
        const { list } = await dataOf(schoolApp.get('/templates?limit=100'));
        expect(entryOf(list, created.data.id)).toMatchObject(entry);
      }
    });

    it('POST /templates answers 40901 to a name that exists in the same class or school', async () => {
      const name = unique('Template');
      const make = (owner: object) => schoolApp.post('/templates', { name, scoreChange: 1, ...owner });
      for (const owner of [{}, { classId: class1A }, { classId: class1B }]) {
        await succeeds(make(owner), { name });
        await fails(make(owner), 40901);
      }
    });

    it('POST /templates takes whole points within plus or minus 10000, but not 0', async () => {
      for (const scoreChange of [0, 10_001, -10_001, 1.5]) {
        const refused = await schoolApp.post('/templates', { name: unique('Template'), scoreChange });
        await fails(refused, 40002, `${scoreChange}`);
      }
    });

    it('PATCH /templates/:id changes name, points and description, but not the class', async () => {
      const { id } = await dataOf(schoolApp.post('/templates', { name: unique('Template'), scoreChange: 1 }));
      const change = { name: unique('Template'), scoreChange: 4, description: 'Reads aloud' };
      await succeeds(schoolApp.patch(`/templates/${id}`, change), { id, ...change });
      await refuses(schoolApp.patch(`/templates/${id}`, { classId: class1A }));
    });
  });

  it('4.8 GET /stats/overview counts students and points and ranks the best students of the scope', async () => {
    const classId = await newClass(grade1);
    const [first, second, third] = (await newStudents(classId, 3)) as [number, number, number];
    await dataOf(schoolApp.patch(`/students/${third}`, { disabled: true }));
    const scope = { scopeType: 'class', scopeClassId: classId };
    const caller = await issue({ ...scope, scopes: ['stats:read'] });
    await give(first, 2);
    for (const change of [5, -1]) await give(second, change);
    const overview = {
      scope: { type: 'class', gradeId: null, classId },
      structure: { gradeCount: 1, classCount: 1, studentCount: 3, disabledStudentCount: 1 },
    };
    const ranked = { username: text, actualName: text, classId, className: text };
    await succeeds(caller.get('/stats/overview'), {
      ...overview,
      range: { startDate: null, endDate: null },
      scores: { totalScore: 6, addScore: 7, deductScore: -1, recordCount: 3, todayRecordCount: 3 },
      topStudents: [
        { ...ranked, rank: 1, id: second, totalScore: 4, scoreCount: 2 },
        { ...ranked, rank: 2, id: first, totalScore: 2, scoreCount: 1 },
      ],
    });
    const past = await caller.get('/stats/overview?endDate=2026-01-01');
    await succeeds(past, { ...overview, scores: { recordCount: 0 }, topStudents: [] });
  });

  describe('4.9 Credential management', () => {
    it('GET /api/api-tokens lists the credentials in range', async () => {
      const { id } = await issue({ scopeType: 'class', scopeClassId: class1A }, teacher);
      const seen = await dataOf(teacher.get('/api-tokens'));
      expect(new Set(column(seen, 'scopeClassId'))).toEqual(new Set([class1A]));
      expect(entryOf(seen, id)).toMatchObject({ status: 'enabled', scopeType: 'class', scopes: permissions });
    });

    it('GET /api/api-tokens/meta names scope types, permissions and the administrator’s own range', async () => {
      const meta = async (caller = head) => await dataOf(caller.get('/api-tokens/meta'));
      const range = async (caller = head) => {
        const { fixedGradeId, fixedClassId } = await meta(caller);
        return [fixedGradeId, fixedClassId];
      };
      const { scopeTypes, maxExpireDays, ...more } = await meta();
      expect(scopeTypes).toEqual(['school', 'grade', 'class']);
      expect(maxExpireDays).toEqual(integer);
      const dangerous = more.permissions.filter((permission: { dangerous: boolean }) => permission.dangerous);
      expect(column(more.permissions, 'name')).toEqual(permissions);
      expect(column(dangerous, 'name')).toEqual(['students:delete', 'structure:delete']);
      expect(await range()).toEqual([null, null]);
      expect(await range(gradeHead)).toEqual([grade1, null]);
      expect(await range(teacher)).toEqual([grade1, class1A]);
    });

    it('PATCH /api/api-tokens/:id changes name, permissions and validity, but not the scope', async () => {
      const { id, ...caller } = await issue();
      for (const change of [
        { name: 'Renamed' },
        { scopes: ['stats:read'] },
        { expiresInDays: 7 },
        { expiresInDays: null },
        { expiresAt: inMinutes(10) },
        { expiresAt: null },
        { status: 'disabled' },
        { status: 'enabled' },
      ]) {
        const { expiresInDays, ...shown } = { expiresInDays: undefined, ...change };
        expect(await head.patch(`/api-tokens/${id}`, change), JSON.stringify(change)).toMatchObject(
          done(shown),
        );
      }
      await fails(caller.get('/students'), 40302);
      expect(await head.patch(`/api-tokens/${id}`, { scopeType: 'class' })).toMatchObject({ status: 400 });
    });

    it('GET /api/api-tokens/logs filters by token, method, status and failure, with paging', async () => {
      const { id, ...caller } = await issue();
      await caller.get('/ping');
      await caller.get('/students/999999');
      await caller.post('/grades', {});
      for (const [filter, statusCodes] of [
        ['', [400, 404, 200]],
        ['&method=GET', [404, 200]],
        ['&statusCode=404', [404]],
        ['&onlyFailed=true', [400, 404]],
        ['&onlyFailed=1', [400, 404]],
        ['&onlyFailed=0', [400, 404, 200]],
      ] as const) {
        const { data } = await head.get(`/api-tokens/logs?tokenId=${id}${filter}`);
        const expected = {
          list: statusCodes.map((statusCode) => ({ statusCode })),
          total: statusCodes.length,
        };
        expect(data, filter).toMatchObject(expected);
      }
      const second = await head.get(`/api-tokens/logs?tokenId=${id}&page=2&limit=1`);
      expect(second).toMatchObject(done({ list: [{ statusCode: 404 }], total: 3, page: 2, limit: 1 }));
    });
  });

  it.each(Object.entries(endpoints))('5.4 the permission %s is needed for %j', (permission, expected) => {
    const found = Object.values<ExternalOperation>(externalOperations).map(
      (operation) => [`${operation.method} ${operation.path}`, operation.permission] as const,
    );
    for (const endpoint of expected) expect(found).toContainEqual([endpoint, permission]);
  });

  it.each([
    [40001, 'invalid JSON', () => schoolApp.post('/grades', '{')],
    [40001, 'a missing required field', () => schoolApp.post('/grades', {})],
    [40002, 'a negative id', () => schoolApp.get('/students/-1')],
    [40002, 'an overlong string', () => schoolApp.post('/grades', { name: 'x'.repeat(101) })],
    [40002, 'an invalid enum', () => schoolApp.get('/scores?type=bonus')],
    [40003, 'an empty batch', () => schoolApp.post('/scores', { items: [], scoreChange: 1 })],
    [40004, 'a delete without confirm=true', () => schoolApp.delete(`/students/${ada}`)],
    [
      40901,
      'a rename to an existing username',
      () => schoolApp.patch(`/students/${ada}`, { username: '2024002' }),
    ],
    [
      40901,
      'an existing username',
      () => schoolApp.post('/students', { classId: class2A, username: '2024001' }),
    ],
  ] as const)('7. answers %i to %s', async (code, _, call) => {
    await fails(call(), code);
  });

  // Last, because days pass.
  describe('8. Limits', () => {
    it('allows a token 600 requests a minute, of which 120 write', async () => {
      const { headers } = await (await issue()).get('/ping');
      expect(headers.get('X-RateLimit-Limit')).toBe('600');
      expect(headers.get('RateLimit-Policy')).toBe('"total";q=600;w=60, "write";q=120;w=60');
    });

    it('keeps the audit log for 30 days', async () => {
      const { id, ...caller } = await issue();
      await caller.get('/ping');
      const total = async () => (await dataOf(admin.get(`/api-tokens/logs?tokenId=${id}`))).total;
      clock.advance(29 * 86_400_000);
      expect(await total()).toBe(1);
      clock.advance(2 * 86_400_000);
      expect(await total()).toBe(0);
    });
  });
});
