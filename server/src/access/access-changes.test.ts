import type { Credential } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../../test/administrators.ts';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { createSampleSchool, openSchool, type SampleSchool, startTestApp } from '../../test/test-app.ts';
import { CredentialDirectory } from './credential-directory.ts';
import { hashToken } from './token.ts';
import { UseCounts } from './use-counts.ts';

// Two processes, whose clocks show the same time.
const { test, admin: by, school: sharedSchool } = await openSchool();
const other = await startTestApp({}, { shareDatabaseWith: test });
const adminThere = await other.signIn();
const otherSchool = await createSampleSchool(by, 'Other School');
const issue = () => sharedSchool.issue({});
const { pool } = test.database;
// Without triggers, as on a distributed database, so changes that a test makes in the database are not announced.
await pool.query('DROP FUNCTION announce_access_change() CASCADE');

type Grades = SampleSchool['grades'];

const gone = { code: 40103 };
const orphaned = { code: 40105 };
const shows = (token: object) => ({ data: { token } });
const scopes = ['stats:read'];
const ends = shows({ expiresAt: expect.any(String) });
const becomesTeacher = ([{ classes }]: Grades) => ({ role: 'class_admin', classId: classes[1].id });
type Target = 'token' | 'issuer' | 'school' | 'grade' | 'class';

const answersEventually = (credential: CredentialClient, seen: object) =>
  expect.poll(() => credential.get('/ping'), { interval: 10 }).toMatchObject(seen);

/** What happens to the target: a change with this body, or its deletion. */
it.each<[string, Target, ((grades: Grades) => object) | null, object]>([
  ['a credential is disabled', 'token', () => ({ disabled: true }), gone],
  ['a credential is renamed', 'token', () => ({ name: 'Another' }), shows({ name: 'Another' })],
  ['a credential gets scopes', 'token', () => ({ scopes }), shows({ scopes })],
  ['a credential gets an expiry', 'token', () => ({ expiresInDays: 1 }), ends],
  ['a credential is revoked', 'token', null, gone],
  ['its issuer is disabled', 'issuer', () => ({ disabled: true }), orphaned],
  ['its issuer gets another role', 'issuer', becomesTeacher, orphaned],
  ['its issuer gets another grade', 'issuer', ([, grade]) => ({ gradeId: grade.id }), orphaned],
  ['its issuer is deleted', 'issuer', null, orphaned],
  ['its school is renamed', 'school', () => ({ name: 'Renamed' }), { data: { school: { name: 'Renamed' } } }],
  ['its school is disabled', 'school', () => ({ disabled: 1 }), { code: 40301 }],
  ['its school is deleted', 'school', null, { code: 40301 }],
  ['its class gets another grade', 'class', ([, { id }]) => ({ gradeId: id, name: 'Moved' }), orphaned],
  // A deleted row counts as missing rather than out of range.
  ['its class is deleted', 'class', null, { code: 0 }],
  ['its grade is deleted', 'grade', null, { code: 0 }],
])('every process applies the change to a credential when %s', async (what, target, change, seen) => {
  const isShared = target === 'token' || target === 'issuer';
  const school = isShared ? sharedSchool : await createSampleSchool(by, `School where ${what}`);
  const [grade, otherGrade] = school.grades;
  const [{ id: classId }] = grade.classes;
  const place = { schoolId: school.id, gradeId: grade.id };
  const issuer = await createAdmin(test, { username: what, role: 'grade_admin', ...place });
  const token = await issuer.issue(school.schoolDb, { scopeType: 'class', scopeClassId: classId });
  const there = other.with(token);
  for (const at of [token, there]) expect((await at.get('/ping')).code).toBe(0);
  const paths = {
    token: `/api-tokens/${token.id}`,
    issuer: `/admin/manage/${issuer.id}`,
    school: `/schools/${school.id}`,
    grade: `/grades/${grade.id}?schoolDb=${school.schoolDb}`,
    class: `/classes/${classId}?schoolDb=${school.schoolDb}`,
  };
  if (change === null && (target === 'class' || target === 'grade')) {
    // The issuer moves away first, so that only the deletion matters.
    await by.patch(paths.issuer, { gradeId: otherGrade.id });
    for (const at of [token, there]) await answersEventually(at, orphaned);
  }
  const changed = change
    ? await by.patch(paths[target], change(school.grades))
    : await by.delete(paths[target], { 'x-confirm-password': by.password });
  expect(changed).toMatchObject({ status: 200 });
  expect(await token.get('/ping')).toMatchObject(seen);
  await answersEventually(there, seen);
});

const disable = async ({ id }: CredentialClient) => {
  expect(await by.patch(`/api-tokens/${id}`, { disabled: true })).toMatchObject({ status: 200 });
};
const codeOf = async (credential: CredentialClient) => (await credential.get('/ping')).code;

let renamed = 0;

