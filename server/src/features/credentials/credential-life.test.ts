import type { Credential } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, IssueInput } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool } from '../../../test/test-app.ts';

const day = 86_400_000;

let { test, admin, school, other, staff } = await openStaffedSchool();

beforeEach(async () => {
  admin = await test.signIn();
});

const issue = (of: SampleSchool, input: IssueInput) => admin.issue(of.schoolDb, input);
const confirmed = (by: AdminClient) => ({ 'x-confirm-password': by.password });

async function list(by: AdminClient, query = ''): Promise<Credential[]> {
  const answer = await by.get(`/api-tokens${query}`);
  expect(answer).toMatchObject({ status: 200, success: true });
  return answer.data as Credential[];
}

async function listed(id: number, by: AdminClient = admin): Promise<Credential> {
  const found = (await list(by)).find((credential) => credential.id === id);
  if (!found) throw new Error(`Credential ${id} is not listed`);
  return found;
}

async function issueForEachScope(of: SampleSchool) {
  const [grade, otherGrade] = of.grades;
  const scope = {
    school: {},
    grade: { scopeType: 'grade', scopeGradeId: grade.id },
    class: { scopeType: 'class', scopeClassId: grade.classes[0].id },
    sibling: { scopeType: 'class', scopeClassId: grade.classes[1].id },
    otherGrade: { scopeType: 'grade', scopeGradeId: otherGrade.id },
    otherClass: { scopeType: 'class', scopeClassId: otherGrade.classes[0].id },
  } as const;
  const issued: Record<string, number> = {};
  for (const [place, input] of Object.entries(scope))
    issued[place] = (await issue(of, { ...input, name: place })).id;
  return issued as Record<keyof typeof scope, number>;
}

describe('GET /api-tokens', () => {
  it('lists newest first, with the total', async () => {
    const ids = [];
    for (const name of ['first', 'second', 'third']) ids.push((await issue(other, { name })).id);
    const answer = await admin.get(`/api-tokens?schoolDb=${other.schoolDb}`);
    const all = (answer.data as Credential[]).map((credential) => credential.id);
    expect(all.slice(0, 3)).toEqual(ids.reverse());
    expect(answer.headers['x-total-count']).toBe(String(all.length));
    const page = await admin.get(`/api-tokens?schoolDb=${other.schoolDb}&page=2&limit=2`);
    expect((page.data as Credential[]).map((credential) => credential.id)).toEqual(all.slice(2, 4));
    expect(page.headers['x-total-count']).toBe(String(all.length));
  });

  it('lists the credentials in the caller’s range', async () => {
    const ids = await issueForEachScope(school);
    const seen = async (by: AdminClient, query = '') => {
      const present = (await list(by, query)).map((credential) => credential.id);
      return Object.entries(ids).flatMap(([place, id]) => (present.includes(id) ? [place] : []));
    };
    const all = Object.keys(ids);
    expect(await seen(admin)).toEqual(all);
    expect(await seen(admin, `?schoolDb=${school.schoolDb}`)).toEqual(all);
    expect(await seen(admin, `?schoolDb=${other.schoolDb}`)).toEqual([]);
    expect(await seen(staff.ofSchool)).toEqual(all);
    expect(await seen(staff.ofGrade)).toEqual(['grade', 'class', 'sibling']);
    expect(await seen(staff.ofClass)).toEqual(['class']);
    const total = (await staff.ofClass.get('/api-tokens?limit=1')).headers['x-total-count'];
    expect(total).toBe(String((await list(staff.ofClass)).length));
  });
});

