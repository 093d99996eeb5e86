import type { Credential } from '@classledger/contract';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { auditEntry, auditRecordOf } from '../../test/audit.ts';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';
import { connectDatabase } from '../database/connect.ts';
import { AuditLog } from './audit-log.ts';

const { test, admin, school } = await openSchool();
let credential: CredentialClient;

beforeEach(async () => {
  credential = await school.issue({});
});

async function pinged(by: CredentialClient): Promise<number> {
  const answer = await by.get('/ping');
  expect(answer).toMatchObject({ status: 200, code: 0 });
  return (answer.data as { token: { callCount: number } }).token.callCount;
}

async function listed(): Promise<Credential> {
  const list = await admin.read<Credential[]>('/api-tokens');
  return list.find(({ id }) => id === credential.id) as Credential;
}

async function stored(column: string, where: string, value: unknown): Promise<number> {
  const rows = await test.rows(`SELECT ${column} AS n FROM ${where}`, value);
  return Number(rows[0].n);
}

const recordsOfCredential = () => stored('count(*)', 'audit_record WHERE token_id = $1', credential.id);
const storedCalls = () => stored('call_count', 'api_token WHERE id = $1', credential.id);

it('a locked audit log delays neither calls nor their counts, and is written after the lock', async () => {
  const held = await LockedRows.selectedBy(test, 'LOCK TABLE audit_record IN ACCESS EXCLUSIVE MODE');
  for (let calls = 0; calls < 30; calls++) {
    expect(await credential.get('/students')).toMatchObject({ status: 200 });
  }
  await expect.poll(listed).toMatchObject({
    callCount: 30,
    lastUsedAt: test.clock.now().toISOString(),
    lastUsedIp: '127.0.0.1',
  });
  expect(await pinged(credential)).toBe(30);
  await held.release();
  await eventually('the calls are audited', async () => (await recordsOfCredential()) === 31);
});

it('the audit log can be read while its table is locked against writes', async () => {
  await credential.get('/students');
  await auditRecordOf(admin, (await credential.get('/students')).requestId);
  const held = await LockedRows.selectedBy(test, 'LOCK TABLE audit_record IN SHARE MODE');
  await credential.get('/students');
  const answer = await admin.get(`/api-tokens/logs?tokenId=${credential.id}`);
  expect(answer).toMatchObject({ status: 200, data: { total: 2 } });
  await held.release();
  await eventually('the call is audited', async () => (await recordsOfCredential()) === 3);
});

it('only the audit entry that can never be stored is lost', async () => {
  await test.database.pool.query(
    "ALTER TABLE audit_record ADD CONSTRAINT fussy CHECK (user_agent <> 'unwanted') NOT VALID",
  );
  const sent = await Promise.all(
    Array.from({ length: 21 }, (_, i) =>
      credential.get('/students', { 'user-agent': i === 13 ? 'unwanted' : 'welcome' }),
    ),
  );
  expect(sent.every(({ status }) => status === 200)).toBe(true);
  await eventually('the others are stored', async () => (await recordsOfCredential()) >= 20);
  await test.database.pool.query('ALTER TABLE audit_record DROP CONSTRAINT fussy');
  await credential.get('/students');
  await eventually('the next is stored', async () => (await recordsOfCredential()) === 21);
  await expect.poll(storedCalls).toBe(22);
});

// Here, because this file changes the schema anyway.
it('a server failure answers 50001 without details, and is audited', async () => {
  const { db } = test.database;
  await db.schema.alterTable('template').renameTo('template_away').execute();
  const answer = await credential.get('/templates');
  await db.schema.alterTable('template_away').renameTo('template').execute();
  expect(answer).toMatchObject({ status: 500, code: 50001, data: null, message: 'Internal error' });
  expect(await auditRecordOf(admin, answer.requestId)).toMatchObject({
    statusCode: 500,
    errorMessage: 'Internal error',
  });
  expect((await credential.get('/templates')).code).toBe(0);
});

it('the audit log stores user agents with any characters unchanged', async () => {
  const agents = ['NULL', 'null', '"', '\\', 'a "b", {c} \\"d\\', '{}', ',', "'; --", '\u00e4\t\u00ff'];
  for (const agent of agents) {
    const { requestId } = await credential.get('/students', { 'user-agent': agent });
    expect(await auditRecordOf(admin, requestId)).toMatchObject({ userAgent: agent, errorMessage: null });
  }
});

describe('Connection lost at the commit', async () => {
  const proxy = await DatabaseProxy.start(test.databaseTarget);
  const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });

  it.each([
    ['audit records', 'before the commit'],
    ['audit records', 'after the commit'],
    ['uses', 'before the commit'],
    ['uses', 'after the commit'],
  ] as const)('the audit log stores %s once each after a connection was lost %s', async (what, at) => {
    const cuts = proxy.cuts;
    const userAgent = `${what} ${at}`;
    const remoteAddress = '203.0.113.99';
    // The audit log stores the user agent; it and the use counts store the address.
    proxy.cut(at, what === 'uses' ? remoteAddress : userAgent);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const response = await behind.app.http.inject({
        url: '/api/v1/students',
        headers: { authorization: `Bearer ${credential.token}`, 'user-agent': userAgent },
        ...(what === 'uses' ? { remoteAddress } : {}),
      });
      expect(response.statusCode).toBe(200);
      ids.push(String(response.headers['x-request-id']));
    }
    await eventually('a connection was cut', () => proxy.cuts === cuts + 1);
    await eventually('everything is stored', async () => {
      return (await storedCalls()) >= 5 && (await recordsOfCredential()) >= 5;
    });
    expect(await pinged(behind.with(credential))).toBe(5);
    for (const id of ids) await auditRecordOf(admin, id);
    await eventually('the ping is stored', async () => (await recordsOfCredential()) === 6);
    await eventually('the ping is counted', async () => (await storedCalls()) === 6);
  });
});

it('without a database, the audit log keeps the last 20,000 entries of known callers, and reports the lost ones, also after its close', async () => {
  const database = connectDatabase(test.databaseTarget);
  await database.pool.end();
  let lost = 0;
  const log = new AuditLog(database.pool, test.clock.now, (_error, entries) => {
    lost += entries;
  });
  const entry = { ...auditEntry, tokenId: 1 };
  // The first 250 entries are a batch that is being written.
  for (let n = 0; n < 20_250; n++) log.record(entry);
  expect([log.waiting, lost]).toEqual([20_250, 0]);
  log.record(entry);
  expect([log.waiting, lost]).toEqual([18_251, 2_000]);
  log.record(auditEntry);
  await log.close();
  expect(lost).toBe(20_252);
  log.record(entry);
  expect(lost).toBe(20_253);
});

it('an audit log without waiting entries schedules no write', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const log = new AuditLog(test.database.pool, test.clock.now, () => {});
  await log.flush();
  expect(vi.getTimerCount()).toBe(0);
});
