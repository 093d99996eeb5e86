import { type Monotonic, systemMonotonic } from '../clock.ts';
import { untilAborted } from '../until-aborted.ts';

/** The work was given up because the process is to stop. */
export class StopAsked extends Error {}

/** A signal comes twice at once where npm or a service manager passes on what the terminal has sent already. */
const repeatedAfterMs = 1_000;
const parentWatchMs = 1_000;

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A terminal that is gone takes no more lines; that must not end the process before its time. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** `npm start`, `npx`, or the launcher where it cannot put this process in its own place. */
const isStartedByAnother = (env: NodeJS.ProcessEnv) =>
  env.npm_package_name === 'classledger' ||
  env.npm_lifecycle_event === 'npx' ||
  env.CLASSLEDGER_LAUNCHED !== undefined;

/**
 * Whether and how the process is to stop (docs/contract.md, Stopping): SIGTERM, SIGINT and SIGHUP ask for an orderly end;
 * the same once more, at least a second later, cuts it short. Neither ends the process by itself, so the embedded
 * database can always be stopped.
 */
export class StopRequest {
  readonly #monotonic: Monotonic;
  readonly #asked = new AbortController();
  readonly #cut = new AbortController();
  #askedAt = 0;
  #reason = '';
  /** How long an orderly end may take. */
  #patienceMs = 20_000;
  #patience: NodeJS.Timeout | undefined;
  #parentWatch: NodeJS.Timeout | undefined;

  /** Aborts as soon as a stop is asked for. */
  readonly asked = this.#asked.signal;
  /** Aborts when the time for an orderly end is over. */
  readonly cut = this.#cut.signal;

  constructor(monotonic: Monotonic) {
    this.#monotonic = monotonic;
  }

  /** A request that the process's signals make, and the end of the npm or launcher that has started it. */
  static ofProcess(): StopRequest {
    const request = new StopRequest(systemMonotonic);
    for (const signal of signals) process.on(signal, () => request.ask(signal));
    // Asks for workers to be exchanged. Where there is none yet it must not end the process: the database would be left.
    process.on('SIGUSR2', () => {});
    outliveTerminal();
    if (isStartedByAnother(process.env)) request.#watchParent();
    return request;
  }

  /** One that the parent of a worker makes: it has the signals, too, where all processes get them. */
  static ofWorker(): StopRequest {
    for (const signal of [...signals, 'SIGUSR2'] as const) process.on(signal, () => {});
    outliveTerminal();
    return new StopRequest(systemMonotonic);
  }

  /** What has asked for the stop; empty before. */
  get reason(): string {
    return this.#reason;
  }

  /** How long an orderly end may take, from the moment when it is asked for. */
  allow(patienceMs: number): void {
    this.#patienceMs = patienceMs;
  }

  /** @param reason what asks, for the operator */
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

  /** What has not ended is cut off. */
  cutNow(): void {
    this.#cut.abort(this.asked.reason);
  }

  /**
   * Waits for work, but not longer than until a stop is asked for: the work is then left to itself.
   *
   * @throws StopAsked
   */
  before<T>(work: Promise<T>): Promise<T> {
    return untilAborted(this.asked, work);
  }

  /** The process has nothing more to do that could be stopped. */
  end(): void {
    clearTimeout(this.#patience);
    clearInterval(this.#parentWatch);
  }

  /**
   * Who is killed passes nothing on, and npm takes the shell between with it. What it had started would live on,
   * unseen, with its port and its database.
   */
  #watchParent(): void {
    const parent = process.ppid;
    this.#parentWatch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(this.#parentWatch);
      this.ask('what had started it is gone');
    }, parentWatchMs).unref();
  }
}
