import { describe, expect, it } from 'vitest';
import { auditRecordOf } from '../../test/audit.ts';
import type { ExternalAnswer, InternalAnswer } from '../../test/identities.ts';
import { openSchool } from '../../test/test-app.ts';

const { admin, school, office } = await openSchool();
const { schoolDb } = school;
const [{ classes }] = school.grades;
const [{ id: classId, students }] = classes;
const [student] = students as [(typeof students)[number]];

let made = 0;
const newName = () => `made-${++made}`;
const totalOf = ({ data }: ExternalAnswer) => (data as { total: number }).total;
const refused = (answer: ExternalAnswer | InternalAnswer) => [answer.status, answer.message];

describe('Order of a list', () => {
  it.each([
    '/grades',
    '/classes',
    '/users',
    '/scores/templates',
    '/scores/logs',
    '/seats/data',
    '/admin/list',
  ])('a list of /api%s has its default order for an unknown sortBy', async (path) => {
    const plain = await admin.get(`${path}?schoolDb=${schoolDb}`);
    const sorted = await admin.get(`${path}?schoolDb=${schoolDb}&sortBy=nothing`);
    expect([sorted.status, sorted.data]).toEqual([200, plain.data]);
  });
});

describe('null in an optional field', () => {
  it('null counts as absent in a score write and its entries', async () => {
    const names = { username: null, externalId: null, cardNumber: null };
    const absent = { ...names, occurredAt: null, description: null };
    const others = { items: null, templateId: null };
    const single = await office.post('/scores', { userId: student.id, scoreChange: 1, ...absent, ...others });
    expect(single).toMatchObject({ code: 0, data: { successCount: 1 } });
    const items = [{ userId: student.id, scoreChange: null, ...absent }];
    const request = { items, scoreChange: 3, description: null, templateId: null };
    const batch = await office.post('/scores', request);
    expect(batch.data).toMatchObject({ details: [{ success: true, scoreChange: 3 }] });
  });

  it('null counts as absent in the creation and change of a student', async () => {
    const body = { username: newName(), password: null, actualName: null, classId, batch: null };
    const created = await office.post('/students', body);
    expect(created).toMatchObject({ code: 0, data: { initialPassword: expect.any(String) } });
    const { id } = created.data as { id: number };
    const change = { actualName: 'Changed', username: null, disabled: null };
    const changed = await office.patch(`/students/${id}`, change);
    expect(changed.data).toMatchObject({ username: body.username, actualName: 'Changed', disabled: false });
    const entry = { username: newName(), actualName: null, classId: null };
    const batch = await office.post('/students', { classId, defaultPassword: null, batch: [entry] });
    expect(batch.data).toMatchObject({ successCount: 1 });
  });

  it('the internal API counts null as absent, also in the entries of a list', async () => {
    const points = { userId: student.id, scoreChange: 1, description: null, note: null };
    expect((await admin.post('/scores/add', { schoolDb, ...points })).status).toBe(200);
    const { version } = (await admin.get(`/teams?schoolDb=${schoolDb}&classId=${classId}`)).data as {
      version: string;
    };
    const teams = [{ id: null, name: 'Comets', colour: 1, userIds: [student.id] }];
    expect((await admin.post('/teams', { schoolDb, classId, version, anew: null, teams })).status).toBe(200);
    const grade = `/grades/${school.grades[0].id}?schoolDb=${schoolDb}`;
    expect((await admin.patch(grade, { name: 'One', schoolDb: null })).status).toBe(200);
  });

  it('a template with a null class is school-wide', async () => {
    const template = { name: newName(), scoreChange: 1, classId: null };
    expect(await office.post('/templates', template)).toMatchObject({ code: 0, data: { global: true } });
    const own = { ...template, name: newName(), schoolDb };
    expect((await admin.post('/scores/templates', own)).data).toMatchObject({ classId: null, global: true });
  });

  it('null removes an external id and a card number', async () => {
    const path = `/students/${student.id}`;
    await office.patch(path, { externalId: 'E-1', cardNumber: 'C-1' });
    const changed = await office.patch(path, { externalId: null, cardNumber: null });
    expect(changed.data).toMatchObject({ externalId: null, cardNumber: null });
  });

  it('a change with null as the only field changes nothing and is rejected', async () => {
    expect(await office.patch(`/students/${student.id}`, { actualName: null })).toMatchObject({
      code: 40001,
    });
    expect((await admin.patch(`/users/${student.id}`, { schoolDb, actualName: null })).status).toBe(400);
  });
});

