import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { type CutMoment, DatabaseProxy } from './database-proxy.ts';
import { eventually } from './eventually.ts';
import { createDatabase, databaseUrl } from './own-database.ts';
import { processes } from './processes.ts';
import { randomFrom, testSeed } from './random.ts';
import { openRemoteSchool, Remote, type RemoteAnswer } from './remote.ts';
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

interface SentRequest {
  readonly kind: 'single' | 'batch' | 'student' | 'revoke';
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly key: string | null;
  /** Descriptions of the created records, or the created username. */
  readonly creates: readonly string[];
  readonly revokes: number | null;
  answer: RemoteAnswer | null;
}

/** A server under load that keeps all requests it was sent. */
class LoadedServer {
  readonly #settings: Record<string, string>;
  readonly #keyShare: number;
  readonly #revocable: number[] = [];
  #school: Awaited<ReturnType<typeof openRemoteSchool>> | undefined;
  #remote = new Remote('');
  server: ServerProcess | undefined;
  readonly sent: SentRequest[] = [];

  /** @param keyShare share of the requests that have an idempotency key */
  constructor(settings: Record<string, string>, keyShare = 0.7) {
    this.#settings = settings;
    this.#keyShare = keyShare;
  }

  async start(): Promise<void> {
    this.#remote.close();
    this.server = await startServing(this.#settings);
    this.#remote = new Remote(this.server.address as string);
    this.#school ??= await openRemoteSchool(this.#remote, admin, 12);
  }

  /** Sends requests over several connections, each until a request fails or `until` returns true. */
  work(until: () => boolean): Promise<unknown> {
    const sendInTurn = async () => {
      while (!until()) {
        const one = this.#next();
        this.sent.push(one);
        if (!(await this.#send(one))) return;
      }
    };
    return Promise.all(Array.from({ length: workers }, sendInTurn));
  }

  /** Repeats requests with a key and no answer until each has an answer, and returns them. */
  async repeat(): Promise<SentRequest[]> {
    const open = this.sent.filter((one) => one.key !== null && one.answer === null);
    for (const one of open) await eventually('the key is free', () => this.#send(one));
    return open;
  }

  read<T>(path: string): Promise<T> {
    return this.#remote.data<T>('GET', `/api/v1${path}`, { headers: this.#opened.headers });
  }

  get #opened() {
    if (!this.#school) throw new Error('Start the server first');
    return this.#school;
  }

  async #send(one: SentRequest): Promise<boolean> {
    const key: Record<string, string> = one.key === null ? {} : { 'idempotency-key': one.key };
    const options = { headers: { ...this.#opened.headers, ...key }, body: one.body };
    const answer = await this.#remote.call(one.method, `/api/v1${one.path}`, options).catch(() => null);
    // The first attempt may still hold the key (409).
    if (answer === null || answer.status >= 500 || answer.status === 409) return false;
    one.answer = answer;
    if (answer.status === 200 && (one.kind === 'single' || one.kind === 'batch')) {
      const { details } = answer.data as { details: { logId: number }[] };
      this.#revocable.push(...details.map((detail) => detail.logId));
    }
    return true;
  }

  #next(): SentRequest {
    const { studentIds, classId } = this.#opened;
    const name = `n${this.sent.length}`;
    const key = random() < this.#keyShare ? `key-${name}` : null;
    const choice = random();
    const score = (description: string) => ({
      userId: studentIds[Math.floor(random() * studentIds.length)],
      scoreChange: Math.floor(random() * 41) - 20,
      description,
    });
    const common = { method: 'POST', path: '/scores', key, revokes: null, answer: null } as const;
    if (choice < 0.04) {
      const body = { username: name, classId, password: 'secret-password' };
      return { ...common, kind: 'student', path: '/students', body, creates: [name] };
    }
    const record = choice < 0.2 ? this.#revocable.shift() : undefined;
    if (record !== undefined) {
      const path = `/scores/${record}`;
      return { ...common, kind: 'revoke', method: 'DELETE', path, creates: [], revokes: record };
    }
    if (choice < 0.5) return { ...common, kind: 'single', body: score(name), creates: [name] };
    const count = 2 + Math.floor(random() * 8);
    const creates = Array.from({ length: count }, (_, i) => `${name}.${i}`);
    return { ...common, kind: 'batch', body: { items: creates.map(score) }, creates };
  }

  async #everyPage<T>(path: string): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; ; page++) {
      const query = `${path}?sortBy=id&order=asc&limit=100&page=${page}`;
      const { list } = await this.read<{ list: T[] }>(query);
      all.push(...list);
      if (list.length < 100) return all;
    }
  }

  /**
   * Expects each acknowledged write once, and other writes at most once. Stops the server, and proves that the totals
   * follow from the records.
   */
  async expectNothingLostOrDoubled(): Promise<void> {
    const { sent } = this;
    for (const { answer, kind, path } of sent) {
      if (answer) expect([kind, path, answer.status, answer.message]).toEqual([kind, path, 200, 'ok']);
    }
    type Entry = { id: number; userId: number; scoreChange: number; description: string };
    const records = await this.#everyPage<Entry>('/scores');
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
    const students = await this.#everyPage<Student>('/students');
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
    this.#remote.close();
    expect(await this.server?.stop()).toEqual({ code: 0, signal: null });
    const proof = run(this.#settings, 'verify');
    expect(await proof.ended).toEqual({ code: 0, signal: null });
    const proven = `^${students.length} students and ${records.length} live records: all totals follow from the ledger$`;
    expect(proof.stdout).toMatch(new RegExp(proven, 'm'));
  }
}

it(`a server that is killed under load (TEST_SEED=${testSeed}) loses nothing acknowledged, does nothing twice and leaves no idempotency key stuck in ${rounds} kills`, async () => {
  const settings = { DATA_DIR: join(folder, 'data') };
  const postmaster = () =>
    Number.parseInt(readFileSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const loaded = new LoadedServer(settings);
  await loaded.start();
  let repeated = 0;
  for (let round = 0; round < rounds; round++) {
    let over = false;
    const work = loaded.work(() => over);
    const enough = loaded.sent.length + Math.ceil(random() * 200);
    await eventually('requests are under way', () => loaded.sent.length >= enough);
    const signal = databaseSignals[round % databaseSignals.length];
    if (signal) process.kill(postmaster(), signal);
    await loaded.server?.kill();
    over = true;
    await work;
    await loaded.start();
    repeated += (await loaded.repeat()).length;
  }
  // Some kills must hit requests in progress.
  expect(repeated).toBeGreaterThan(rounds);
  expect(loaded.sent.length).toBeGreaterThan(rounds * 10);
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
  await loaded.start();
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
    await loaded.read('/ping');
    await (end === 'the server is killed' ? loaded.server?.kill() : endSessions());
    await work;
    if (loaded.server?.hasEnded) await loaded.start();
    const repeated = await loaded.repeat();
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
