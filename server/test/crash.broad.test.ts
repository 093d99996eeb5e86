import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { CrashLedger, type SentRequest } from './crash-ledger.ts';
import { type CutMoment, DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { randomFrom, testSeed } from './random.ts';
import { openRemoteSchool, Remote } from './remote.ts';
import type { ServerProcess } from './server-process.ts';
import { withClient } from './with-client.ts';

/** One kill leaves the database running, and one takes it along; `CRASH_ROUNDS=100 npm run test:broad crash` tries more. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2);
/** What happens to the database before the server of a round is killed. */
const databaseSignals = [null, 'SIGKILL', 'SIGQUIT'] as const;
const workers = 8;
const admin = { username: 'admin', password: 'correct horse battery' };
const random = randomFrom(testSeed);

const { folder, run, startServing } = processes({
  ADMIN_PASSWORD: admin.password,
  LOG_LEVEL: 'fatal',
  RATE_LIMIT_TOTAL_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITE_PER_MINUTE: '1000000',
});

/** A server under load, of which every request is known. */
class LoadedServer {
  readonly #settings: Record<string, string>;
  readonly #keyShare: number;
  server: ServerProcess | undefined;
  remote = new Remote('');
  ledger: CrashLedger | undefined;

  /** @param keyShare share of the requests that have an idempotency key */
  constructor(settings: Record<string, string>, keyShare = 0.7) {
    this.#settings = settings;
    this.#keyShare = keyShare;
  }

  async start(): Promise<CrashLedger> {
    this.remote.close();
    this.server = await startServing(this.#settings);
    this.remote = new Remote(this.server.address as string);
    this.ledger ??= await this.#openLedger();
    return this.ledger;
  }

  async #openLedger(): Promise<CrashLedger> {
    const { classId, token, studentIds } = await openRemoteSchool(this.remote, admin, 12);
    return new CrashLedger({ students: studentIds, classId, token, random, keyShare: this.#keyShare });
  }

  work(until: () => boolean): Promise<unknown> {
    const { ledger, remote } = this;
    return Promise.all(Array.from({ length: workers }, () => ledger?.sendUntil(remote, until)));
  }

  /** Stops the server, and proves that the totals follow from the records. */
  async expectVerified(students: number, records: number): Promise<void> {
    this.remote.close();
    expect(await this.server?.stop()).toEqual({ code: 0, signal: null });
    const proof = run(this.#settings, 'verify');
    expect(await proof.ended).toEqual({ code: 0, signal: null });
    const proven = `^${students} students and ${records} live records: all totals follow from the ledger$`;
    expect(proof.stdout).toMatch(new RegExp(proven, 'm'));
  }

  async everyPage<T>(path: string): Promise<T[]> {
    const ledger = this.ledger as CrashLedger;
    const all: T[] = [];
    for (let page = 1; ; page++) {
      const query = `${path}?sortBy=id&order=asc&limit=100&page=${page}`;
      const { list } = (await ledger.read(this.remote, query)).data as { list: T[] };
      all.push(...list);
      if (list.length < 100) return all;
    }
  }

  /** Acknowledged writes must exist once, other writes at most once. */
  async expectNothingLostOrDoubled(): Promise<void> {
    const { sent } = this.ledger as CrashLedger;
    for (const { answer, kind, path } of sent) {
      if (answer) expect([kind, path, answer.status, answer.message]).toEqual([kind, path, 200, 'ok']);
    }
    type Entry = { id: number; userId: number; scoreChange: number; description: string };
    const records = await this.everyPage<Entry>('/scores');
    const live = new Map(records.map((record) => [record.id, record]));
    const named = Map.groupBy(records, ({ description }) => description);
    const revoked = new Set(sent.flatMap(({ revokes }) => revokes ?? []));
    const expectScores = ({ answer, creates }: SentRequest) => {
      const found = creates.map((name) => named.get(name)?.length ?? 0);
      if (!answer) return expect([[0], [1]]).toContainEqual([...new Set(found)]);
      const { details } = answer.data as { details: { logId: number }[] };
      // An acknowledged record exists unless a request to revoke it was sent.
      for (const [i, { logId }] of details.entries()) {
        if (revoked.has(logId)) expect(found[i]).toBeLessThanOrEqual(1);
        else expect([found[i], live.get(logId)?.description]).toEqual([1, creates[i]]);
      }
    };
    type Student = { id: number; username: string; totalScore: number; scoreCount: number };
    const students = await this.everyPage<Student>('/students');
    const byName = new Map(students.map((student) => [student.username, student]));
    for (const one of sent) {
      if (one.kind === 'single' || one.kind === 'batch') expectScores(one);
      else if (one.answer && one.kind === 'revoke') expect(live.has(one.revokes as number)).toBe(false);
      else if (one.answer) {
        expect(byName.get(one.creates[0] as string)?.id).toBe((one.answer.data as { id: number }).id);
      }
    }
    for (const { id, totalScore, scoreCount } of students) {
      const own = records.filter((record) => record.userId === id);
      const sum = own.reduce((total, record) => total + record.scoreChange, 0);
      expect([id, totalScore, scoreCount]).toEqual([id, sum, own.length]);
    }
    await this.expectVerified(students.length, records.length);
  }
}

it(`a server that is killed under load (TEST_SEED=${testSeed}) loses nothing acknowledged, does nothing twice and leaves no idempotency key stuck in ${rounds} kills`, async () => {
  const settings = { DATA_DIR: join(folder, 'data') };
  const postmaster = () =>
    Number.parseInt(readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const loaded = new LoadedServer(settings);
  const ledger = await loaded.start();
  let repeated = 0;
  for (let round = 0; round < rounds; round++) {
    let over = false;
    const work = loaded.work(() => over);
    const enough = ledger.sent.length + Math.ceil(random() * 200);
    await eventually('requests are under way', () => ledger.sent.length >= enough);
    const signal = databaseSignals[round % databaseSignals.length];
    if (signal) process.kill(postmaster(), signal);
    await loaded.server?.kill();
    over = true;
    await work;
    await loaded.start();
    repeated += (await ledger.repeat(loaded.remote)).length;
  }
  // Some kills must hit requests in progress.
  expect(repeated).toBeGreaterThan(rounds);
  expect(ledger.sent.length).toBeGreaterThan(rounds * 10);
  await loaded.expectNothingLostOrDoubled();
}, 600_000);

it('a batch that was sent while the previous COMMIT had no answer is repeated, or replayed if it was committed, and neither lost nor done twice', async () => {
  const target = { ...inject('postgres'), database: await createDatabase('migrated') };
  const proxy = await DatabaseProxy.start(target);
  onTestFinished(() => proxy.close());
  const settings = {
    DATA_DIR: join(folder, 'proxied'),
    DATABASE_URL: databaseUrl(target.database, proxy.address),
  };
  // Only requests with a key can be repeated, and the two batches may hold as few as two requests.
  const loaded = new LoadedServer(settings, 1);
  const ledger = await loaded.start();
  const endSessions = () =>
    withClient(target, (client) =>
      client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'classledger' AND pid <> pg_backend_pid()`),
    );
  const cuts: [string, CutMoment][] = [
    ['the sessions of the database are ended', 'before the commit'],
    ['the sessions of the database are ended', 'after the commit'],
    ['the server is killed', 'before the commit'],
    ['the server is killed', 'after the commit'],
  ];
  for (const [end, at] of cuts) {
    let over = false;
    const silenced = proxy.silenceOverlap(at);
    const work = loaded.work(() => over);
    await silenced;
    over = true;
    // By then, the server has also sent the answers of the batch before.
    await ledger.read(loaded.remote, '/ping');
    await (end === 'the server is killed' ? loaded.server?.kill() : endSessions());
    await work;
    if (loaded.server?.hasEnded) await loaded.start();
    const repeated = await ledger.repeat(loaded.remote);
    expect(repeated.length, `${end} ${at}`).toBeGreaterThan(0);
    // New students and revocations have transactions of their own, which may have been committed.
    const replays = repeated.filter(
      ({ kind, answer }) =>
        (kind === 'single' || kind === 'batch') && answer?.headers['idempotency-replayed'] === 'true',
    );
    expect(replays.length > 0, `${end} ${at}`).toBe(at === 'after the commit');
  }
  await loaded.expectNothingLostOrDoubled();
});
