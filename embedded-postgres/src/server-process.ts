import { execFileSync, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorText } from './embedded-postgres-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { identifyProcess, isAlive } from './process-identity.ts';
import { type LaunchPlan, serverEnvironment } from './run-program.ts';
import { logEnd } from './server-log.ts';
import type { ServerSpec } from './server-spec.ts';

/** The main process of a PostgreSQL server. It does not keep this process alive. */
export interface ServerProcess extends RunningProcess {
  readonly ended: Promise<string>;
}

interface RunningProcess {
  readonly pid: number;
  isRunning(): boolean;
  signal(name: 'SIGINT' | 'SIGQUIT'): void;
}

const pollIntervalMs = 10;
const fastShutdownMs = 20_000;
const immediateShutdownMs = 15_000;

/** Starts a server in its own session, so that it survives Ctrl-C and a killed parent. @throws EmbeddedPostgresError */
export async function spawnServer(plan: LaunchPlan, logFile: string, pgCtl: string): Promise<ServerProcess> {
  // The server keeps its own copy of the descriptor.
  await using log = await open(logFile, 'a', 0o600);
  const child = spawn(plan.program, [...plan.args], {
    ...plan.identity,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(
        new EmbeddedPostgresError(`PostgreSQL cannot be started: ${errorText(error)}`, { cause: error }),
      );
    });
  });
  child.unref();
  const pid = child.pid ?? 0;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return { pid, ended, isRunning, signal: (name) => isRunning() && sendSignal(pgCtl, pid, name) };
}

/** Attaches to a server that is not our child. Identifies it before each signal, because process ids are reused. */
export function attachServer(pid: number, cluster: string, pgCtl: string): RunningProcess {
  const isOurServer = () => ['postmaster', 'unknown'].includes(identifyProcess(pid, cluster));
  return {
    pid,
    isRunning: () => isAlive(pid),
    signal: (name) => isOurServer() && sendSignal(pgCtl, pid, name),
  };
}

type Readiness = 'ready' | 'ended' | 'stuck' | 'given up';

/** Time without progress. Recovery after a crash may take long, and logs its progress every ten seconds. */
const noProgressMs = 60_000;

/** Watches the status file, which is cheaper than connecting and cannot belong to another server. */
export async function waitUntilReady(
  server: ServerProcess,
  { cluster, logFile, stop }: Pick<ServerSpec, 'cluster' | 'logFile' | 'stop'>,
): Promise<Readiness> {
  let lastProgress = '';
  let deadline = performance.now() + noProgressMs;
  while (performance.now() < deadline) {
    if (!server.isRunning()) return 'ended';
    if (stop.aborted) return 'given up';
    const file = await readPostmasterFile(cluster);
    const status = typeof file === 'object' && file.pid === server.pid ? file.status : undefined;
    if (status === 'ready') return 'ready';
    const progress = `${status} ${await logEnd(logFile)}`;
    if (progress !== lastProgress) deadline = performance.now() + noProgressMs;
    lastProgress = progress;
    await sleep(pollIntervalMs);
  }
  return 'stuck';
}

/** Stops a server, at once if the fast shutdown takes too long. @throws EmbeddedPostgresError */
export async function stopServer(server: RunningProcess): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    server.signal(signal);
    const deadline = performance.now() + patience;
    while (server.isRunning() && performance.now() < deadline) await sleep(pollIntervalMs);
    if (!server.isRunning()) return;
  }
  throw new EmbeddedPostgresError(`The PostgreSQL server (process ${server.pid}) does not stop.`);
}

/** Windows has no signals; there, pg_ctl sends them. */
function sendSignal(pgCtl: string, pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    if (process.platform !== 'win32') process.kill(pid, name);
    else execFileSync(pgCtl, ['kill', name.slice(3), String(pid)], { windowsHide: true });
  } catch {
    // Ignored, because the process has already ended, as the caller wants.
  }
}
