import { type Monotonic, systemMonotonic } from '../clock.ts';
import { untilAborted } from '../until-aborted.ts';

/** Work was abandoned because the process stops. */
export class StopAsked extends Error {}

/** npm and service managers repeat a signal that the terminal has already sent. */
const repeatedAfterMs = 1_000;
const parentWatchMs = 1_000;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ignores write errors of a closed terminal, which would end the process. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** `npm start`, `npx`, or the launcher when it cannot replace its own process. */
const isStartedByAnother = (env: NodeJS.ProcessEnv) =>
  env.npm_package_name === 'classledger' ||
  env.npm_lifecycle_event === 'npx' ||
  env.CLASSLEDGER_LAUNCHED !== undefined;

/**
 * Stops the process on request (docs/contract.md, Stopping). The first SIGTERM, SIGINT or SIGHUP asks for an orderly
 * stop. The next one, at least a second later, cuts it short. Neither kills the process, so it can still stop the
 * embedded database.
 */
export class StopRequest {
  readonly #monotonic: Monotonic;
  readonly #asked = new AbortController();
  readonly #cut = new AbortController();
  #askedAt = 0;
  #reason = '';
  #patienceMs = 20_000;
  #patience: NodeJS.Timeout | undefined;
  #parentWatch: NodeJS.Timeout | undefined;

  readonly asked = this.#asked.signal;
  /** Aborts when an orderly stop takes too long, or when a stop is requested again. */
  readonly cut = this.#cut.signal;

  constructor(monotonic: Monotonic) {
    this.#monotonic = monotonic;
  }

  /** Listens to signals, and stops when the npm or launcher that started this process ends. */
  static ofProcess(): StopRequest {
    const request = new StopRequest(systemMonotonic);
    for (const signal of signals) process.on(signal, () => request.ask(signal));
    // SIGUSR2 replaces workers. Without a handler, it would kill the process and orphan the database.
    process.on('SIGUSR2', () => {});
    outliveTerminal();
    if (isStartedByAnother(process.env)) request.#watchParent();
    return request;
  }

  /** Ignores signals, which a terminal sends to all processes: the parent tells workers to stop. */
  static ofWorker(): StopRequest {
    for (const signal of [...signals, 'SIGUSR2'] as const) process.on(signal, () => {});
    outliveTerminal();
    return new StopRequest(systemMonotonic);
  }

  get reason(): string {
    return this.#reason;
  }

  /** Sets the time limit of an orderly stop, counted from the request. */
  allow(patienceMs: number): void {
    this.#patienceMs = patienceMs;
  }

  /** Requests a stop, or cuts it short on a repetition. @param reason shown to the operator */
  ask(reason: string): void {
    if (!this.asked.aborted) {
      this.#askedAt = this.#monotonic();
      this.#reason = reason;
      this.#patience = setTimeout(() => this.cutNow(), this.#patienceMs);
      this.#asked.abort(new StopAsked(`Stopped before the end of its work: ${reason}`));
    } else if (this.#monotonic() - this.#askedAt >= repeatedAfterMs) {
      this.cutNow();
    }
  }

  cutNow(): void {
    this.#cut.abort(this.asked.reason);
  }

  /** Waits for work until a stop is requested. The work itself goes on. @throws StopAsked */
  before<T>(work: Promise<T>): Promise<T> {
    return untilAborted(this.asked, work);
  }

  end(): void {
    clearTimeout(this.#patience);
    clearInterval(this.#parentWatch);
  }

  /** Stops when the parent ends: a killed npm passes no signal on, and this process would keep the database. */
  #watchParent(): void {
    const parent = process.ppid;
    this.#parentWatch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(this.#parentWatch);
      this.ask('what had started it is gone');
    }, parentWatchMs).unref();
  }
}