async function renameSilently({ id }: CredentialClient): Promise<string> {
  const name = `silently ${++renamed}`;
  await pool.query('UPDATE api_token SET name = $2 WHERE id = $1', [id, name]);
  return name;
}

const nameAt = async (at: CredentialClient) =>
  (await at.read<{ token: { name: string } }>('/ping')).token.name;

async function isRemembered(at: CredentialClient): Promise<boolean> {
  const name = await renameSilently(at);
  return (await nameAt(at)) !== name;
}

it('on a network that drops notifications, a process applies its own changes at once and others within a second, and caches after reconnecting', async () => {
  const proxy = await DatabaseProxy.start(test.databaseTarget);
  const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
  const adminBehind = await behind.signIn();
  const [own, one, next] = [await issue(), await issue(), await issue()];
  const [there, remote, later] = [behind.with(own), behind.with(one), behind.with(next)];
  await eventually('the own credential is cached', () => isRemembered(there));
  await eventually('the credential is cached', () => isRemembered(remote));
  proxy.silenceListeners();
  expect(await adminBehind.patch(`/api-tokens/${own.id}`, { disabled: true })).toMatchObject({
    status: 200,
  });
  expect(await codeOf(there)).toBe(40103);
  await disable(one);
  test.clock.advance(1_000);
  expect(await codeOf(remote)).toBe(40103);
  expect(await isRemembered(later)).toBe(false);
  await eventually('a new connection receives notifications', () => isRemembered(later));
  await disable(next);
  await eventually('the credential is refused', async () => (await codeOf(later)) === 40103);
});

it('behind a pooler that drops notifications, a process asks the database on every call and applies changes of other processes at once', async () => {
  const proxy = await DatabaseProxy.start(test.databaseTarget);
  proxy.swallowNotifications();
  const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
  const one = await issue();
  const remote = behind.with(one);
  for (let calls = 0; calls < 10; calls++) expect(await isRemembered(remote)).toBe(false);
  await disable(one);
  expect(await codeOf(remote)).toBe(40103);
});

it('a process with no free background connection applies access changes of other processes', async () => {
  const busy = await startTestApp({}, { shareDatabaseWith: test });
  const { background } = busy.database;
  const held = await Promise.all(Array.from({ length: background.options.max }, () => background.connect()));
  const credential = await issue();
  const remote = busy.with(credential);
  // The first heartbeat has been sent; later ones can use only their own connection.
  busy.clock.advance(1_000);
  await eventually('the credential is cached', () => isRemembered(remote));
  await disable(credential);
  await eventually('the credential is refused', async () => (await codeOf(remote)) === 40103);
  for (const client of held) client.release();
});

describe('Cached credentials', () => {
  it('a process forgets its cached credentials when no heartbeat has arrived for a second', async () => {
    const [before, after] = [await issue(), await issue()];
    await eventually('the credential is cached', () => isRemembered(before));
    const name = await renameSilently(before);
    test.clock.advance(1_000);
    await eventually('a new heartbeat has arrived', () => isRemembered(after));
    expect(await nameAt(before)).toBe(name);
  });

  it('an access change evicts only the changed credential, or the credentials of the changed school, in every process', async () => {
    const theirs = await otherSchool.issue({});
    const [changed, same] = [await issue(), await issue()];
    const remembered = [theirs, other.with(theirs), same, other.with(same)];
    for (const at of [...remembered, changed, other.with(changed)]) {
      await eventually('the credential is cached', () => isRemembered(at));
    }
    const names = await Promise.all(remembered.map(nameAt));
    await renameSilently(theirs);
    await renameSilently(same);
    await disable(changed);
    await eventually('the credential is refused', async () => (await codeOf(other.with(changed))) === 40103);
    expect(await Promise.all(remembered.map(nameAt))).toEqual(names);
    await by.patch(`/schools/${sharedSchool.id}`, { name: 'Renamed School' });
    const there = other.with(same);
    await eventually('the other process has the new name', async () => (await nameAt(there)) !== names[3]);
    expect(await nameAt(same)).not.toBe(names[2]);
    expect(await Promise.all(remembered.slice(0, 2).map(nameAt))).toEqual(names.slice(0, 2));
  });
});

it('the credential cache evicts the least recently used credentials when it is full', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true }, { cacheMax: 2 });
  const [first, second, third] = await Promise.all([1, 2, 3].map(async () => (await issue()).token));
  const remembered = () =>
    [first, second, third].map((one) => directory.findCached(hashToken(one as string)) !== null);
  await directory.find(hashToken(first as string));
  await directory.find(hashToken(second as string));
  expect(directory.findCached(hashToken(first as string))).toMatchObject({ school: { id: sharedSchool.id } });
  await directory.find(hashToken(third as string));
  expect(remembered()).toEqual([true, false, true]);
  await directory.find(hashToken(second as string));
  expect(remembered()).toEqual([false, true, true]);
});