describe('1 and 0', () => {
  it('1 and 0 are true and false in queries', async () => {
    const all = totalOf(await office.get('/students'));
    expect(totalOf(await office.get('/students?disabled=0'))).toBe(all);
    expect(totalOf(await office.get('/students?disabled=1'))).toBe(0);
    const pingWithExplain = async (explain: string) =>
      Object.keys((await office.get(`/ping?explain=${explain}`)).data as object);
    expect(await pingWithExplain('1')).toEqual(await pingWithExplain('true'));
    expect(await pingWithExplain('0')).toEqual(await pingWithExplain('false'));
    expect((await admin.get(`/users?schoolDb=${schoolDb}&disabled=1`)).data).toEqual([]);
    expect((await admin.get(`/api-tokens/logs?schoolDb=${schoolDb}&onlyFailed=1`)).status).toBe(200);
  });

  it('numbers 1 and 0 are flags in bodies of the internal API', async () => {
    const path = `/users/${student.id}`;
    expect((await admin.patch(path, { schoolDb, disabled: 1 })).data).toMatchObject({ disabled: true });
    expect((await admin.patch(path, { schoolDb, disabled: 0 })).data).toMatchObject({ disabled: false });
    for (const disabled of [2, '1', 'true']) {
      expect(refused(await admin.patch(path, { schoolDb, disabled }))).toEqual([
        400,
        expect.stringContaining('disabled'),
      ]);
    }
  });

  it('1 and 0 are rejected as flags in bodies of the external API, and do not confirm a deletion', async () => {
    expect(await office.patch(`/students/${student.id}`, { disabled: 1 })).toMatchObject({ code: 40002 });
    expect(await office.delete(`/students/${student.id}?confirm=1`)).toMatchObject({ code: 40004 });
  });
});

describe('Empty query parameter', () => {
  it('an empty query parameter counts as absent in a read', async () => {
    const filters = 'classId=&gradeId=&keyword=&disabled=&username=&ids=&externalId=&cardNumber=';
    const plain = await office.get('/students');
    expect((await office.get(`/students?${filters}&page=&limit=&order=&sortBy=`)).data).toEqual(plain.data);
    const users = await admin.get(`/users?schoolDb=${schoolDb}&classId=&search=&page=&limit=&archived=`);
    expect(users.data).toEqual((await admin.get(`/users?schoolDb=${schoolDb}`)).data);
  });

  it('an empty query parameter counts as missing when it is required', async () => {
    expect(refused(await admin.get('/users?schoolDb='))).toEqual([400, 'schoolDb is required']);
    expect(refused(await admin.get(`/picks?schoolDb=${schoolDb}&classId=`))).toEqual([
      400,
      'classId is required',
    ]);
  });

  it('an empty query parameter is rejected in a write', async () => {
    expect((await admin.post('/grades?schoolDb=', { name: 'Nowhere' })).status).not.toBe(200);
  });

  it('an empty cursor is rejected as a position in the change feed', async () => {
    const { status, code, message } = await office.get('/changes?after=');
    expect([status, code]).toEqual([400, 40002]);
    expect(message).toContain('after');
  });
});

