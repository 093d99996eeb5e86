import {
  type Credential,
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
import { createAdmin, type NewAdmin, type Staff } from '../../../test/administrators.ts';
import type { CredentialClient, IssueInput } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();

const school = await createSampleSchool(admin, 'Own school');
const { schoolDb } = school;
const [grade, otherGrade] = school.grades;
const [klass] = grade.classes;
const office = await school.issue({});

const ofGrade = ({ id }: { id: number }) => ({ scopeType: 'grade', scopeGradeId: id }) as const;
const ofClass = ({ id }: { id: number }) => ({ scopeType: 'class', scopeClassId: id }) as const;
const newIssuer = (role: Role, place: Partial<NewAdmin> = {}) =>
  createAdmin(test, { username: `issuing ${role}`, role, schoolId: school.id, ...place });
const change = (issuer: Staff, to: { role: Role; grade_id: number | null }) =>
  test.database.db.updateTable('admin').set(to).where('id', '=', issuer.id).execute();

const codeOf = async (credential: CredentialClient) => (await credential.get('/ping')).code;
/** The process learns of a direct database change from the next notification. */
const expectCode = (credential: CredentialClient, code: number) =>
  expect.poll(() => codeOf(credential), { interval: 10 }).toBe(code);
const listed = async (credential: CredentialClient) =>
  (await admin.read<Credential[]>('/api-tokens')).find((one) => one.id === credential.id);

it('a credential answers 40105 after the issuer was deleted, and still names the issuer', async () => {
  const issuer = await newIssuer('super_admin', { schoolId: null });
  const credential = await issuer.issue(schoolDb);
  await test.database.db.deleteFrom('admin').where('id', '=', issuer.id).execute();
  await expectCode(credential, 40105);
  const createdBy = { id: issuer.id, username: issuer.username };
  expect(await listed(credential)).toMatchObject({ status: 'issuer_disabled', createdBy });
});

it('credentials for other grades answer 40105 when their issuer, a school administrator, becomes a grade administrator', async () => {
  const issuer = await newIssuer('school_admin');
  const cases: [IssueInput, code: number, status: string][] = [
    [{}, 40105, 'issuer_disabled'],
    [ofGrade(otherGrade), 40105, 'issuer_disabled'],
    [ofClass(otherGrade.classes[0]), 40105, 'issuer_disabled'],
    [ofGrade(grade), 0, 'enabled'],
    [ofClass(grade.classes[1]), 0, 'enabled'],
  ];
  const issued = await Promise.all(cases.map(([scope]) => issuer.issue(schoolDb, scope)));
  await change(issuer, { role: 'grade_admin', grade_id: grade.id });
  for (const [i, [, code, status]] of cases.entries()) {
    const credential = issued[i] as CredentialClient;
    await expectCode(credential, code);
    expect(await listed(credential)).toMatchObject({ status });
  }
});

it('a credential keeps its range when the issuer’s range grows', async () => {
  const issuer = await newIssuer('grade_admin', { gradeId: grade.id });
  const credential = await issuer.issue(schoolDb, ofGrade(grade));
  await change(issuer, { role: 'school_admin', grade_id: null });
  expect(await credential.read('/students')).toMatchObject({ total: 6 });
});

it('a credential stays valid when its class moves with the class administrator', async () => {
  const issuer = await newIssuer('class_admin', { gradeId: grade.id, classId: klass.id });
  const credential = await issuer.issue(schoolDb, ofClass(klass));
  for (const [to, name] of [
    [otherGrade, 'Moved'],
    [grade, 'Class A'],
  ] as const) {
    expect((await office.patch(`/classes/${klass.id}`, { gradeId: to.id, name })).code).toBe(0);
    expect(await codeOf(credential)).toBe(0);
  }
});

interface Simulation {
  range: ReachedRange;
  grades: { id: number; classes: { id: number; studentCount: number }[] }[];
  operations: SimulatedOperation[];
}

const operations: readonly ExternalOperation[] = Object.values(externalOperations);
const scopes = { school: { scopeType: 'school' }, grade: ofGrade(grade), class: ofClass(klass) } as const;

function pathOf(scopeType: ScopeType, permissions: readonly string[], scope: object = scopes[scopeType]) {
  const fields = { schoolDb, scopes: permissions.join(','), ...scope };
  return `/api-tokens/simulation?${new URLSearchParams(fields as Record<string, string>)}`;
}
const simulate = (scopeType: ScopeType, permissions: readonly string[]) =>
  admin.read<Simulation>(pathOf(scopeType, permissions));
const simulateIssued = ({ id }: CredentialClient) => admin.read<Simulation>(`/api-tokens/${id}/simulation`);
const explain = async (credential: CredentialClient) =>
  (await credential.read<{ explanation: Explanation }>('/ping?explain=true')).explanation;

/** Calls with unknown ids or an empty body. */
async function readRefusalMessage(credential: CredentialClient, { method, path, body }: ExternalOperation) {
  const answer = await credential.call(method, path.replace(/:\w+/g, '999999999'), body ? {} : undefined);
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
    const credential = await admin.issue(schoolDb, { ...scopes[type], scopes: permissions });
    const explanation = await explain(credential);
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
    const credential = await admin.issue(schoolDb, { ...scopes[type], scopes: permissions });
    const issued = await simulateIssued(credential);
    const withoutSamples = (all: SimulatedOperation[]) =>
      all.map(({ sample, real, tag, tagInChinese, summary, summaryInChinese, ...rest }) => rest);
    expect(withoutSamples(issued.operations)).toEqual(withoutSamples(before.operations));
    expect({ ...issued, operations: [] }).toEqual({ ...before, operations: [] });
    const { range, operations: outcomes } = await explain(credential);
    expect(range).toEqual(before.range);
    expect(outcomes).toEqual(withoutSamples(before.operations));
    expect(await credential.read('/ping')).not.toHaveProperty('explanation');
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
  const { id: scopeClassId } = await school.newClass(grade.id, 1);
  const credential = await school.issue({ scopeType: 'class', scopeClassId });
  await office.delete(`/classes/${scopeClassId}?confirm=true`);
  expect(await simulateIssued(credential)).toMatchObject({
    range: { words: 'Nothing: the class was deleted', studentCount: 0 },
    grades: [],
  });
});

