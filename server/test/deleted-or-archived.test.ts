import {
  type ExternalOperation,
  type ExternalOperationId,
  externalOperations,
  type InternalOperation,
  type InternalOperationId,
  internalOperations,
  type Method,
  type Promotion,
} from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { plannedPromotion } from './administrators.ts';
import type { AdminClient, CredentialClient } from './identities.ts';
import { accessTable } from './internal-access-table.ts';
import { type InternalRequest, openAccessWorld } from './internal-access-world.ts';
import { type RequestParts, separationTable } from './separation-table.ts';
import { createWorld, type Targets } from './separation-world.ts';
import { createSampleSchool, startTestApp, type TestApp } from './test-app.ts';

const test = await startTestApp();
const world = await createWorld(test);
const left = world.target('school', 'inside', true) as Targets;
const { officeA: office, admin } = world;

const operations = Object.entries(externalOperations) as [ExternalOperationId, ExternalOperation][];
/** Operations that change data of the school; a webhook belongs to its credential. */
const writes = operations.filter(([id, { method }]) => method !== 'GET' && !/webhook/i.test(id));
const lists = operations.filter(([id]) => id.startsWith('list')).map(([, { path }]) => path);

describe.each(['grade', 'class'] as const)('a credential whose %s was deleted', (scopeType) => {
  let orphan: CredentialClient;
  let dead: { gradeId: number; classId: number };

  beforeAll(async () => {
    const school = { schoolDb: world.schoolA.schoolDb };
    const { id: gradeId } = await admin.created<{ id: number }>('/grades', { ...school, name: scopeType });
    const place = { ...school, gradeId, name: 'Doomed' };
    const { id: classId } = await admin.created<{ id: number }>('/classes', place);
    dead = { gradeId, classId };
    const scope = scopeType === 'grade' ? { scopeGradeId: gradeId } : { scopeClassId: classId };
    orphan = await admin.issue(school.schoolDb, { scopeType, ...scope });
    const path = scopeType === 'grade' ? `/grades/${gradeId}` : `/classes/${classId}`;
    expect(await orphan.read(path.split('/', 2).join('/'))).toMatchObject({ total: 1 });
    expect((await office.delete(`${path}?confirm=true`)).code).toBe(0);
  });

  it.each(lists)('gets an empty list from GET %s', async (path) => {
    expect(await orphan.get(path)).toMatchObject({ status: 200, code: 0, data: { list: [], total: 0 } });
    expect((await office.get(path)).data).not.toMatchObject({ total: 0 });
  });

  it('gets zeros, 40401 for a student of another class, and can still call GET /ping', async () => {
    expect(await orphan.read('/stats/overview')).toMatchObject({
      structure: { gradeCount: 0, classCount: 0, studentCount: 0, disabledStudentCount: 0 },
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 0 },
      topStudents: [],
    });
    expect(await orphan.get(`/students/${await left.student()}`)).toMatchObject({ code: 40401 });
    expect(await orphan.get('/ping')).toMatchObject({ code: 0, data: { token: { scopeType } } });
  });

  it('gets 40303 for every write that names something of the school, which changes nothing', async () => {
    const before = await world.state('A');
    for (const [id, { method, path }] of writes) {
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
    // Leaves out the class, because a class credential implies it.
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

describe('a grade credential', async () => {
  const school = await createSampleSchool(admin, 'School that is rebuilt');
  const builder = await school.issue({});

  it('sees school-wide templates even if its grade has no class, and classes created after it was issued', async () => {
    const { id: gradeId } = await builder.created<{ id: number }>('/grades', { name: 'Empty' });
    await builder.post('/templates', { name: 'For all', scoreChange: 1 });
    const credential = await school.issue({ scopeType: 'grade', scopeGradeId: gradeId });
    expect(await credential.read('/templates')).toMatchObject({ total: 1, list: [{ name: 'For all' }] });

    const later = { name: 'Later', gradeId };
    const { id: classId } = await builder.created<{ id: number }>('/classes', later);
    const person = { username: 'new', password: 'secret-password', classId };
    expect((await credential.post('/students', person)).code).toBe(0);
    expect(await credential.read(`/students?classId=${classId}`)).toMatchObject({ total: 1 });
  });

  it('loses a class that moves to another grade, whose credentials reach it at once', async () => {
    const [from, to] = school.grades;
    const [place] = from.classes;
    const old = await school.issue({ scopeType: 'grade', scopeGradeId: from.id });
    const next = await school.issue({ scopeType: 'grade', scopeGradeId: to.id });
    const own = await school.issue({ scopeType: 'class', scopeClassId: place.id });
    const userId = place.students[0].id;
    expect((await builder.patch(`/classes/${place.id}`, { gradeId: to.id, name: 'Moved' })).code).toBe(0);

    expect((await old.get(`/students/${userId}`)).code).toBe(40401);
    expect((await old.post('/scores', { userId, scoreChange: 1 })).code).toBe(40303);
    expect((await next.post('/scores', { userId, scoreChange: 1 })).code).toBe(0);
    expect(await next.read('/students')).toMatchObject({ total: 9 });
    expect(await old.read('/students')).toMatchObject({ total: 3 });
    expect(await own.read('/grades')).toMatchObject({ total: 1, list: [{ id: to.id }] });
    expect(await own.read('/students')).toMatchObject({ total: 3 });
  });
});

/*
 * Archived grades and classes can be read but not changed. The tests call every operation that changes grades, classes,
 * students or their data. An operation that may do so needs a line here.
 */
const archivableKinds: readonly string[] = 'grade class student score template seat team term'.split(' ');

/** Operations that may write: the law demands them, or they name nothing archived. */
const allowed: Partial<Record<InternalOperationId, string>> = {
  exportUser: 'what is stored of a person',
  eraseUser: 'personal data',
  eraseClass: 'personal data',
  createSchool: 'another school',
  updateSchool: 'the school',
  deleteSchool: 'the school',
  createSchoolGrade: 'a new grade',
  promoteSchool: 'only what is not archived',
  undoPromotion: 'the way back',
  updateSchoolSettings: 'the school',

  updateAdministrator: 'a person, who may be of an archived class',
};

async function graduate(admin: AdminClient, schoolDb: string, gradeId: number): Promise<number> {
  const body = await plannedPromotion(admin, schoolDb, (found) => ({
    gradeId: found.gradeId === gradeId ? null : found.gradeId,
    name: found.className,
  }));
  const { graduated } = await admin.created<Promotion>('/admin/promotions', body);
  return graduated?.gradeId as number;
}

async function archivedRows(test: TestApp, gradeId: number): Promise<unknown> {
  const inClasses = 'class_id IN (SELECT id FROM class WHERE grade_id = $1)';
  const ofStudents = `student_id IN (SELECT id FROM student WHERE ${inClasses})`;
  const found = Object.entries({
    class: 'grade_id = $1',
    student: inClasses,
    seat: inClasses,
    team: inClasses,
    template: inClasses,
    score_record: ofStudents,
  }).map(([table, which]) =>
    test.database.pool.query(`SELECT * FROM ${table} WHERE ${which} ORDER BY id`, [gradeId]),
  );
  return (await Promise.all(found)).map(({ rows }) => rows);
}

/** Returns the code of each entry; an entry that already has the wanted values counts as unchanged. */
function outcomesOf(data: unknown): (number | 'unchanged')[] | null {
  const { details } = (data ?? {}) as { details?: { code: number; action?: string }[] };
  return details?.map(({ code, action }) => (action === 'unchanged' ? 'unchanged' : code)) ?? null;
}

it('the internal API rejects every write to archived data with 409', async () => {
  const matrix = await openAccessWorld();
  const { home } = matrix;
  const rows = accessTable.filter(({ operation, names, note }) => {
    // A new seat replaces earlier ones, and a move to the same class changes nothing.
    if (note === 'by the student' || (operation === 'updateUser' && note !== null)) return false;
    if (note === 'school-wide') return false;
    const declared: InternalOperation = internalOperations[operation];
    const { access, method, target = {} } = declared;
    if (access !== 'admin' || method === 'GET' || operation in allowed) return false;
    const concerned = [...('affects' in declared ? declared.affects : []), ...Object.keys(target)];
    const isArchivable = concerned.some((kind) => archivableKinds.includes(kind));
    return isArchivable && (names !== null || declared.target === undefined);
  });
  const asked: [string, InternalRequest][] = [];
  for (const row of rows) {
    asked.push([`${row.operation} ${row.note ?? ''}`, await matrix.request('super', row)]);
  }
  const chief = await matrix.test.signIn();
  const archivedId = await graduate(chief, home.schoolDb, home.gradeId);
  const before = await archivedRows(matrix.test, archivedId);
  const refused: Record<string, unknown> = {};
  for (const [name, { url, body, ...request }] of asked) {
    const renamed = JSON.stringify(body ?? null).replace(/("\w*[gG]radeId":)\d+/, `$1${archivedId}`);
    const { status, message, data } = await matrix.send({
      ...request,
      url: url.replace(/^(\/grades\/)\d+/, `$1${archivedId}`),
      body: body === undefined ? undefined : JSON.parse(renamed),
    });
    refused[name] = outcomesOf(data) ?? (/has graduated/.test(message) ? status : `${status} ${message}`);
  }
  for (const [name, outcome] of Object.entries(refused)) {
    // Undoing an import leaves graduated students as they are.
    if (/^undoImport /.test(name)) continue;
    expect([409, [40901]], name).toContainEqual(outcome);
  }
  expect(Object.keys(refused).length).toBeGreaterThan(25);
  expect(await archivedRows(matrix.test, archivedId)).toEqual(before);
  await matrix.test.expectVerifiedLedger();
});

it('the external API rejects every write to archived data with 40901', async () => {
  const { schoolA, own, scope, target } = world;
  const gradeLater = 987_654_321;
  const inGrade = { ...(target('school', 'inside', false) as Targets), grade: async () => gradeLater };
  const asked: (RequestParts & { name: string; method: Method; path: string })[] = [];
  for (const [id, { method, path }] of writes) {
    for (const { at, call } of separationTable[id]) {
      if (at === 'nothing' || at === 'path id, school-wide') continue;
      asked.push({ name: `${id} ${at}`, method, path, ...(await call(inGrade, inGrade)) });
    }
  }
  const archivedId = await graduate(admin, schoolA.schoolDb, scope.gradeId);
  const before = await archivedRows(test, archivedId);
  const now = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(`${gradeLater}`, `${archivedId}`));
  for (const { name, method, path, params = {}, body } of asked) {
    const ids: Record<string, number> = now(params);
    const url = path.replace(/:(\w+)/g, (_, parameter: string) => String(ids[parameter]));
    const answer = await own.school.call(method, `${url}?confirm=true`, body && now(body));
    const outcome = outcomesOf(answer.data) ?? answer.code;
    expect([40901, [40901], ['unchanged']], `${name}: ${JSON.stringify(answer)}`).toContainEqual(outcome);
    if (answer.code !== 0) expect(answer.message, name).toMatch(/has graduated/);
  }
  expect(asked.length).toBeGreaterThan(20);
  expect(await archivedRows(test, archivedId)).toEqual(before);
  await test.expectVerifiedLedger();
});