it('the credential cache evicts exactly the credentials that a change affects, even after repeated reads', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true });
  const [one, two, theirs] = [await issue(), await issue(), await otherSchool.issue({})];
  const all = [one, two, theirs];
  const readAll = () =>
    Promise.all(
      all.flatMap(({ token }) => [directory.find(hashToken(token)), directory.find(hashToken(token))]),
    );
  const remembered = () => all.map(({ token }) => directory.findCached(hashToken(token)) !== null);
  const issuerId = (await directory.find(hashToken(one.token)))?.issuerId as number;
  await readAll();
  directory.evictAffected({ credentialId: one.id });
  expect(remembered()).toEqual([false, true, true]);
  await readAll();
  directory.evictAffected({ schoolId: sharedSchool.id });
  expect(remembered()).toEqual([false, false, true]);
  await readAll();
  directory.evictAffected({ issuerId });
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  directory.evictAffected(null);
  expect(remembered()).toEqual([false, false, false]);
  await readAll();
  expect(remembered()).toEqual([true, true, true]);
});

it('the credential cache does not keep a credential when a change arrives during its query', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true });
  const { id, token } = await issue();
  for (const change of [{ credentialId: id }, null]) {
    const reading = directory.find(hashToken(token));
    directory.evictAffected(change);
    expect(await reading).toMatchObject({ id });
    expect(directory.findCached(hashToken(token))).toBeNull();
  }
  await directory.find(hashToken(token));
  expect(directory.findCached(hashToken(token))).toMatchObject({ id });
});

async function reportedUses({ id }: CredentialClient) {
  const lists = await Promise.all([by, adminThere].map((by) => by.read<Credential[]>('/api-tokens')));
  return lists.map((credentials) => {
    const found = credentials.find((one) => one.id === id) as Credential;
    return { callCount: found.callCount, lastUsedAt: found.lastUsedAt, lastUsedIp: found.lastUsedIp };
  });
}
const reportedCounts = async (one: CredentialClient) =>
  (await reportedUses(one)).map(({ callCount }) => callCount);

const callFrom = async (ip: string, at: typeof test, { token }: CredentialClient) => {
  const headers = { authorization: `Bearer ${token}` };
  const url = '/api/v1/students?limit=1';
  const { statusCode } = await at.app.http.inject({ url, headers, remoteAddress: ip });
  expect(statusCode).toBe(200);
};

describe('Use counts of several processes', () => {
  it('use counts include each call to any process once, never shrink and never exceed the calls that were made', async () => {
    const one = await issue();
    let [sent, least] = [0, 0];
    const call = async (at: typeof test) => {
      for (let calls = 0; calls < 100; calls++) {
        sent++;
        await callFrom('203.0.113.1', at, one);
      }
    };
    let stopped = false;
    const observe = async () => {
      while (!stopped) {
        const [first] = await reportedUses(one);
        expect(first?.callCount).toBeGreaterThanOrEqual(least);
        expect(first?.callCount).toBeLessThanOrEqual(sent);
        least = first?.callCount ?? 0;
      }
    };
    const observing = observe();
    await Promise.all([test, test, other].map(call)).finally(() => {
      stopped = true;
    });
    await observing;
    await expect.poll(() => reportedCounts(one)).toEqual([300, 300]);
    // The answer contains the count of the calls before it.
    for (const at of [one, other.with(one)]) {
      const { token } = await at.read<{ token: { callCount: number } }>('/ping');
      expect(token.callCount).toBeGreaterThanOrEqual(300);
    }
    await expect.poll(() => reportedCounts(one)).toEqual([302, 302]);
  });

  it('a credential shows the address of the latest call, even if an earlier call is stored later', async () => {
    const one = await issue();
    const last = test.clock.now().toISOString();
    await callFrom('203.0.113.2', other, one);
    await expect.poll(() => reportedCounts(one)).toEqual([1, 1]);
    // An earlier use that is stored later.
    test.clock.set(new Date(Date.parse(last) - 1_000).toISOString());
    await callFrom('203.0.113.1', test, one);
    test.clock.set(last);
    const use = { callCount: 2, lastUsedAt: last, lastUsedIp: '203.0.113.2' };
    await expect.poll(() => reportedUses(one)).toEqual([use, use]);
  });

  it('a credential shows the address of the latest call, even if the clock is set back before both are stored', async () => {
    const one = await issue();
    const last = test.clock.now();
    const counts = new UseCounts(test.database.pool, (error) => {
      throw error;
    });
    counts.add(one.id, last, '203.0.113.2');
    counts.add(one.id, new Date(last.getTime() - 1_000), '203.0.113.1');
    await counts.close();
    const use = { callCount: 2, lastUsedAt: last.toISOString(), lastUsedIp: '203.0.113.2' };
    expect(await reportedUses(one)).toEqual([use, use]);
  });
});
