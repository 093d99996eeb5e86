import type { Explanation, ExternalOperation, Permission, ReachedRange } from '@classledger/contract';
import {
  externalOperations,
  permissionNames,
  type ScopeType,
  type SimulatedOperation,
  scopeTypes,
} from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

interface Simulation {
  range: ReachedRange;
  grades: { id: number; classes: { id: number; studentCount: number }[] }[];
  operations: SimulatedOperation[];
}

const test = await startTestApp();
const admin = await test.signIn();
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

describe('Simulation of a credential', () => {
  it('the simulation predicts how the API decides every operation, for credentials of every range', async () => {
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
    }
  });

  it('the simulation names the permission of each operation, or the permissions of which one suffices', async () => {
    const credential = await admin.issue(school.schoolDb, { scopes: ['students:read'] });
    const { data } = await credential.get('/ping?explain=true');
    const { operations: outcomes } = (data as { explanation: Explanation }).explanation;
    for (const { id, permission, anyPermission = [] } of operations) {
      expect(outcomes).toContainEqual(expect.objectContaining({ operation: id, permission, anyPermission }));
    }
    const changes = outcomes.find(({ operation }) => operation === 'getChanges');
    expect(changes).toMatchObject({ permission: null });
    expect(changes?.anyPermission).toContain('students:read');
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
});

describe('Sample of an operation', () => {
  it('the simulation shows the real answer of a read, cut to three entries, or an example for a write', async () => {
    await office.put(`/classes/${klass.id}/seats`, { seats: [{ groupIndex: 1, row: 1, col: 1 }] });
    const credential = await admin.issue(school.schoolDb, { ...scopes.class, scopes: permissionNames });
    const { operations: all } = (await admin.get(`/api-tokens/${credential.id}/simulation`))
      .data as Simulation;
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
});

it('a simulation with an unknown permission or scope answers 400 or 404', async () => {
  expect((await admin.get(pathOf('school', ['students:all']))).status).toBe(400);
  expect((await admin.get(pathOf('class', [], { scopeType: 'class' }))).status).toBe(400);
  const missing = { scopeType: 'class', scopeClassId: 999_999 };
  expect((await admin.get(pathOf('class', [], missing))).status).toBe(404);
  expect((await admin.get('/api-tokens/simulation?scopeType=school')).status).toBe(400);
});
