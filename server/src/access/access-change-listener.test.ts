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

/** Renames a credential without announcing it: a process that has cached it keeps the old name. */
async function renameSilently({ id }: CredentialClient): Promise<string> {
  const name = `silently ${++renamed}`;
  await pool.query('UPDATE api_token SET name = $2 WHERE id = $1', [id, name]);
  return name;
}

const nameAt = async (at: CredentialClient) =>
  ((await at.get('/ping')).data as { token: { name: string } }).token.name;

/** Returns whether a process answers from its cache. */
async function isRemembered(at: CredentialClient): Promise<boolean> {
  const name = await renameSilently(at);
  return (await nameAt(at)) !== name;
}

describe('a process whose network swallows notifications without a word', () => {
  it('knows after a second what others have changed, and hears of changes again later', async () => {
    const proxy = await DatabaseProxy.start(test.databaseTarget);
    const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
    const [one, next] = [await school.issue({}), await school.issue({})];
    const [remote, later] = [behind.with(one), behind.with(next)];
    await eventually('it is in memory', () => isRemembered(remote));
    proxy.silenceListeners();
    await disable(one);
    test.clock.advance(1_000);
    expect(await codeOf(remote)).toBe(40103);
    expect(await isRemembered(later)).toBe(false);
    await eventually('new connections are heard', () => isRemembered(later));
    await disable(next);
    await eventually('it is refused', async () => (await codeOf(later)) === 40103);
  });

  it('knows what it has changed itself with the next call', async () => {
    const proxy = await DatabaseProxy.start(test.databaseTarget);
    const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
    const own = behind.with(await school.issue({}));
    await eventually('it is in memory', () => isRemembered(own));
    proxy.silenceListeners();
    const by = await behind.signIn();
    expect(await by.patch(`/api-tokens/${own.id}`, { disabled: true })).toMatchObject({ status: 200 });
    expect(await codeOf(own)).toBe(40103);
  });
});

describe('a process behind a pooler that swallows notifications', () => {
  it('asks the database at every call, and so knows with the next what others have changed', async () => {
    const proxy = await DatabaseProxy.start(test.databaseTarget);
    proxy.swallowNotifications();
    const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
    const one = await school.issue({});
    const remote = behind.with(one);
    for (let calls = 0; calls < 50; calls++) expect(await isRemembered(remote)).toBe(false);
    await disable(one);
    expect(await codeOf(remote)).toBe(40103);
  });
});

describe('a process that writes behind requests', () => {
  it('knows what others have changed while all of that waits for locks', async () => {
    const busy = await startTestApp({}, { shareDatabaseWith: test });
    const { behind } = busy.database;
    const held = await Promise.all(Array.from({ length: behind.options.max }, () => behind.connect()));
    const credential = await school.issue({});
    const remote = busy.with(credential);
    // The first heartbeat has been sent; later ones can use only their own connection.
    busy.clock.advance(1_000);
    await eventually('it is in memory', () => isRemembered(remote));
    await disable(credential);
    await eventually('it is refused', async () => (await codeOf(remote)) === 40103);
    for (const client of held) client.release();
  });
});

describe('a change', () => {
  it('of one credential, issuer or school leaves what processes remember of others', async () => {
    const elsewhere = await startTestApp({}, { shareDatabaseWith: test });
    const other = await createSampleSchool(admin, 'Other School');
    const theirs = await other.issue({});
    const [changed, same] = [await school.issue({}), await school.issue({})];
    const remembered = [theirs, elsewhere.with(theirs), same, elsewhere.with(same)];
    for (const at of [...remembered, changed, elsewhere.with(changed)]) {
      await eventually('it is in memory', () => isRemembered(at));
    }
    const names = await Promise.all(remembered.map(nameAt));
    await renameSilently(theirs);
    await renameSilently(same);
    await disable(changed);
    await eventually('it is refused', async () => (await codeOf(elsewhere.with(changed))) === 40103);
    expect(await Promise.all(remembered.map(nameAt))).toEqual(names);
    await admin.patch(`/schools/${school.id}`, { name: 'Renamed School' });
    const [there] = [elsewhere.with(same)];
    await eventually('the other process knows', async () => (await nameAt(there)) !== names[3]);
    expect(await nameAt(same)).not.toBe(names[2]);
    expect(await Promise.all(remembered.slice(0, 2).map(nameAt))).toEqual(names.slice(0, 2));
  });
});
