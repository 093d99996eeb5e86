import { execFileSync, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError, errorText } from './embedded-postgres-error.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { identify, isAlive } from './process-identity.ts';
import { type LaunchPlan, serverEnvironment } from './run-program.ts';
import { logEnd, withLogDescriptor } from './server-log.ts';
import type { WantedServer } from './wanted-server.ts';

/** The main process of a PostgreSQL server. It never keeps this program alive. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves with a description of how it ended. */
  readonly ended: Promise<string>;
  isRunning(): boolean;
  signal(name: 'SIGINT' | 'SIGQUIT'): void;
}

const watchIntervalMs = 250;
const pollIntervalMs = 10;
const fastShutdownMs = 20_000;
const immediateShutdownMs = 15_000;

/**
 * Starts a server as a child with its output going to the log.
 *
 * The child leads a session of its own: a Ctrl-C in the terminal reaches this program only, which then
 * stops the server in order, and a server whose parent is killed lives on to be taken over.
 *
 * @throws EmbeddedPostgresError when the program cannot be executed.
 */
export async function spawnServer(plan: LaunchPlan, logFile: string, pgCtl: string): Promise<ServerProcess> {
  const child = withLogDescriptor(logFile, (log) =>
    spawn(plan.program, [...plan.args], {
      ...plan.identity,
      cwd: '/',
      env: serverEnvironment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log],
    }),
  );
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

/**
 * Stands for a server that is already running and is not our child, so that its end has to be watched for.
 *
 * @param cluster its cluster: before a signal is sent, the process is checked to be that cluster's server
 * still, and not a newcomer with the same id.
 */
export function attachServer(pid: number, cluster: string, pgCtl: string): ServerProcess {
  const isRunning = () => isAlive(pid);
  const ended = new Promise<string>((resolve) => {
    const watch = setInterval(() => {
      if (isRunning()) return;
      clearInterval(watch);
      resolve('its process is gone');
    }, watchIntervalMs).unref();
  });
  const isOurs = () => ['postmaster', 'unknown'].includes(identify(pid, cluster));
  return { pid, ended, isRunning, signal: (name) => isOurs() && sendSignal(pgCtl, pid, name) };
}

/**
 * Where the wait for a server led to: it accepts connections, its process is gone, it is shutting down,
 * nothing has happened for too long, or the wait was given up.
 */
type Readiness = 'ready' | 'ended' | 'stopping' | 'stuck' | 'given up';

/**
 * How long a server may stay silent. Recovery after a crash can take long, and breaking it off would only
 * make it start over; it reports its progress in the log every ten seconds.
 */
const patienceMs = 60_000;

/**
 * Waits until a server accepts connections.
 *
 * The server's own status file is watched rather than connections tried: it is cheaper, it leaves no
 * refusals in the log, and it cannot be answered by a different server.
 */
export async function waitUntilReady(
  server: ServerProcess,
  { cluster, logFile, stop }: Pick<WantedServer, 'cluster' | 'logFile' | 'stop'>,
): Promise<Readiness> {
  let lastSign = '';
  let deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if (!server.isRunning()) return 'ended';
    if (stop.aborted) return 'given up';
    const file = await readPostmasterFile(cluster);
    const status = typeof file === 'object' && file.pid === server.pid ? file.status : undefined;
    if (status === 'ready' || status === 'standby') return 'ready';
    if (status === 'stopping') return 'stopping';
    const sign = `${status} ${await logEnd(logFile)}`;
    if (sign !== lastSign) deadline = performance.now() + patienceMs;
    lastSign = sign;
    await sleep(pollIntervalMs);
  }
  return 'stuck';
}

/**
 * Stops a server: a fast shutdown first (open transactions are rolled back, everything is written), and
 * when that takes too long an immediate one, which leaves the rest to recovery at the next start.
 * Resolves when the process is gone; resolves at once when it already is.
 *
 * @throws EmbeddedPostgresError when the server outlives even that.
 */
export async function stopServer(server: ServerProcess): Promise<void> {
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

/** Windows has no signals; PostgreSQL's own tool delivers them there by other means. */
function sendSignal(pgCtl: string, pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    if (process.platform !== 'win32') process.kill(pid, name);
    else execFileSync(pgCtl, ['kill', name.slice(3), String(pid)], { windowsHide: true });
  } catch {
    // It ended in this very moment; whoever sent the signal waits for that anyway.
  }
}
