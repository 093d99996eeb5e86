import { describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../test/test-app.ts';

const test = await startTestApp();
const other = await startTestApp({}, { shareDatabaseWith: test });
const by = await test.signIn();
/** For changes that affect one credential or issuer alone. */
const sharedSchool = await createSampleSchool(by, 'Shared School');
// Without triggers, as on a distributed database.
await test.database.pool.query('DROP FUNCTION announce_access_change() CASCADE');

interface World {
  readonly school: SampleSchool;
  readonly token: CredentialClient;
  readonly there: CredentialClient;
  readonly issuer: Staff;
}

type ChangeCase = readonly [change: (world: World) => Promise<{ status: number }>, seen: object];

const ofClass = ({ grades }: SampleSchool) => `/classes/${grades[0].classes[0].id}`;
const gone = { code: 40103 };
const orphaned = { code: 40105 };

const changes: Record<string, ChangeCase> = {
  'a credential is disabled': [({ token }) => by.patch(`/api-tokens/${token.id}`, { disabled: true }), gone],
  'a credential is renamed': [
    ({ token }) => by.patch(`/api-tokens/${token.id}`, { name: 'Another name' }),
    { data: { token: { name: 'Another name' } } },
  ],
  'a credential gets other permissions': [
    ({ token }) => by.patch(`/api-tokens/${token.id}`, { scopes: ['stats:read'] }),
    { data: { token: { scopes: ['stats:read'] } } },
  ],
  'a credential gets an expiry': [
    ({ token }) => by.patch(`/api-tokens/${token.id}`, { expiresInDays: 1 }),
    { data: { token: { expiresAt: expect.any(String) } } },
  ],
  'a credential is revoked': [
    ({ token }) => by.delete(`/api-tokens/${token.id}`, { 'x-confirm-password': by.password }),
    gone,
  ],
  'its issuer is disabled': [
    ({ issuer }) => by.patch(`/admin/manage/${issuer.id}`, { disabled: true }),
    orphaned,
  ],
  'its issuer gets another role': [
    ({ issuer, school }) => {
      const classId = school.grades[0].classes[1].id;
      return by.patch(`/admin/manage/${issuer.id}`, { role: 'class_admin', classId });
    },
    orphaned,
  ],
  'its issuer gets another grade': [
    ({ issuer, school }) => by.patch(`/admin/manage/${issuer.id}`, { gradeId: school.grades[1].id }),
    orphaned,
  ],
  'its issuer is deleted': [({ issuer }) => by.delete(`/admin/manage/${issuer.id}`), orphaned],
  'its school is renamed': [
    ({ school }) => by.patch(`/schools/${school.id}`, { name: 'Renamed School' }),
    { data: { school: { name: 'Renamed School' } } },
  ],
  'its school is disabled': [
    ({ school }) => by.patch(`/schools/${school.id}`, { disabled: 1 }),
    { code: 40301 },
  ],
  'its school is deleted': [({ school }) => by.delete(`/schools/${school.id}`), { code: 40301 }],
  'its class moves to another grade': [
    ({ school }) => {
      const change = { schoolDb: school.schoolDb, gradeId: school.grades[1].id, name: 'Moved' };
      return by.patch(ofClass(school), change);
    },
    orphaned,
  ],
  // A deleted row counts as missing rather than out of range.
  'its class is deleted': [
    async (world) => {
      await moveIssuerAway(world);
      return by.delete(`${ofClass(world.school)}?schoolDb=${world.school.schoolDb}`);
    },
    { code: 0 },
  ],
  'its grade is deleted': [
    async (world) => {
      await moveIssuerAway(world);
      const { grades, schoolDb } = world.school;
      return by.delete(`/grades/${grades[0].id}?schoolDb=${schoolDb}`);
    },
    { code: 0 },
  ],
};

async function moveIssuerAway({ school, issuer, token, there }: World) {
  await by.patch(`/admin/manage/${issuer.id}`, { gradeId: school.grades[1].id });
  for (const at of [token, there]) await answersEventually(at, orphaned);
}

const answersEventually = (credential: CredentialClient, seen: object) =>
  expect.poll(() => credential.get('/ping'), { interval: 10 }).toMatchObject(seen);

describe('Access changes without triggers', () => {
  it.each(Object.keys(changes))('every process applies the change to a credential when %s', async (what) => {
    const [change, seen] = changes[what] as ChangeCase;
    const isOfSchool = /^its (school|class|grade) /.test(what);
    const school = isOfSchool ? await createSampleSchool(by, `School where ${what}`) : sharedSchool;
    const place = { schoolId: school.id, gradeId: school.grades[0].id };
    const issuer = await createAdmin(test, { username: what, role: 'grade_admin', ...place });
    const scope = { scopeType: 'class', scopeClassId: school.grades[0].classes[0].id } as const;
    const token = await issuer.issue(school.schoolDb, scope);
    const there = other.with(token);
    for (const at of [token, there]) expect((await at.get('/ping')).code).toBe(0);
    expect(await change({ school, token, there, issuer })).toMatchObject({ status: 200 });
    expect(await token.get('/ping')).toMatchObject(seen);
    await answersEventually(there, seen);
  });
});
