import type { Credential } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin, type Staff } from '../../test/administrators.ts';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { createSampleSchool, openSchool, type SampleSchool, startTestApp } from '../../test/test-app.ts';
import { CredentialDirectory } from './credential-directory.ts';
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

interface World {
  readonly school: SampleSchool;
  readonly token: CredentialClient;
  readonly there: CredentialClient;
  readonly issuer: Staff;
}

const gone = { code: 40103 };
const orphaned = { code: 40105 };
const shows = (token: object) => ({ data: { token } });

const changeToken =
  (body: object) =>
  ({ token }: World) =>
    by.patch(`/api-tokens/${token.id}`, body);
const changeIssuer =
  (bodyFor: (grades: SampleSchool['grades']) => object) =>
  ({ issuer, school }: World) =>
    by.patch(`/admin/manage/${issuer.id}`, bodyFor(school.grades));
const changeSchool =
  (body: object) =>
  ({ school }: World) =>
    by.patch(`/schools/${school.id}`, body);

/** Deletes the class or grade of a credential whose issuer has moved away, so that only the deletion matters. */
const deletePlace = (pathIn: (grades: SampleSchool['grades']) => string) => async (world: World) => {
  await changeIssuer(([, otherGrade]) => ({ gradeId: otherGrade.id }))(world);
  for (const at of [world.token, world.there]) await answersEventually(at, orphaned);
  return by.delete(`${pathIn(world.school.grades)}?schoolDb=${world.school.schoolDb}`);
};

const answersEventually = (credential: CredentialClient, seen: object) =>
  expect.poll(() => credential.get('/ping'), { interval: 10 }).toMatchObject(seen);

