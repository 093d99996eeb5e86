import { expect, it, onTestFinished } from 'vitest';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

const { test, school, office } = await openSchool();
const [place] = school.grades[0].classes;

async function startBehindProxy() {
  const proxy = await DatabaseProxy.start(test.databaseTarget);
  const connection = { watchEveryMs: 50 };
  const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy, connection });
  onTestFinished(() => behind.stop());
  const admin = await behind.signIn();
  // Waits for the background write of the sign-in, so that the silence only affects the test's requests.
  await admin.get('/admin/activity?limit=1');
  return { proxy, behind, admin, remote: behind.with(office) };
}

const student = (index: number) => place.students[index]?.id as number;
const give = (who: CredentialClient, index: number, key: string) =>
  who.post('/scores', { userId: student(index), scoreChange: 1 }, { 'idempotency-key': key });

it('database connections that fall silent fail pending requests of both APIs with 503, 50301 and Retry-After; later requests succeed', async () => {
  const { proxy, remote, admin } = await startBehindProxy();
  // Fills the pool with idle connections.
  await Promise.all(Array.from({ length: 8 }, () => remote.get('/students')));
  proxy.silenceAll();
  const lookup = admin.get('/auth/me');
  const answers = await Promise.all([
    remote.get('/students'),
    give(remote, 0, 'into silence'),
    remote.post('/templates', { name: 'Silence', scoreChange: 1 }),
  ]);
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 503,
      code: 50301,
      data: null,
      message: 'The server is temporarily unavailable',
      headers: { 'retry-after': '1' },
    });
  }
  expect(await lookup).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  for (let i = 0; i < 3; i++) {
    expect(await remote.get('/students')).toMatchObject({ code: 0 });
    expect(await give(remote, 0, 'into silence')).toMatchObject({ code: 0 });
    expect(await admin.get('/auth/me')).toMatchObject({ status: 200 });
  }
  expect(await office.read(`/students/${student(0)}`)).toMatchObject({ scoreCount: 1, totalScore: 1 });
});

it('database connections that fall silent release the row locks of a lost write', async () => {
  const { proxy, remote } = await startBehindProxy();
  const held = await LockedRows.ofClass(test, place.id);
  const lost = give(remote, 1, 'never heard of');
  await held.waitUntilWaiting(1);
  proxy.silenceAll();
  await held.release();
  expect(await lost).toMatchObject({ status: 503, code: 50301 });
  expect(await give(office, 1, 'by another process')).toMatchObject({ code: 0 });
  expect(await give(remote, 1, 'never heard of')).toMatchObject({ code: 0 });
  expect(await office.read(`/students/${student(1)}`)).toMatchObject({ scoreCount: 2 });
  await test.expectVerifiedLedger();
});

it('database connections that fall silent do not prevent the server from stopping', async () => {
  const { proxy, remote, behind } = await startBehindProxy();
  await Promise.all(Array.from({ length: 8 }, () => remote.get('/students')));
  await eventually('the audit log is written', async () => (await audited(remote.id)) >= 8);
  proxy.silenceAll();
  await behind.stop();
});

it('a slow statement is not treated as a silent connection', async () => {
  const { proxy, remote } = await startBehindProxy();
  const held = await LockedRows.ofStudent(test, student(2));
  const name = { actualName: 'Patience' };
  const change = remote.patch(`/students/${student(2)}`, name);
  await held.waitUntilWaiting(1);
  const { connectionCount } = proxy;
  await eventually(
    'the server was asked about it five times',
    () => proxy.connectionCount >= connectionCount + 5,
  );
  await held.release();
  expect(await change).toMatchObject({ code: 0, data: name });
});

async function audited(tokenId: number): Promise<number> {
  const rows = await test.rows('SELECT count(*)::int AS n FROM audit_record WHERE token_id = $1', tokenId);
  return rows[0].n;
}
