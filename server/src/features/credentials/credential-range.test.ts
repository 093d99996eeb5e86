import {
  type Explanation,
  type ExternalOperation,
  externalOperations,
  type Permission,
  permissionNames,
  type ReachedRange,
  type Role,
  type ScopeType,
  type SimulatedOperation,
  scopeTypes,
} from '@classledger/contract';
import { expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../../test/administrators.ts';
import type { CredentialClient, IssueInput } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();
const other = await createSampleSchool(admin, 'Other School');

const change = (
  issuer: Staff,
  to: { role?: Role; school_id?: number; grade_id?: number | null; class_id?: number },
) => test.database.db.updateTable('admin').set(to).where('id', '=', issuer.id).execute();

const codeOf = async (credential: CredentialClient) => (await credential.get('/ping')).code;

/** The process learns of a direct database change from the next notification. */
const expectCode = (credential: CredentialClient, code: number) =>
  expect.poll(() => codeOf(credential), { interval: 10 }).toBe(code);

async function listed(credential: CredentialClient) {
  const list = (await admin.get('/api-tokens')).data as { id: number; status: string; createdBy: object }[];
  return list.find((one) => one.id === credential.id);
}
const statusOf = async (credential: CredentialClient) => (await listed(credential))?.status;

let schools = 0;

async function createSchoolWithIssuer(role: Role) {
  const school = await createSampleSchool(admin, `School ${++schools}`);
  const [grade, otherGrade] = school.grades;
  const { id: classId } = grade.classes[0];
  const place = {
    super_admin: { schoolId: null },
    school_admin: { schoolId: school.id },
    grade_admin: { schoolId: school.id, gradeId: grade.id },
    class_admin: { schoolId: school.id, gradeId: grade.id, classId },
  };
  const issuer = await createAdmin(test, { username: `${role} ${schools}`, role, ...place[role] });
  const issue = (input: IssueInput) => issuer.issue(school.schoolDb, input);
  const gradeScope = (id: number) => ({ scopeType: 'grade', scopeGradeId: id }) as const;
  const classScope = (id: number) => ({ scopeType: 'class', scopeClassId: id }) as const;
  return { school, grade, otherGrade, issuer, issue, gradeScope, classScope };
}

it('a credential answers 40105 after the issuer was deleted, and still names the issuer', async () => {
  const { issue, issuer } = await createSchoolWithIssuer('super_admin');
  const credential = await issue({});
  await test.database.db.deleteFrom('admin').where('id', '=', issuer.id).execute();
  await expectCode(credential, 40105);
  expect(await listed(credential)).toMatchObject({
    status: 'issuer_disabled',
    createdBy: { id: issuer.id, username: issuer.username },
  });
});

it('credentials for other grades answer 40105 when their issuer, a school administrator, becomes a grade administrator', async () => {
  const { issue, issuer, grade, otherGrade, gradeScope, classScope } =
    await createSchoolWithIssuer('school_admin');
  const whole = await issue({});
  const kept = [await issue(gradeScope(grade.id)), await issue(classScope(grade.classes[1].id))];
  const lost = [await issue(gradeScope(otherGrade.id)), await issue(classScope(otherGrade.classes[0].id))];
  await change(issuer, { role: 'grade_admin', grade_id: grade.id });
  for (const credential of [whole, ...lost]) {
    await expectCode(credential, 40105);
    expect(await statusOf(credential)).toBe('issuer_disabled');
  }
  for (const credential of kept) {
    expect(await codeOf(credential)).toBe(0);
    expect(await statusOf(credential)).toBe('enabled');
  }
});

it.each<[string, Role, Parameters<typeof change>[1]]>([
  ['another school', 'school_admin', { school_id: other.id }],
  ['the administration of another school', 'super_admin', { role: 'school_admin', school_id: other.id }],
])('a credential answers 40105 when its issuer was moved to %s', async (_where, role, to) => {
  const { issue, issuer, grade, classScope } = await createSchoolWithIssuer(role);
  const credential = await issue(classScope(grade.classes[0].id));
  await change(issuer, to);
  await expectCode(credential, 40105);
});

it('a credential answers 40105 while its class is in another grade than the issuer’s', async () => {
  const { school, issue, grade, otherGrade, gradeScope, classScope } =
    await createSchoolWithIssuer('grade_admin');
  const [moving] = grade.classes;
  const office = await school.issue({});
  const [ofClass, ofGrade] = [await issue(classScope(moving.id)), await issue(gradeScope(grade.id))];
  const move = async (gradeId: number) =>
    expect((await office.patch(`/classes/${moving.id}`, { gradeId, name: 'On the move' })).code).toBe(0);
  await move(otherGrade.id);
  expect(await codeOf(ofClass)).toBe(40105);
  expect(await statusOf(ofClass)).toBe('issuer_disabled');
  expect(await codeOf(ofGrade)).toBe(0);
  await move(grade.id);
  expect(await codeOf(ofClass)).toBe(0);
});

it('a credential keeps its range when the issuer’s range grows', async () => {
  const { issue, issuer, grade, otherGrade, gradeScope } = await createSchoolWithIssuer('grade_admin');
  const credential = await issue(gradeScope(grade.id));
  await change(issuer, { role: 'school_admin', grade_id: null });
  expect((await credential.get(`/students?gradeId=${otherGrade.id}`)).data).toMatchObject({ total: 0 });
  expect((await credential.get('/students')).data).toMatchObject({ total: 6 });
});

it('a credential stays valid when its class moves with the class administrator', async () => {
  const { school, issue, grade, otherGrade, classScope } = await createSchoolWithIssuer('class_admin');
  const credential = await issue(classScope(grade.classes[0].id));
  const moved = { gradeId: otherGrade.id, name: 'Moved' };
  expect((await (await school.issue({})).patch(`/classes/${grade.classes[0].id}`, moved)).code).toBe(0);
  expect(await codeOf(credential)).toBe(0);
});

it.each(['grade', 'class'] as const)(
  'after its %s is deleted, a credential of its administrator gets empty lists and reaches nothing',
  async (type) => {
    const made = await createSchoolWithIssuer(`${type}_admin`);
    const { school, grade, otherGrade, issue, gradeScope, classScope } = made;
    const [lost, left] =
      type === 'grade' ? [grade, otherGrade.classes[0]] : [grade.classes[0], grade.classes[1]];
    const credential = await issue((type === 'grade' ? gradeScope : classScope)(lost.id));
    const path = `/${type === 'grade' ? 'grades' : 'classes'}/${lost.id}?schoolDb=${school.schoolDb}`;
    expect((await admin.delete(path)).status).toBe(200);
    expect(await credential.get('/students')).toMatchObject({ status: 200, data: { list: [], total: 0 } });
    const [student] = left.students;
    expect((await credential.patch(`/students/${student?.id}`, { disabled: true })).code).toBe(40303);
  },
);

interface Simulation {
  range: ReachedRange;
  grades: { id: number; classes: { id: number; studentCount: number }[] }[];
  operations: SimulatedOperation[];
}

const school = await createSampleSchool(admin, 'Own school');
const [grade, otherGrade] = school.grades;
const [klass] = grade.classes;
const office = await school.issue({});
const operations: readonly ExternalOperation[] = Object.values(externalOperations);

const scopes: Record<ScopeType, { scopeType: ScopeType; scopeGradeId?: number; scopeClassId?: number }> = {
  school: { scopeType: 'school' },
  grade: { scopeType: 'grade', scopeGradeId: grade.id },
  class: { scopeType: 'class', scopeClassId: klass.id },
};

function pathOf(scopeType: ScopeType, permissions: readonly string[], scope: object = scopes[scopeType]) {
  const fields = { schoolDb: school.schoolDb, scopes: permissions.join(','), ...scope };
  return `/api-tokens/simulation?${new URLSearchParams(fields as Record<string, string>)}`;
}
async function simulate(scopeType: ScopeType, permissions: readonly string[]): Promise<Simulation> {
  const answer = await admin.get(pathOf(scopeType, permissions));
  expect(answer.message).toBe('ok');
  return answer.data as Simulation;
}

const missing = { id: 999_999_999, logId: 999_999_999 };
/** Calls with unknown ids or an empty body. */
async function readRefusalMessage(credential: CredentialClient, { method, path, body }: ExternalOperation) {
  const url = path.replace(/:(\w+)/g, (_, name: 'id') => String(missing[name] ?? 999_999_999));
  const answer = await credential.call(method, url, body ? {} : undefined);
  return answer.code === 40302 || answer.code === 40303 ? answer.message : null;
}

const everyOther = (first: 0 | 1) => permissionNames.filter((_, i) => i % 2 === first);
const scopeCases: readonly (readonly [ScopeType, readonly Permission[]])[] = [
  ['school', everyOther(0)],
  ['grade', everyOther(1)],
  ['class', permissionNames],
];

it('the simulation predicts how the API decides every operation and names its permissions, for credentials of every range', async () => {
  for (const [type, permissions] of scopeCases) {
    const credential = await admin.issue(school.schoolDb, { ...scopes[type], scopes: permissions });
    const { data } = await credential.get('/ping?explain=true');
    const { explanation } = data as { explanation: Explanation };
    const outcomes = explanation.operations.map(({ operation, allowed, reason }) => {
      expect(allowed).toBe(reason === null);
      return [operation, reason];
    });
    const done = await Promise.all(
      operations.map(async (one) => [one.id, await readRefusalMessage(credential, one)]),
    );
    expect([type, permissions, outcomes]).toEqual([type, permissions, done]);
    for (const { id, permission, anyPermission = [] } of operations) {
      const named = { operation: id, permission, anyPermission };
      expect(explanation.operations).toContainEqual(expect.objectContaining(named));
    }
  }
});

it('a simulation is the same before and after issuing, and from ping?explain=true', async () => {
  for (const type of scopeTypes) {
    const permissions = ['students:read', 'structure:write', 'stats:read'];
    const before = await simulate(type, permissions);
    const credential = await admin.issue(school.schoolDb, { ...scopes[type], scopes: permissions });
    const issued = (await admin.get(`/api-tokens/${credential.id}/simulation`)).data as Simulation;
    const withoutSamples = (all: SimulatedOperation[]) =>
      all.map(({ sample, real, tag, tagInChinese, summary, summaryInChinese, ...rest }) => rest);
    expect(withoutSamples(issued.operations)).toEqual(withoutSamples(before.operations));
    expect({ ...issued, operations: [] }).toEqual({ ...before, operations: [] });
    const { data } = await credential.get('/ping?explain=true');
    const { range, operations: outcomes } = (data as { explanation: Explanation }).explanation;
    expect({ range, outcomes }).toEqual({
      range: before.range,
      outcomes: withoutSamples(before.operations),
    });
    expect((await credential.get('/ping')).data).not.toHaveProperty('explanation');
  }
});

it('the simulation names the reachable grades and classes and the number of students', async () => {
  const whole = await simulate('school', []);
  expect(whole.range).toMatchObject({ gradeCount: 2, gradeId: null, classId: null });
  expect(whole.grades.map(({ id }) => id)).toEqual([grade.id, otherGrade.id]);
  const one = await simulate('class', ['stats:read']);
  expect(one).toMatchObject({
    range: { gradeId: grade.id, classId: klass.id, gradeCount: 1, classCount: 1, studentCount: 3 },
    grades: [{ id: grade.id, classes: [{ id: klass.id, studentCount: 3 }] }],
  });
  expect(one.range.words).toMatch(/ of .* with 3 students$/);
});

it('the simulation of a credential reaches nothing after its class was deleted', async () => {
  const { data } = await office.post('/classes', { name: 'Short-lived', gradeId: grade.id });
  const scopeClassId = (data as { id: number }).id;
  const credential = await school.issue({ scopeType: 'class', scopeClassId });
  await office.delete(`/classes/${scopeClassId}?confirm=true`);
  expect((await admin.get(`/api-tokens/${credential.id}/simulation`)).data).toMatchObject({
    range: { words: 'Nothing: the class was deleted', studentCount: 0 },
    grades: [],
  });
});

it('the simulation shows the real answer of a read, cut to three entries, or an example for a write', async () => {
  await office.put(`/classes/${klass.id}/seats`, { seats: [{ groupIndex: 1, row: 1, col: 1 }] });
  const credential = await admin.issue(school.schoolDb, { ...scopes.class, scopes: permissionNames });
  const { operations: all } = (await admin.get(`/api-tokens/${credential.id}/simulation`)).data as Simulation;
  const sampleOf = (id: string) => {
    const found = all.find(({ operation }) => operation === id);
    return { real: found?.real, data: JSON.parse(found?.sample ?? 'null') };
  };
  const student = klass.students[0]?.id;
  const reads = {
    listStudents: '/students?limit=3',
    listScores: '/scores?limit=3',
    listClasses: '/classes?limit=3',
    getOverview: '/stats/overview',
    getStudent: `/students/${student}`,
    getSeats: `/classes/${klass.id}/seats`,
  };
  for (const [id, path] of Object.entries(reads)) {
    expect([id, sampleOf(id)]).toEqual([id, { real: true, data: (await credential.get(path)).data }]);
  }
  const { examples } = externalOperations.createStudents;
  expect(sampleOf('createStudents')).toEqual({ real: false, data: examples.data });
  expect(sampleOf('createGrade')).toEqual({ real: false, data: null });
  for (const { method, real } of all) if (method !== 'GET') expect(real).toBe(false);
});

it('a simulation does not count as a use of the credential and writes no audit record', async () => {
  const credential = await school.issue({});
  await admin.get(`/api-tokens/${credential.id}/simulation`);
  const { data } = await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`);
  const shown = (data as { id: number }[]).find(({ id }) => id === credential.id);
  expect(shown).toMatchObject({ callCount: 0, lastUsedAt: null });
  expect((await admin.get(`/api-tokens/logs?tokenId=${credential.id}`)).data).toMatchObject({ total: 0 });
});

it('a simulation with an unknown permission or scope answers 400 or 404', async () => {
  expect((await admin.get(pathOf('school', ['students:all']))).status).toBe(400);
  expect((await admin.get(pathOf('class', [], { scopeType: 'class' }))).status).toBe(400);
  const missing = { scopeType: 'class', scopeClassId: 999_999 };
  expect((await admin.get(pathOf('class', [], missing))).status).toBe(404);
  expect((await admin.get('/api-tokens/simulation?scopeType=school')).status).toBe(400);
});