describe('Access changes without triggers', () => {
  it.each<[string, (world: World) => Promise<{ status: number }>, object]>([
    ['a credential is disabled', changeToken({ disabled: true }), gone],
    ['a credential is renamed', changeToken({ name: 'Another name' }), shows({ name: 'Another name' })],
    ['a credential gets scopes', changeToken({ scopes: ['stats:read'] }), shows({ scopes: ['stats:read'] })],
    [
      'a credential gets an expiry',
      changeToken({ expiresInDays: 1 }),
      shows({ expiresAt: expect.any(String) }),
    ],
    [
      'a credential is revoked',
      ({ token }) => by.delete(`/api-tokens/${token.id}`, { 'x-confirm-password': by.password }),
      gone,
    ],
    ['its issuer is disabled', changeIssuer(() => ({ disabled: true })), orphaned],
    [
      'its issuer gets another role',
      changeIssuer(([grade]) => ({ role: 'class_admin', classId: grade.classes[1].id })),
      orphaned,
    ],
    ['its issuer gets another grade', changeIssuer(([, grade]) => ({ gradeId: grade.id })), orphaned],
    ['its issuer is deleted', ({ issuer }) => by.delete(`/admin/manage/${issuer.id}`), orphaned],
    ['its school is renamed', changeSchool({ name: 'Renamed' }), { data: { school: { name: 'Renamed' } } }],
    ['its school is disabled', changeSchool({ disabled: 1 }), { code: 40301 }],
    ['its school is deleted', ({ school }) => by.delete(`/schools/${school.id}`), { code: 40301 }],
    [
      'its class moves to another grade',
      ({ school: { schoolDb, grades } }) => {
        const change = { schoolDb, gradeId: grades[1].id, name: 'Moved' };
        return by.patch(`/classes/${grades[0].classes[0].id}`, change);
      },
      orphaned,
    ],
    // A deleted row counts as missing rather than out of range.
    ['its class is deleted', deletePlace(([grade]) => `/classes/${grade.classes[0].id}`), { code: 0 }],
    ['its grade is deleted', deletePlace(([grade]) => `/grades/${grade.id}`), { code: 0 }],
  ])('every process applies the change to a credential when %s', async (what, change, seen) => {
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
  ((await at.get('/ping')).data as { token: { name: string } }).token.name;

async function isRemembered(at: CredentialClient): Promise<boolean> {
  const name = await renameSilently(at);
  return (await nameAt(at)) !== name;
}

describe('Access change listener on a network that drops notifications', () => {
  it('without notifications, a process applies its own changes at once and others within a second, and caches after reconnecting', async () => {
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
});

describe('Access change listener behind a pooler that drops notifications', () => {
  it('without notifications, a process asks the database on every call and applies changes of other processes at once', async () => {
    const proxy = await DatabaseProxy.start(test.databaseTarget);
    proxy.swallowNotifications();
    const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
    const one = await issue();
    const remote = behind.with(one);
    for (let calls = 0; calls < 10; calls++) expect(await isRemembered(remote)).toBe(false);
    await disable(one);
    expect(await codeOf(remote)).toBe(40103);
  });
});

describe('Access change listener with all background connections busy', () => {
  it('a process with no free background connection applies access changes of other processes', async () => {
    const busy = await startTestApp({}, { shareDatabaseWith: test });
    const { background } = busy.database;
    const held = await Promise.all(
      Array.from({ length: background.options.max }, () => background.connect()),
    );
    const credential = await issue();
    const remote = busy.with(credential);
    // The first heartbeat has been sent; later ones can use only their own connection.
    busy.clock.advance(1_000);
    await eventually('the credential is cached', () => isRemembered(remote));
    await disable(credential);
    await eventually('the credential is refused', async () => (await codeOf(remote)) === 40103);
    for (const client of held) client.release();
  });
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
  const remembered = () => [first, second, third].map((one) => directory.findCached(one as string) !== null);
  await directory.find(first as string);
  await directory.find(second as string);
  expect(directory.findCached(first as string)).toMatchObject({ school: { id: sharedSchool.id } });
  await directory.find(third as string);
  expect(remembered()).toEqual([true, false, true]);
  await directory.find(second as string);
  expect(remembered()).toEqual([false, true, true]);
});

it('the credential cache evicts exactly the credentials that a change affects, even after repeated reads', async () => {
  const directory = new CredentialDirectory(test.database.db, { isCacheValid: () => true });
  const [one, two, theirs] = [await issue(), await issue(), await otherSchool.issue({})];
  const all = [one, two, theirs];
  const readAll = () =>
    Promise.all(all.flatMap(({ token }) => [directory.find(token), directory.find(token)]));
  const remembered = () => all.map(({ token }) => directory.findCached(token) !== null);
  const issuerId = (await directory.find(one.token))?.issuerId as number;
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
    const reading = directory.find(token);
    directory.evictAffected(change);
    expect(await reading).toMatchObject({ id });
    expect(directory.findCached(token)).toBeNull();
  }
  await directory.find(token);
  expect(directory.findCached(token)).toMatchObject({ id });
});

async function reportedUses({ id }: CredentialClient) {
  const answers = await Promise.all([by, adminThere].map((by) => by.get('/api-tokens')));
  return answers.map(({ data }) => {
    const found = (data as Credential[]).find((one) => one.id === id) as Credential;
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
  it('use counts include each call to any process once, and all processes soon report the same count', async () => {
    const one = await issue();
    for (let calls = 0; calls < 30; calls++) await callFrom('203.0.113.1', calls % 3 ? test : other, one);
    const use = { callCount: 30, lastUsedAt: test.clock.now().toISOString(), lastUsedIp: '203.0.113.1' };
    await expect.poll(() => reportedUses(one)).toEqual([use, use]);
    // The answer contains the count of the calls before it.
    for (const at of [one, other.with(one)]) {
      const { data } = await at.get('/ping');
      expect((data as { token: { callCount: number } }).token.callCount).toBeGreaterThanOrEqual(30);
    }
    await expect.poll(() => reportedCounts(one)).toEqual([32, 32]);
  });

  it('use counts never shrink and never exceed the calls that were made', async () => {
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
