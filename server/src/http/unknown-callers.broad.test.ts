import type { AuditRecord } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { auditEntry, auditRecords } from '../../test/audit.ts';
import type { AdminClient } from '../../test/identities.ts';
import { LockedRows } from '../../test/locked-rows.ts';
import { exchange } from '../../test/raw-connection.ts';
import { createSampleSchool, startTestApp, type TestApp } from '../../test/test-app.ts';
import { AuditLog } from './audit-log.ts';

let test: TestApp;
let admin: AdminClient;

beforeEach(async () => {
  test = await startTestApp();
  admin = await test.signIn();
});

async function strangers(count: number, remoteAddress: string, path = '/ping'): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const answer = await test.app.http.inject({ url: `/api/v1${path}`, remoteAddress });
    expect(answer.statusCode).toBe(401);
    ids.push(answer.json().requestId);
  }
  return ids;
}

const minute = 60_000;
const isSum = ({ errorMessage }: AuditRecord) => errorMessage?.startsWith('Not recorded singly: ');

it('calls without a known credential are recorded one by one up to 60 a minute for one address or IPv6 network, and summed up beyond', async () => {
  const first = await strangers(60, '2001:db8:0:7::5');
  const beyond = await strangers(15, '2001:db8:0:7::6', '/scores');
  const other = await strangers(1, '2001:db8:0:8::5');
  expect((await auditRecords(admin)).map(({ requestId }) => requestId).sort()).toEqual(
    [...first, ...other].sort(),
  );
  test.clock.advance(minute);
  const records = await auditRecords(admin);
  expect(records).toHaveLength(62);
  expect(records.filter(isSum)).toEqual([
    expect.objectContaining({
      errorMessage:
        'Not recorded singly: 15 calls from 2001:db8:0:7::/64 in this minute; the last: ' +
        'Send the credential as Authorization: Bearer <credential> or X-API-Token',
      requestId: beyond.at(-1),
      path: '/api/v1/scores',
      statusCode: 401,
      ip: '2001:db8:0:7::6',
      tokenId: null,
      schoolId: null,
      createdAt: '2026-09-15T10:00:00.000Z',
    }),
  ]);
  await strangers(61, '2001:db8:0:7::5');
  test.clock.advance(minute);
  const sums = (await auditRecords(admin)).filter(isSum);
  expect(sums.map(({ errorMessage }) => errorMessage?.match(/\d+ calls? from \S+/)?.[0])).toEqual([
    '1 call from 2001:db8:0:7::/64',
    '15 calls from 2001:db8:0:7::/64',
  ]);
  test.clock.advance(minute);
  expect(await auditRecords(admin)).toHaveLength(62 + 61);
});

it('calls without a known credential are counted even when they are not valid HTTP', async () => {
  const { port } = new URL(await test.listen());
  for (let n = 0; n < 65; n++) await exchange(Number(port), ['GET /api/v1/ping HTTP/9\r\n\r\n']);
  test.clock.advance(minute);
  const records = await auditRecords(admin);
  expect(records).toHaveLength(61);
  expect(records.find(isSum)?.errorMessage).toContain('5 calls from 127.0.0.1');
});

it('calls without a known credential are summed up at a clean stop, even within the minute', async () => {
  const other = await startTestApp({}, { shareDatabaseWith: test });
  for (let n = 0; n < 70; n++) await other.app.http.inject({ url: '/api/v1/ping' });
  await other.stop();
  expect((await auditRecords(admin)).find(isSum)?.errorMessage).toContain('10 calls from 127.0.0.1');
});

describe('Flood of calls without a known credential', () => {
  const entry = { ...auditEntry, at: new Date('2026-09-15T10:00:00.000Z') };
  const addressOf = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;

  it('from very many addresses leaves a limited number of records that count every call', async () => {
    const log = new AuditLog(test.database.pool, test.clock.now, (error) => {
      throw error;
    });
    const calls = 20_000;
    for (let n = 0; n < calls; n++) log.record({ ...entry, ip: addressOf(n % 2_000) });
    await log.close();
    const { rows } = await test.database.pool.query<{ error_message: string }>(
      'SELECT error_message FROM audit_record',
    );
    const counts = rows.map(({ error_message: text }) =>
      Number(/^Not recorded singly: (\d+) calls? from /.exec(text)?.[1] ?? 1),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(calls);
    // 6,000 single records, a sum for each of 1,000 addresses, and one for the other addresses.
    expect(rows).toHaveLength(7_001);
    expect(rows.filter(({ error_message: text }) => text.includes('from other addresses'))).toHaveLength(1);
  });

  it('does not displace known credentials’ calls from a log that cannot be written', async () => {
    const school = await createSampleSchool(admin);
    const credential = await school.issue({});
    const held = await LockedRows.selectedBy(test, 'LOCK TABLE audit_record IN ACCESS EXCLUSIVE MODE');
    const lost: number[] = [];
    const log = new AuditLog(test.database.pool, test.clock.now, (_error, entries) => lost.push(entries));
    const known = { ...entry, tokenId: credential.id, schoolId: school.id, path: '/api/v1/known' };
    for (let minutes = 0; minutes < 10; minutes++) {
      test.clock.advance(minute);
      for (let n = 0; n < 12_000; n++) {
        log.record({ ...entry, ip: addressOf(n % 200), at: test.clock.now() });
        if (n % 100 === 0) log.record({ ...known, at: test.clock.now() });
      }
    }
    expect(lost.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    await held.release();
    await log.close();
    const rows = await test.rows("SELECT count(*) AS n FROM audit_record WHERE path = '/api/v1/known'");
    expect(rows[0].n).toBe(1_200);
  });
});
