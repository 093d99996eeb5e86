import { untilAborted } from '../concurrency/until-aborted.ts';
import { type MonotonicClock, systemMonotonicClock } from '../time/clock.ts';

/** Work was abandoned because the process stops. */
export class StopRequestedError extends Error {}

/** A signal within this time repeats the first one, because npm and service managers send it too. */
const repeatedAfterMs = 1_000;
const parentWatchMs = 1_000;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ignores write errors of a closed terminal, which would end the process. */
function ignoreClosedTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** Returns true for `npm start`, `npx`, or the launcher when it cannot replace its own process. */
const isStartedByLauncher = (env: NodeJS.ProcessEnv) =>
  env.npm_package_name === 'classledger' ||
  env.npm_lifecycle_event === 'npx' ||
  env.CLASSLEDGER_LAUNCHED !== undefined;

/** Starts an orderly stop at the first signal, and cuts it short at the next one (docs/contract.md, Stopping). */
export class StopRequest {
  readonly #monotonic: MonotonicClock;
  readonly #requested = new AbortController();
  readonly #cut = new AbortController();
  #requestedAt = 0;
  #reason = '';
  #limitMs = 20_000;
  #limitTimer: NodeJS.Timeout | undefined;
  #parentWatch: NodeJS.Timeout | undefined;

  readonly requested = this.#requested.signal;
  /** Aborts when an orderly stop takes too long, or when a stop is requested again. */
  readonly cut = this.#cut.signal;

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Listens to signals, and stops when the npm or launcher that started this process ends. */
  static ofProcess(): StopRequest {
    const request = new StopRequest(systemMonotonicClock);
    for (const signal of signals) process.on(signal, () => request.request(signal));
    // Without a handler, SIGUSR2 would kill the process and orphan the database.
    // `serveWithWorkers` adds the handler that replaces workers.
    process.on('SIGUSR2', () => {});
    ignoreClosedTerminal();
    if (isStartedByLauncher(process.env)) request.#watchParent();
    return request;
  }

  /** Ignores signals, because a terminal sends them to all processes; the parent tells workers to stop. */
  static ofWorker(): StopRequest {
    for (const signal of [...signals, 'SIGUSR2'] as const) process.on(signal, () => {});
    ignoreClosedTerminal();
    return new StopRequest(systemMonotonicClock);
  }

  get reason(): string {
    return this.#reason;
  }

  setTimeLimit(limitMs: number): void {
    this.#limitMs = limitMs;
  }

  /** Requests a stop, or cuts it short on a repetition. @param reason shown to the operator */
  request(reason: string): void {
    if (!this.requested.aborted) {
      this.#requestedAt = this.#monotonic();
      this.#reason = reason;
      this.#limitTimer = setTimeout(() => this.cutNow(), this.#limitMs);
      this.#requested.abort(new StopRequestedError(`Stopped before it had finished: ${reason}`));
    } else if (this.#monotonic() - this.#requestedAt >= repeatedAfterMs) {
      this.cutNow();
    }
  }

  cutNow(): void {
    this.#cut.abort(this.requested.reason);
  }

  /** Waits for work until a stop is requested. The work itself goes on. @throws StopRequestedError */
  waitFor<T>(work: Promise<T>): Promise<T> {
    return untilAborted(this.requested, work);
  }

  end(): void {
    clearTimeout(this.#limitTimer);
    clearInterval(this.#parentWatch);
  }

  /** Stops when the parent ends, because a killed npm passes on no signal and this process would keep the database. */
  #watchParent(): void {
    const parent = process.ppid;
    this.#parentWatch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(this.#parentWatch);
      this.request('the program that started it has ended');
    }, parentWatchMs).unref();
  }
}
