import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Term } from '@classledger/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { credentialClient } from '../../test/identities.ts';
import { startTestApp } from '../../test/test-app.ts';
import { type Config, readConfig } from '../config/config.ts';
import { DatabaseUnusableError } from '../database/database-unusable.ts';
import { sanitiseHtml } from '../features/announcements/sanitise-html.ts';
import { verifyLedger } from '../features/scores/verify-ledger.ts';
import { ensureDemo, formatLogins } from './demo.ts';
import { demoLogins } from './logins.ts';
import { schoolName } from './made-up-data.ts';

const records = 5_000;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newConfig(): Promise<Config> {
  const folder = await mkdtemp(join(tmpdir(), 'classledger-demo-'));
  folders.push(folder);
  return readConfig({ DATA_DIR: folder });
}

const test = await startTestApp();
let config = await newConfig();
const start = () => ensureDemo(test.database.db, config, test.clock.now(), records);
const demo = await start();

it('the demo creates one school with 6 grades, 36 classes, a realistic number of students and records, and true totals', async () => {
  const count = async (table: 'school' | 'grade' | 'class' | 'student' | 'template') =>
    (await test.database.db.selectFrom(table).select('created_at').execute()).length;
  expect(demo.schoolName).toBe(schoolName);
  expect([await count('school'), await count('grade'), await count('class')]).toEqual([1, 6, 36]);
  expect(await count('student')).toBe(demo.students);
  expect(demo.students).toBeGreaterThan(1_500);
  expect(demo.students).toBeLessThan(1_700);
  expect(demo.records).toBeGreaterThan(records * 0.9);
  expect(demo.records).toBeLessThan(records * 1.1);
  expect(await count('template')).toBeGreaterThan(40);
  const verification = await verifyLedger(test.database.db);
  expect(verification).toMatchObject({ students: demo.students, records: demo.records, differences: [] });
});

it('the demo dates records in the order of their ids, on school days up to today', async () => {
  const records = test.database.db.selectFrom('score_record').select('created_at').orderBy('id');
  const dates = (await records.execute()).map((row) => row.created_at);
  expect(dates).toEqual(dates.toSorted());
  const now = test.clock.now().toISOString();
  const weekdays = dates.map((at) => new Date(at).getUTCDay());
  expect(weekdays.filter((day) => day === 0 || day === 6)).toEqual([]);
  const last = dates.at(-1) as string;
  expect([last <= now, last.slice(0, 10)]).toEqual([true, now.slice(0, 10)]);
});

it('the demo has three closed terms with standings before the current term', async () => {
  const admin = await test.signIn();
  const [school] = await admin.read<{ schoolDb: string }[]>('/schools');
  const terms = await admin.read<Term[]>(`/admin/terms?schoolDb=${school?.schoolDb}`);
  expect(terms).toHaveLength(3);
  for (const { id, action, startedAt, closedAt, students, records: count } of terms) {
    const path = `/admin/terms/${id}?schoolDb=${school?.schoolDb}`;
    const { standings } = await admin.read<{ standings: { scoreCount: number }[] }>(path);
    expect({ action, students }).toEqual({ action: 'archive', students: standings.length });
    expect(standings.reduce((sum, { scoreCount }) => sum + scoreCount, 0)).toBe(count);
    expect(count).toBeGreaterThan(100);
    const rows = await test.rows(
      `SELECT min(created_at) >= $2 AND max(created_at) <= $3 AS inside FROM score_record WHERE term_id = $1`,
      id,
      startedAt,
      closedAt,
    );
    expect(rows).toEqual([{ inside: true }]);
  }
});

it('the demo seats every enabled student', async () => {
  const rows =
    await test.rows(`SELECT count(*) FILTER (WHERE p.id IS NULL)::int AS standing, count(p.id)::int > 1500 AS seated
       FROM student s LEFT JOIN seat p ON p.student_id = s.id WHERE NOT s.disabled`);
  expect(rows).toEqual([{ standing: 0, seated: true }]);
});

