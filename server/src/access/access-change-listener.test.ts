import { describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { createSampleSchool, openSchool, startTestApp } from '../../test/test-app.ts';

const { test, admin, school } = await openSchool();
const { pool } = test.database;
// Changes that a test makes directly in the database are not announced.
await pool.query('DROP FUNCTION announce_access_change() CASCADE');

const disable = async ({ id }: CredentialClient) => {
  expect(await admin.patch(`/api-tokens/${id}`, { disabled: true })).toMatchObject({ status: 200 });
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
    const by = await behind.signIn();
    const [own, one, next] = [await school.issue({}), await school.issue({}), await school.issue({})];
    const [there, remote, later] = [behind.with(own), behind.with(one), behind.with(next)];
    await eventually('the own credential is cached', () => isRemembered(there));
    await eventually('the credential is cached', () => isRemembered(remote));
    proxy.silenceListeners();
    expect(await by.patch(`/api-tokens/${own.id}`, { disabled: true })).toMatchObject({ status: 200 });
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
    const one = await school.issue({});
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
    const credential = await school.issue({});
    const remote = busy.with(credential);
    // The first heartbeat has been sent; later ones can use only their own connection.
    busy.clock.advance(1_000);
    await eventually('the credential is cached', () => isRemembered(remote));
    await disable(credential);
    await eventually('the credential is refused', async () => (await codeOf(remote)) === 40103);
    for (const client of held) client.release();
  });
});

describe('Access changes', () => {
  it('a process forgets its cached credentials when no heartbeat has arrived for a second', async () => {
    const [before, after] = [await school.issue({}), await school.issue({})];
    await eventually('the credential is cached', () => isRemembered(before));
    const name = await renameSilently(before);
    test.clock.advance(1_000);
    await eventually('a new heartbeat has arrived', () => isRemembered(after));
    expect(await nameAt(before)).toBe(name);
  });

  it('an access change evicts only the changed credential, or the credentials of the changed school, in every process', async () => {
    const elsewhere = await startTestApp({}, { shareDatabaseWith: test });
    const other = await createSampleSchool(admin, 'Other School');
    const theirs = await other.issue({});
    const [changed, same] = [await school.issue({}), await school.issue({})];
    const remembered = [theirs, elsewhere.with(theirs), same, elsewhere.with(same)];
    for (const at of [...remembered, changed, elsewhere.with(changed)]) {
      await eventually('the credential is cached', () => isRemembered(at));
    }
    const names = await Promise.all(remembered.map(nameAt));
    await renameSilently(theirs);
    await renameSilently(same);
    await disable(changed);
    await eventually(
      'the credential is refused',
      async () => (await codeOf(elsewhere.with(changed))) === 40103,
    );
    expect(await Promise.all(remembered.map(nameAt))).toEqual(names);
    await admin.patch(`/schools/${school.id}`, { name: 'Renamed School' });
    const [there] = [elsewhere.with(same)];
    await eventually('the other process has the new name', async () => (await nameAt(there)) !== names[3]);
    expect(await nameAt(same)).not.toBe(names[2]);
    expect(await Promise.all(remembered.slice(0, 2).map(nameAt))).toEqual(names.slice(0, 2));
  });
});