it('the simulation shows the real answer of a read, cut to three entries, or an example for a write', async () => {
  await office.put(`/classes/${klass.id}/seats`, { seats: [{ groupIndex: 1, row: 1, col: 1 }] });
  const credential = await admin.issue(schoolDb, { ...scopes.class, scopes: permissionNames });
  const { operations: all } = await simulateIssued(credential);
  const sampleOf = (id: string) => {
    const found = all.find(({ operation }) => operation === id);
    return { real: found?.real, data: JSON.parse(found?.sample ?? 'null') };
  };
  const student = klass.students[0].id;
  const reads = {
    listStudents: '/students?limit=3',
    listScores: '/scores?limit=3',
    listClasses: '/classes?limit=3',
    getOverview: '/stats/overview',
    getStudent: `/students/${student}`,
    getSeats: `/classes/${klass.id}/seats`,
  };
  for (const [id, path] of Object.entries(reads)) {
    expect([id, sampleOf(id)]).toEqual([id, { real: true, data: await credential.read(path) }]);
  }
  const { examples } = externalOperations.createStudents;
  expect(sampleOf('createStudents')).toEqual({ real: false, data: examples.data });
  expect(sampleOf('createGrade')).toEqual({ real: false, data: null });
  for (const { method, real } of all) if (method !== 'GET') expect(real).toBe(false);
});

it('a simulation does not count as a use of the credential and writes no audit record', async () => {
  const credential = await school.issue({});
  await simulateIssued(credential);
  expect(await listed(credential)).toMatchObject({ callCount: 0, lastUsedAt: null });
  expect(await admin.read(`/api-tokens/logs?tokenId=${credential.id}`)).toMatchObject({ total: 0 });
});

it('a simulation with an unknown permission or scope answers 400 or 404', async () => {
  for (const [path, status] of [
    [pathOf('school', ['students:all']), 400],
    [pathOf('class', [], { scopeType: 'class' }), 400],
    [pathOf('class', [], { scopeType: 'class', scopeClassId: 999_999 }), 404],
    ['/api-tokens/simulation?scopeType=school', 400],
  ] as const) {
    expect([path, (await admin.get(path)).status]).toEqual([path, status]);
  }
});
