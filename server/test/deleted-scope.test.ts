import { type ExternalOperation, externalOperations, type ScopeType } from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CredentialClient } from './identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from './test-app.ts';

interface Left {
  readonly gradeId: number;
  readonly classId: number;
  readonly student: { readonly id: number; readonly username: string };
  readonly recordId: number;
  readonly templateId: number;
  readonly schoolTemplateId: number;
}

const test = await startTestApp();
const admin = await test.signIn();

async function leftIn(school: SampleSchool, office: CredentialClient): Promise<Left> {
  const { id: classId, gradeId, students } = school.grades[1].classes[0];
  const [student] = students;
  if (!student) throw new Error('The sample class has students');
  const made = async (path: string, body: object) => (await office.post(path, body)).data;
  const template = (await made('/templates', { name: 'class', scoreChange: 1, classId })) as { id: number };
  await made('/webhooks', { url: 'https://sync.example', events: ['student.*'] });
  const schoolTemplate = (await made('/templates', { name: 'school', scoreChange: 1 })) as { id: number };
  return {
    gradeId,
    classId,
    student,
    recordId: await office.give(student.id, 4),
    templateId: template.id,
    schoolTemplateId: schoolTemplate.id,
  };
}

function sendWrites(left: Left, dead: { gradeId: number; classId: number }): [string, string, object?][] {
  return [
    ['POST', '/students', { username: 'late', password: 'secret-password', classId: left.classId }],
    ['POST', '/students', { username: 'late', password: 'secret-password', classId: dead.classId }],
    ['PATCH', `/students/${left.student.id}`, { disabled: true }],
    ['DELETE', `/students/${left.student.id}?confirm=true`],
    ['POST', '/scores', { userId: left.student.id, scoreChange: 1 }],
    ['POST', '/scores', { templateId: left.templateId, items: [{ userId: left.student.id }] }],
    ['POST', '/scores', { templateId: left.schoolTemplateId, items: [{ userId: left.student.id }] }],
    ['DELETE', `/scores/${left.recordId}`],
    ['POST', '/grades', { name: 'late' }],
    ['PATCH', `/grades/${left.gradeId}`, { name: 'late' }],
    ['DELETE', `/grades/${left.gradeId}?confirm=true`],
    ['POST', '/classes', { name: 'late', gradeId: left.gradeId }],
    ['POST', '/classes', { name: 'late', gradeId: dead.gradeId }],
    ['PATCH', `/classes/${left.classId}`, { name: 'late' }],
    ['DELETE', `/classes/${left.classId}?confirm=true`],
    ['PUT', `/classes/${left.classId}/seats`, { seats: [] }],
    ['POST', '/templates', { name: 'late', scoreChange: 1 }],
    ['POST', '/templates', { name: 'late', scoreChange: 1, classId: left.classId }],
    ['POST', '/templates', { name: 'late', scoreChange: 1, classId: dead.classId }],
    ['PATCH', `/templates/${left.templateId}`, { name: 'late' }],
    ['PATCH', `/templates/${left.schoolTemplateId}`, { name: 'late' }],
    ['DELETE', `/templates/${left.schoolTemplateId}`],
  ];
}

const lists = Object.values(externalOperations).filter(
  (operation: ExternalOperation) => operation.method === 'GET' && operation.id.startsWith('list'),
);