it('the demo has active announcements and a pending application', async () => {
  const { db } = test.database;
  const news = await db.selectFrom('announcement').where('active', '=', true).select('content').execute();
  expect(news.length).toBeGreaterThan(1);
  // Stored as the API would store it.
  for (const { content } of news) expect(sanitiseHtml(content)).toBe(content);
  expect(await db.selectFrom('application').select('status').execute()).toEqual([{ status: 'pending' }]);
});

it('the demo prints logins that work, and a working credential for each scope type with its permissions', async () => {
  const lines = formatLogins(demo, 'http://demo', { username: 'admin', password: null }).join('\n');
  for (const { username, password } of demoLogins) {
    await test.signIn(username, password);
    expect(lines).toContain(username);
    expect(lines).toContain(password);
  }
  expect(Object.keys(demo.tokens)).toEqual(['school', 'grade', 'class']);
  for (const [scopeType, token] of Object.entries(demo.tokens)) {
    const client = credentialClient(test.app.http, token, 0);
    const ping = await client.read<{ token: { scopeType: string; scopes: string[] } }>('/ping');
    expect(ping.token.scopeType).toBe(scopeType);
    const overview = await client.read<{ scores: { recordCount: number } }>('/stats/overview');
    expect(overview.scores.recordCount).toBeGreaterThan(0);
    const line = lines.split('\n').find((each) => each.includes(token)) ?? '';
    if (scopeType === 'school') expect(line).toContain('all permissions');
    else for (const name of ping.token.scopes) expect(line).toContain(name);
    expect(line.includes('students:write')).toBe(false);
  }
});

it('the next start finds the demo with the same credentials, even after the school was renamed', async () => {
  expect(await start()).toEqual({ ...demo, loadedInSeconds: null });
  const { db } = test.database;
  await db.updateTable('school').set({ name: 'Another name' }).execute();
  expect(await start()).toMatchObject({ schoolName: 'Another name', loadedInSeconds: null });
  await db.updateTable('school').set({ name: schoolName }).execute();
});

it('the demo stores the plaintext credentials readable only by their owner', async () => {
  const file = join(config.dataDir, 'demo-credentials.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(demo.tokens);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it.each([
  [
    'the credentials file is missing',
    async () => {
      config = await newConfig();
    },
  ],
  [
    'a credential was revoked',
    async () => {
      const revoked = { revoked_at: test.clock.now() };
      await test.database.db
        .updateTable('api_token')
        .set(revoked)
        .where('scope_type', '=', 'class')
        .execute();
    },
  ],
])('the demo issues new credentials when %s', async (_what, lose) => {
  const { tokens } = await start();
  await lose();
  const again = await start();
  expect(again.loadedInSeconds).toBeNull();
  expect(Object.keys(again.tokens)).toEqual(['school', 'grade', 'class']);
  expect(again.tokens).not.toEqual(tokens);
  expect(await start()).toEqual(again);
});

describe('Database without a demonstration', async () => {
  const test = await startTestApp();
  const admin = await test.signIn();
  const { db } = test.database;
  const load = async () => ensureDemo(db, await newConfig(), test.clock.now(), records);

  it('the database stays empty when loading the demo fails halfway', async () => {
    // The last write before the records: a taken username makes it fail.
    await db
      .updateTable('admin')
      .set({ username: demoLogins[2]?.username as string })
      .execute();
    await expect(load()).rejects.toThrow('admin_username_key');
    for (const table of ['school', 'student', 'score_record'] as const) {
      expect(await db.selectFrom(table).select('created_at').execute()).toEqual([]);
    }
  });

  it('the demo is not loaded into a database with another school', async () => {
    await admin.created('/schools', { name: 'A real school' });
    await expect(load()).rejects.toThrow(DatabaseUnusableError);
  });
});
