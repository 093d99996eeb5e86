import cluster from 'node:cluster';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { WorkerFailedError } from './worker-process.ts';
import { WorkerSupervisor } from './worker-supervisor.ts';

/** A worker that only reports to its parent, after `SLOW_MS` milliseconds, or fails with `FAILS`. */
const program = `
  process.on('message', ({ kind }) => {
    if (kind === 'serve' && process.env.FAILS) process.exit(1);
    const serving = { kind: 'serving', address: String(process.pid), firstPassword: null };
    if (kind === 'serve') setTimeout(() => process.send(serving), Number(process.env.SLOW_MS ?? 0));
    if (kind === 'retire' || kind === 'stop') process.exit();
  });
  process.on('disconnect', () => process.exit());
`;
const folder = await mkdtemp(join(tmpdir(), 'classledger-supervisor-'));
const file = join(folder, 'worker.js');
await writeFile(file, program);
cluster.setupPrimary({ exec: file, args: [], execArgv: [] });
afterAll(() => rm(folder, { recursive: true }));

function newSupervisor(count: number): WorkerSupervisor {
  const stop = { requested: new AbortController(), cut: new AbortController() };
  const supervisor = new WorkerSupervisor({
    count,
    log: { info: () => {}, error: () => {} },
    stop: { requested: stop.requested.signal, cut: stop.cut.signal },
    stopMs: 1_000,
  });
  onTestFinished(async () => {
    stop.requested.abort();
    await supervisor.end(false);
  });
  return supervisor;
}

const pids = () =>
  Object.values(cluster.workers ?? {})
    .filter((each) => each?.isConnected())
    .map((each) => each?.process.pid as number);

const areTwoWithout = (pid: number) =>
  eventually('there are two again', () => pids().length === 2 && !pids().includes(pid));

it('a worker whose process cannot start fails with WorkerFailedError', async () => {
  const { execPath } = process;
  process.execPath = join(folder, 'gone');
  const supervisor = newSupervisor(2);
  const started = supervisor.startFirst();
  process.execPath = execPath;
  await expect(started).rejects.toThrow(WorkerFailedError);
  await expect(started).rejects.toThrow('ENOENT');
  await supervisor.end(false);
});

it('a worker that dies while the others start is replaced', async () => {
  const supervisor = newSupervisor(2);
  const first = Number((await supervisor.startFirst()).address);
  process.kill(first, 'SIGKILL');
  await supervisor.startOthers();
  await areTwoWithout(first);
});

it('a worker that dies during the exchange of another is replaced', async () => {
  const supervisor = newSupervisor(2);
  await supervisor.startFirst();
  await supervisor.startOthers();
  const [, other] = pids() as [number, number];
  // The supervisor then ends its wait to replace the dead worker while the exchange is still active.
  process.env.SLOW_MS = '1500';
  onTestFinished(() => {
    delete process.env.SLOW_MS;
  });
  const exchanged = supervisor.exchange();
  process.kill(other, 'SIGKILL');
  await exchanged;
  delete process.env.SLOW_MS;
  await areTwoWithout(other);
});

it('new workers are started with longer and longer waits, and five failures in a row are reported', async () => {
  const supervisor = newSupervisor(1);
  const { address } = await supervisor.startFirst();
  process.env.FAILS = 'yes';
  onTestFinished(() => {
    delete process.env.FAILS;
  });
  const times = [performance.now()];
  const noteStart = () => times.push(performance.now());
  cluster.on('fork', noteStart);
  onTestFinished(() => void cluster.off('fork', noteStart));
  process.kill(Number(address), 'SIGKILL');
  expect(await supervisor.lost).toBe('No worker can be started');
  // The death of the first worker counts as a failure.
  expect(times).toHaveLength(5);
  const toleranceMs = 5;
  for (const [n, waitMs] of [1_000, 2_000, 4_000, 8_000].entries())
    expect(times[n + 1]).toBeGreaterThan((times[n] as number) + waitMs - toleranceMs);
});
