import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CrashLedger } from './crash-ledger.ts';
import { eventually } from './eventually.ts';
import { processes } from './processes.ts';
import { randomFrom, testSeed } from './random.ts';
import { openRemoteSchool, Remote } from './remote.ts';
import type { ServerProcess } from './server-process.ts';

/** Each run kills at other moments; `CRASH_ROUNDS=100 npm run test:broad crash` tries more. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 3);
/** What happens to the database before the server of a round is killed. */
const databaseSignals = [null, 'SIGKILL', 'SIGQUIT'] as const;
const workers = 8;
const admin = { username: 'admin', password: 'correct horse battery' };

interface LogEntry {
  readonly id: number;
  readonly userId: number;
  readonly scoreChange: number;
  readonly description: string;
}

async function everyPage<T>(ledger: CrashLedger, remote: Remote, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= 5_000; page++) {
    const { data } = await ledger.read(remote, `${path}?sortBy=id&order=asc&limit=100&page=${page}`);
    const { list } = data as { list: T[] };
    all.push(...list);
    if (list.length < 100) return all;
  }
  throw new Error(`${path} does not end`);
}

describe(`a server that is killed under load (TEST_SEED=${testSeed})`, () => {
  const random = randomFrom(testSeed);
  const { folder, run, startServing } = processes({
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
  });
  const settings = { DATA_DIR: join(folder, 'data') };
  let server: ServerProcess;
  let remote: Remote;
  let ledger: CrashLedger;

  const start = async () => {
    server = await startServing(settings);
    remote = new Remote(server.address as string);
  };
  const postmaster = () =>
    Number(readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

  beforeAll(async () => {
    await start();
    const { classId, token } = await openRemoteSchool(remote, admin);
    const batch = Array.from({ length: 12 }, (_, i) => ({ username: `student ${i}` }));
    const made = await remote.call('POST', '/api/v1/students', {
      body: { classId, batch, defaultPassword: 'secret-password' },
      headers: { 'x-api-token': token },
    });
    const { details } = made.data as { details: { id: number }[] };
    ledger = new CrashLedger({ students: details.map(({ id }) => id), classId, token, random });
  });

  it(`loses nothing acknowledged, does nothing twice and leaves no idempotency key stuck in ${rounds} kills`, async () => {
    let repeated = 0;
    for (let round = 0; round < rounds; round++) {
      let over = false;
      const work = Promise.all(Array.from({ length: workers }, () => ledger.sendUntil(remote, () => over)));
      const enough = ledger.sent.length + Math.ceil(random() * 200);
      await eventually('requests are under way', () => ledger.sent.length >= enough);
      const signal = databaseSignals[round % databaseSignals.length];
      if (signal) process.kill(postmaster(), signal);
      await server.kill();
      over = true;
      await work;
      remote.close();
      await start();
      repeated += await ledger.repeat(remote);
      expect(ledger.unanswered.filter((one) => one.key !== null)).toEqual([]);
    }
    // Some kills must hit requests in progress.
    expect(repeated).toBeGreaterThan(rounds);
    expect(ledger.sent.length).toBeGreaterThan(rounds * 10);
    for (const { answer, kind, path } of ledger.sent) {
      if (answer) expect([kind, path, answer.status, answer.message]).toEqual([kind, path, 200, 'ok']);
    }

    const records = await everyPage<LogEntry>(ledger, remote, '/scores');
    const live = new Map(records.map((record) => [record.id, record]));
    const times = new Map<string, number>();
    for (const { description } of records) times.set(description, (times.get(description) ?? 0) + 1);
    const revoked = new Set(ledger.sent.flatMap((one) => (one.revokes === null ? [] : [one.revokes])));
    for (const one of ledger.sent) {
      if (one.kind === 'revoke') {
        if (one.answer) expect([one.path, live.has(one.revokes as number)]).toEqual([one.path, false]);
      } else if (one.kind !== 'student') {
        const found = one.creates.map((name) => times.get(name) ?? 0);
        if (one.answer) {
          const { details } = one.answer.data as { details: { logId: number }[] };
          // An acknowledged record exists unless a request to revoke it was sent.
          for (const [i, { logId }] of details.entries()) {
            if (revoked.has(logId)) expect(found[i]).toBeLessThanOrEqual(1);
            else expect([found[i], live.get(logId)?.description]).toEqual([1, one.creates[i]]);
          }
        } else {
          expect([[0], [1]]).toContainEqual([...new Set(found)]);
        }
      }
    }

    const students = await everyPage<{
      id: number;
      username: string;
      totalScore: number;
      scoreCount: number;
    }>(ledger, remote, '/students');
    const byName = new Map(students.map((student) => [student.username, student]));
    for (const one of ledger.sent) {
      if (one.kind !== 'student' || !one.answer) continue;
      expect(byName.get(one.creates[0] as string)?.id).toBe((one.answer.data as { id: number }).id);
    }
    for (const { id, totalScore, scoreCount } of students) {
      const own = records.filter((record) => record.userId === id);
      const sum = own.reduce((total, record) => total + record.scoreChange, 0);
      expect([id, totalScore, scoreCount]).toEqual([id, sum, own.length]);
    }
    remote.close();
    expect(await server.stop()).toEqual({ code: 0, signal: null });

    const proof = run(settings, 'verify');
    expect(await proof.ended).toEqual({ code: 0, signal: null });
    expect(proof.stdout).toMatch(
      new RegExp(
        `^${students.length} students and ${records.length} live records: all totals follow from the ledger$`,
        'm',
      ),
    );
  }, 600_000);
});