describe.each(['grade', 'class'] as const)('a credential whose %s was deleted', (scopeType: ScopeType) => {
  let school: SampleSchool;
  let office: CredentialClient;
  let orphan: CredentialClient;
  let left: Left;
  let dead: { gradeId: number; classId: number };

  beforeAll(async () => {
    school = await createSampleSchool(admin, `School with a deleted ${scopeType}`);
    office = await school.issue({});
    left = await leftIn(school, office);
    dead = { gradeId: school.grades[0].id, classId: school.grades[0].classes[0].id };
    orphan = await school.issue({
      scopeType,
      ...(scopeType === 'grade' ? { scopeGradeId: dead.gradeId } : { scopeClassId: dead.classId }),
    });
    expect((await orphan.get('/students')).data).toMatchObject({ total: scopeType === 'grade' ? 6 : 3 });
    const path = scopeType === 'grade' ? `/grades/${dead.gradeId}` : `/classes/${dead.classId}`;
    expect((await office.delete(`${path}?confirm=true`)).code).toBe(0);
  });

  it.each(lists.map((operation) => operation.path))('gets an empty list from GET %s', async (path) => {
    const answer = await orphan.get(path);
    expect(answer).toMatchObject({ status: 200, code: 0, data: { list: [], total: 0 } });
    expect((await office.get(path)).data).not.toMatchObject({ total: 0 });
  });

  it('gets zeros and no students from GET /stats/overview', async () => {
    expect((await orphan.get('/stats/overview')).data).toMatchObject({
      structure: { gradeCount: 0, classCount: 0, studentCount: 0, disabledStudentCount: 0 },
      scores: { totalScore: 0, addScore: 0, deductScore: 0, recordCount: 0, todayRecordCount: 0 },
      topStudents: [],
    });
  });

  it('gets 40401 for a student of another class', async () => {
    expect(await orphan.get(`/students/${left.student.id}`)).toMatchObject({ status: 404, code: 40401 });
  });

  it('can still call GET /ping', async () => {
    expect(await orphan.get('/ping')).toMatchObject({ status: 200, data: { token: { scopeType } } });
  });

  it('gets 40303 for every write, which changes nothing', async () => {
    const before = await Promise.all(lists.map(({ path }) => office.get(path)));
    for (const [method, path, body] of sendWrites(left, dead)) {
      const answer = await orphan.call(method as 'POST', path, body);
      expect([method, path, body, answer.status, answer.code]).toEqual([method, path, body, 403, 40303]);
    }
    const after = await Promise.all(lists.map(({ path }) => office.get(path)));
    expect(after.map((answer) => answer.data)).toEqual(before.map((answer) => answer.data));
  });

  it('gets 40401 when it renames the deleted grade or class', async () => {
    const path = scopeType === 'grade' ? `/grades/${dead.gradeId}` : `/classes/${dead.classId}`;
    const answer = await orphan.patch(path, { name: 'risen' });
    expect(answer).toMatchObject({ status: 404, code: 40401 });
  });

  it('cannot create a student without naming a class', async () => {
    const answer = await orphan.post('/students', { username: 'late', password: 'secret-password' });
    expect(answer.code).toBe(scopeType === 'grade' ? 40003 : 40303);
  });

  it('gets 40303 for each entry of a bulk write', async () => {
    const answer = await orphan.post('/scores', { scoreChange: 1, items: [{ userId: left.student.id }] });
    expect(answer).toMatchObject({ status: 200, data: { successCount: 0, details: [{ code: 40303 }] } });
  });
});

describe('a grade credential', () => {
  it('sees school-wide templates even if its grade has no class', async () => {
    const school = await createSampleSchool(admin, 'School with an empty grade');
    const office = await school.issue({});
    const grade = (await office.post('/grades', { name: 'Empty' })).data as { id: number };
    await office.post('/templates', { name: 'For all', scoreChange: 1 });
    const credential = await school.issue({ scopeType: 'grade', scopeGradeId: grade.id });
    expect((await credential.get('/templates')).data).toMatchObject({
      total: 1,
      list: [{ name: 'For all' }],
    });
  });

  it('covers classes that were created after the credential was issued', async () => {
    const school = await createSampleSchool(admin, 'School that grows');
    const office = await school.issue({});
    const gradeId = school.grades[0].id;
    const credential = await school.issue({ scopeType: 'grade', scopeGradeId: gradeId });
    const later = (await office.post('/classes', { name: 'Later', gradeId })).data as { id: number };
    const made = await credential.post('/students', {
      username: 'new',
      password: 'secret-password',
      classId: later.id,
    });
    expect(made.code).toBe(0);
    expect((await credential.get(`/students?classId=${later.id}`)).data).toMatchObject({ total: 1 });
  });
});

describe('a class that moves to another grade', () => {
  it('leaves the range of old-grade credentials and enters the range of new-grade credentials at once', async () => {
    const school = await createSampleSchool(admin, 'School that is rebuilt');
    const office = await school.issue({});
    const [from, to] = school.grades;
    const old = await school.issue({ scopeType: 'grade', scopeGradeId: from.id });
    const next = await school.issue({ scopeType: 'grade', scopeGradeId: to.id });
    const own = await school.issue({ scopeType: 'class', scopeClassId: from.classes[0].id });
    const { students } = from.classes[0];
    const moved = await office.patch(`/classes/${from.classes[0].id}`, { gradeId: to.id, name: 'Moved' });
    expect(moved.code).toBe(0);

    expect((await old.get(`/students/${students[0]?.id}`)).code).toBe(40401);
    expect((await old.post('/scores', { userId: students[0]?.id, scoreChange: 1 })).code).toBe(40303);
    expect((await next.post('/scores', { userId: students[0]?.id, scoreChange: 1 })).code).toBe(0);
    expect((await next.get('/students')).data).toMatchObject({ total: 9 });
    expect((await old.get('/students')).data).toMatchObject({ total: 3 });
    expect((await own.get('/grades')).data).toMatchObject({ total: 1, list: [{ id: to.id }] });
    expect((await own.get('/students')).data).toMatchObject({ total: 3 });
  });
});