describe('Status of a credential', () => {
  it('a credential is expired once expiresAt has passed, and its calls get 40104', async () => {
    const credential = await issue(school, { expiresInDays: 2 });
    test.clock.advance(2 * day);
    admin = await test.signIn();
    expect((await credential.get('/ping')).status).toBe(200);
    expect((await listed(credential.id)).status).toBe('enabled');
    test.clock.advance(1);
    expect(await credential.get('/ping')).toMatchObject({ status: 401, code: 40104, data: null });
    expect((await listed(credential.id)).status).toBe('expired');
  });

  it('the status of a credential is the first reason for which its calls are refused', async () => {
    const closed = await createSampleSchool(admin, 'Closed School');
    const credential = await issue(closed, { expiresInDays: 1 });
    const refusal = async () => [(await credential.get('/ping')).code, (await listed(credential.id)).status];
    await admin.patch(`/schools/${closed.id}`, { disabled: 1 });
    expect(await refusal()).toEqual([40301, 'school_disabled']);
    test.clock.advance(day + 1);
    admin = await test.signIn();
    expect(await refusal()).toEqual([40104, 'expired']);
    await admin.patch(`/api-tokens/${credential.id}`, { disabled: true });
    expect(await refusal()).toEqual([40103, 'disabled']);
  });
});

describe('PATCH /api-tokens/:id', () => {
  it('changes name, permissions and validity at once, alone or together', async () => {
    const credential = await issue(school, { scopes: ['students:read'], name: 'Old' });
    const change = async (body: object) => (await admin.patch(`/api-tokens/${credential.id}`, body)).data;
    const record = await listed(credential.id);
    expect(await change({ name: ' New ' })).toEqual({ ...record, name: 'New' });
    expect(await change({ scopes: ['stats:read', 'stats:read'] })).toEqual({
      ...record,
      name: 'New',
      scopes: ['stats:read'],
    });
    expect((await credential.get('/students')).code).toBe(40302);
    expect((await credential.get('/stats/overview')).code).toBe(0);
    const expiresAt = new Date(test.clock.now().getTime() + 3 * day).toISOString();
    expect(await change({ expiresInDays: 3 })).toMatchObject({ name: 'New', expiresAt });
    expect(await change({ expiresInDays: null })).toMatchObject({ name: 'New', expiresAt: null });
    expect((await credential.get('/ping')).data).toMatchObject({ token: { name: 'New', expiresAt: null } });
  });

  it('changing the validity of an expired credential makes it valid again, counted from now', async () => {
    const credential = await issue(school, { expiresInDays: 1 });
    test.clock.advance(10 * day);
    admin = await test.signIn();
    expect((await credential.get('/ping')).code).toBe(40104);
    const changed = await admin.patch(`/api-tokens/${credential.id}`, { expiresInDays: 1 });
    const expiresAt = new Date(test.clock.now().getTime() + day).toISOString();
    expect(changed.data).toMatchObject({ status: 'enabled', expiresAt });
    expect((await credential.get('/ping')).code).toBe(0);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['only the school', { schoolDb: 'OWN' }],
    ['the scope type', { scopeType: 'school' }],
    ['the grade', { scopeGradeId: null }],
    ['the class', { scopeClassId: 1 }],
    ['a scope field beside a name', { name: 'x', scopeType: 'class' }],
    ['more days than the maximum', { expiresInDays: 366 }],
  ])('changing a credential answers 400 when the body names %s', async (_what, body) => {
    const credential = await issue(school, {});
    const before = await listed(credential.id);
    const sent = 'schoolDb' in body ? { schoolDb: school.schoolDb } : body;
    const answer = await admin.patch(`/api-tokens/${credential.id}`, sent);
    expect(answer).toMatchObject({ status: 400, success: false, data: null });
    expect(await listed(credential.id)).toEqual(before);
  });
});

it('revoking a credential is final: a later change or revocation answers 404', async () => {
  const credential = await issue(school, {});
  await admin.delete(`/api-tokens/${credential.id}`, confirmed(admin));
  expect((await admin.patch(`/api-tokens/${credential.id}`, { disabled: false })).status).toBe(404);
  expect((await admin.delete(`/api-tokens/${credential.id}`, confirmed(admin))).status).toBe(404);
  expect((await credential.get('/ping')).code).toBe(40103);
});