describe('Unknown name', () => {
  it('an unknown query parameter of a read is rejected when it looks like a known parameter', async () => {
    const message = '"class_id" is not a query parameter of this request; did you mean "classId"?';
    expect(await office.get('/students?class_id=1')).toMatchObject({ status: 400, code: 40002, message });
    expect(refused(await admin.get(`/users?schoolDb=${schoolDb}&class_id=1`))).toEqual([400, message]);
  });

  it('an unknown query parameter of a read is ignored when it looks like no known parameter', async () => {
    const sent = await office.get('/students?limit=2&foo&pageSize=5');
    expect([sent.code, sent.data]).toEqual([0, (await office.get('/students?limit=2')).data]);
    expect((await admin.get(`/users?schoolDb=${schoolDb}&foo&pageSize=5`)).status).toBe(200);
  });

  it('an unknown query parameter of a write is rejected, except for cache busters', async () => {
    const entry = { username: newName() };
    for (const search of ['dryRun=true', 'foo=1', 'pageSize=1']) {
      const [name] = search.split('=');
      const message = expect.stringContaining(`"${name}" is not a query parameter`);
      expect(await office.post(`/students?${search}`, { ...entry, classId })).toMatchObject({
        code: 40002,
        message,
      });
      const internal = await admin.post(`/grades?schoolDb=${schoolDb}&${search}`, { name: newName() });
      expect(refused(internal)).toEqual([400, message]);
    }
    expect(await office.post('/students?t=1&_=2&timestamp=3', { ...entry, classId })).toMatchObject({
      code: 0,
    });
    const grade = await admin.post(`/grades?schoolDb=${schoolDb}&t=1&_=2&timestamp=3`, { name: newName() });
    expect(grade.status).toBe(200);
  });

  it('an unknown field in a body of the internal API is ignored when it looks like no known field', async () => {
    const body = `{"schoolDb":"${schoolDb}","name":"${newName()}","colour":{"deep":[1]},"__proto__":{"name":"x"},"constructor":1}`;
    expect((await admin.post('/grades', body)).status).toBe(200);
    const students = [{ username: newName(), nickname: 'x' }];
    const made = await admin.post('/users', { schoolDb, classId, students, source: 'sheet' });
    expect(made.data).toMatchObject({ successCount: 1 });
    const exported = await admin.post(`/users/${student.id}/export`, { schoolDb, reason: 'x' });
    expect(exported.status).toBe(200);
  });

  it.each([
    ['/users', { username: 'misspelt', actual_name: 'A' }, 'actual_name', 'actualName'],
    ['/scores/add', { userId: 1, scoreChange: 1, descripton: 'x' }, 'descripton', 'description'],
    ['/users', { students: [{ username: 'misspelt', actualname: 'A' }] }, 'actualname', 'actualName'],
  ])(
    'an unknown field in a body of /api%s is rejected when it looks like a known field: %j',
    async (path, body, name, meant) => {
      const answer = await admin.post(path, { schoolDb, classId, ...body });
      const message = `"${name}" is not a field of this request; did you mean "${meant}"?`;
      if (!('students' in body)) expect(refused(answer)).toEqual([400, message]);
      else expect(answer.data).toMatchObject({ details: [{ success: false, reason: message }] });
    },
  );
});

describe('Slash at the end of a path', () => {
  it('a slash at the end of a path reaches the same endpoint', async () => {
    expect((await admin.get(`/users/?schoolDb=${schoolDb}&limit=1`)).data).toHaveLength(1);
    expect(await office.call('DELETE', '/grades/')).toMatchObject({
      status: 404,
      headers: { allow: 'GET, HEAD, POST' },
    });
    expect(await office.get('/students//')).not.toMatchObject({ status: 200 });
  });

  it('a slash at the end of a path does not matter for idempotency keys and the call log', async () => {
    const key = { 'idempotency-key': newName() };
    const body = { userId: student.id, scoreChange: 1 };
    const first = await office.call('POST', '/scores', body, key);
    const again = await office.call('POST', '/scores/', body, key);
    expect([again.data, again.headers['idempotency-replayed']]).toEqual([first.data, 'true']);
    for (const { requestId } of [first, again]) {
      expect(await auditRecordOf(admin, requestId)).toMatchObject({ path: '/api/v1/scores' });
    }
  });
});
