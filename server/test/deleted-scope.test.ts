import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CredentialClient } from './identities.ts';
import { separationTable } from './separation-table.ts';
import { createWorld, type Targets } from './separation-world.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

const test = await startTestApp();
const world = await createWorld(test);
const left = world.target('school', 'inside', true) as Targets;
const { officeA: office } = world;

const operations = Object.entries(externalOperations) as [keyof typeof separationTable, ExternalOperation][];
const lists = operations.filter(([id]) => id.startsWith('list')).map(([, { path }]) => path);

describe.each(['grade', 'class'] as const)('a credential whose %s was deleted', (scopeType) => {
  let orphan: CredentialClient;
  let dead: { gradeId: number; classId: number };

  beforeAll(async () => {
    const school = { schoolDb: world.schoolA.schoolDb };
    const { id: gradeId } = await world.admin.created<{ id: number }>('/grades', {
      ...school,
      name: scopeType,
    });
    const place = { ...school, gradeId, name: 'Doomed' };
    const { id: classId } = await world.admin.created<{ id: number }>('/classes', place);
    dead = { gradeId, classId };
    const scope = scopeType === 'grade' ? { scopeGradeId: gradeId } : { scopeClassId: classId };
    orphan = await world.admin.issue(school.schoolDb, { scopeType, ...scope });
    const path = scopeType === 'grade' ? `/grades/${gradeId}` : `/classes/${classId}`;
    expect((await orphan.get(path.split('/', 2).join('/'))).data).toMatchObject({ total: 1 });
    expect((await office.delete(`${path}?confirm=true`)).code).toBe(0);
  });

  it.each(lists)('gets an empty list from GET %s', async (path) => {
    const answer = await orphan.get(path);
    expect(answer).toMatchObject({ status: 200, code: 0, data: { list: [], total: 0 } });
    expect((await office.get(path)).data).not.toMatchObject({ total: 0 });
  });

  it('gets zeros, 40401 for a student of another class, and can still call GET /ping', async () => {
    expect((await orphan.get('/stats/overview')).data).toMatchObject({
      structure: { gradeCount: 0, classCount: 0, studentCount: 0, disabledStudentCount: 0 },
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 0 },
      topStudents: [],
    });
    expect(await orphan.get(`/students/${await left.student()}`)).toMatchObject({ code: 40401 });
    expect(await orphan.get('/ping')).toMatchObject({ code: 0, data: { token: { scopeType } } });
  });

  it('gets 40303 for every write that names something of the school, which changes nothing', async () => {
    const before = await world.state('A');
    for (const [id, { method, path }] of operations) {
      if (method === 'GET' || id.endsWith('Webhook') || id.startsWith('rotate')) continue;
      for (const { at, call } of separationTable[id].filter((reference) => reference.at !== 'nothing')) {
        const { params = {}, body } = await call(left, left);
        const url = path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
        const { code, data } = await orphan.call(method, `${url}?confirm=true`, body);
        const { details } = (data ?? {}) as { details?: { code: number }[] };
        expect([id, at, details?.[0]?.code ?? code]).toEqual([id, at, 40303]);
      }
    }
    expect(await world.state('A')).toBe(before);
  });

  it.each([
    ['/students', () => ({ username: 'late', password: 'secret-password', classId: dead.classId }), 40303],
    ['/classes', () => ({ name: 'late', gradeId: dead.gradeId }), 40303],
    ['/templates', () => ({ name: 'late', scoreChange: 1, classId: dead.classId }), 40303],
    ['/templates', () => ({ name: 'late', scoreChange: 1 }), 40303],
    ['/grades', () => ({ name: 'late' }), 40303],
    // Names no class, which a class credential need not do.
    [
      '/students',
      () => ({ username: 'late', password: 'secret-password' }),
      scopeType === 'grade' ? 40003 : 40303,
    ],
  ])('cannot create in the deleted place with POST %s (%#)', async (path, body, code) => {
    expect(await orphan.post(path, body())).toMatchObject({ code });
  });

  it('gets 40401 when it renames the deleted grade or class', async () => {
    const path = scopeType === 'grade' ? `/grades/${dead.gradeId}` : `/classes/${dead.classId}`;
    expect(await orphan.patch(path, { name: 'risen' })).toMatchObject({ status: 404, code: 40401 });
  });
});

const { admin } = world;

describe('a grade credential', () => {
  it('sees school-wide templates even if its grade has no class, and classes created after it was issued', async () => {
    const school = await createSampleSchool(admin, 'School that grows');
    const grown = await school.issue({});
    const { id: gradeId } = (await grown.post('/grades', { name: 'Empty' })).data as { id: number };
    await grown.post('/templates', { name: 'For all', scoreChange: 1 });
    const credential = await school.issue({ scopeType: 'grade', scopeGradeId: gradeId });
    const templates = (await credential.get('/templates')).data;
    expect(templates).toMatchObject({ total: 1, list: [{ name: 'For all' }] });

    const { id: classId } = (await grown.post('/classes', { name: 'Later', gradeId })).data as { id: number };
    const person = { username: 'new', password: 'secret-password', classId };
    expect((await credential.post('/students', person)).code).toBe(0);
    expect((await credential.get(`/students?classId=${classId}`)).data).toMatchObject({ total: 1 });
  });
});

describe('a class that moves to another grade', () => {
  it('leaves the range of old-grade credentials and enters the range of new-grade credentials at once', async () => {
    const school = await createSampleSchool(admin, 'School that is rebuilt');
    const [from, to] = school.grades;
    const [place] = from.classes;
    const old = await school.issue({ scopeType: 'grade', scopeGradeId: from.id });
    const next = await school.issue({ scopeType: 'grade', scopeGradeId: to.id });
    const own = await school.issue({ scopeType: 'class', scopeClassId: place.id });
    const userId = place.students[0]?.id;
    const move = { gradeId: to.id, name: 'Moved' };
    expect((await (await school.issue({})).patch(`/classes/${place.id}`, move)).code).toBe(0);

    expect((await old.get(`/students/${userId}`)).code).toBe(40401);
    expect((await old.post('/scores', { userId, scoreChange: 1 })).code).toBe(40303);
    expect((await next.post('/scores', { userId, scoreChange: 1 })).code).toBe(0);
    expect((await next.get('/students')).data).toMatchObject({ total: 9 });
    expect((await old.get('/students')).data).toMatchObject({ total: 3 });
    expect((await own.get('/grades')).data).toMatchObject({ total: 1, list: [{ id: to.id }] });
    expect((await own.get('/students')).data).toMatchObject({ total: 3 });
  });
});
