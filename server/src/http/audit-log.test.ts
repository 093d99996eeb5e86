import type { Credential } from '@classledger/contract';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { auditEntry, auditRecordOf } from '../../test/audit.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { openSchool } from '../../test/test-app.ts';
import { UseCounts } from '../access/use-counts.ts';
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

it('audit entries that can never be stored are dropped, and later ones are stored', async () => {
  await test.database.pool.query(
    "ALTER TABLE audit_record ADD CONSTRAINT fussy CHECK (user_agent <> 'unwanted') NOT VALID",
  );
  await credential.get('/students', { 'user-agent': 'unwanted' });
  expect((await admin.get('/api-tokens/logs')).status).toBe(200);
  const { requestId } = await credential.get('/students');
  expect(await auditRecordOf(admin, requestId)).toMatchObject({ statusCode: 200 });
  await test.database.pool.query('ALTER TABLE audit_record DROP CONSTRAINT fussy');
  expect(await recordsOfCredential()).toBe(1);
});

it('audit entries and use counts whose write fails are stored later', async () => {
  const { pool } = test.database;
  const failed = new Set<string>();
  const log = new AuditLog(pool, test.clock.now, () => failed.add('calls'));
  const uses = new UseCounts(pool, () => failed.add('uses'));
  await pool.query(`ALTER TABLE audit_record RENAME TO audit_away;
    ALTER TABLE api_token ADD CONSTRAINT closed CHECK (call_count = 0) NOT VALID`);
  log.record({ ...auditEntry, tokenId: credential.id });
  uses.add(credential.id, test.clock.now(), '203.0.113.9');
  await eventually('both have failed', () => failed.size === 2);
  await pool.query(`ALTER TABLE audit_away RENAME TO audit_record;
    ALTER TABLE api_token DROP CONSTRAINT closed`);
  uses.add(credential.id, test.clock.now(), '203.0.113.9');
  await Promise.all([log.close(), uses.close()]);
  expect([await recordsOfCredential(), await storedCalls()]).toEqual([1, 2]);
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
