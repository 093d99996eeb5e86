import { setTimeout as pause } from 'node:timers/promises';
import { delayedAbort } from '../concurrency/until-aborted.ts';
import { Relay } from './relay.ts';
import type { RelayedMessage, ServingDetails } from './siblings.ts';
import { WorkerFailedError, WorkerProcess } from './worker-process.ts';

export interface SupervisorLog {
  info(event: object, text: string): void;
  error(event: object, text: string): void;
}

export interface SupervisorOptions {
  readonly count: number;
  readonly log: SupervisorLog;
  /** `requested` aborts when workers must end, `cut` when their time for that is over. */
  readonly stop: { readonly requested: AbortSignal; readonly cut: AbortSignal };
  readonly stopMs: number;
}

/** A worker that served at least this time resets the count of failures. */
const stableAfterMs = 60_000;
const restartWaitMs = { first: 1_000, max: 30_000 };
/** When no worker serves, this number of failures in a row ends the server. */
const failuresMax = 5;
/** Time in which a retiring worker serves its open connections and asks their clients to reconnect. */
const retireMs = 5_000;
/** Time for a worker's last steps after `cut`, which have limits of their own. */
const killAfterCutMs = 8_000;

export class WorkerSupervisor {
  readonly #options: SupervisorOptions;
  readonly #relay = new Relay();
  readonly #workers = new Set<WorkerProcess>();
  readonly #lost = Promise.withResolvers<string>();
  /** Resolves with a reason when all workers are gone and new ones fail to start. */
  readonly lost = this.#lost.promise;
  /** Workers that are loaded, but do not serve yet. */
  #waiting: WorkerProcess[] = [];
  #housekeeper: WorkerProcess | null = null;
  #failures = 0;
  #isExchanging = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Forks all workers but lets only the first serve, to report a database problem once. @throws WorkerFailedError */
  startFirst(): Promise<ServingDetails> {
    const first = this.#fork();
    for (let n = 1; n < this.#options.count; n++) this.#waiting.push(this.#fork());
    return this.#startServing(first);
  }

  /** Lets the other workers serve. @throws WorkerFailedError when one ends before it serves */
  async startOthers(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((each) => this.#startServing(each)));
    this.#appointHousekeeper();
  }

  /** Replaces the serving workers one by one. Stops at the first that cannot be replaced, which goes on serving. */
  async exchange(): Promise<void> {
    if (this.#isExchanging || this.#options.stop.requested.aborted) return;
    this.#isExchanging = true;
    this.#options.log.info({ event: 'exchanging', workers: this.#options.count }, 'workers');
    try {
      for (const old of this.#servingWorkers) await this.#exchangeWorker(old);
      this.#options.log.info({ event: 'exchanged' }, 'workers');
    } catch (error) {
      if (!this.#options.stop.requested.aborted)
        this.#options.log.error({ event: 'notExchanged', err: error }, 'workers');
    } finally {
      this.#isExchanging = false;
      // Replaces workers that died during the exchange, while one more than usual was active.
      for (let missing = this.#options.count - this.#activeCount; missing > 0; missing--) this.#replaceSoon();
    }
  }

  /** Ends all workers, and kills those that take too long. @param drains serves new connections for `DRAIN_SECONDS` */
  async end(drains: boolean): Promise<void> {
    const { cut } = this.#options.stop;
    this.#forEach((worker) => worker.send({ kind: 'stop', drains }));
    const killDue = delayedAbort(cut, killAfterCutMs);
    cut.addEventListener('abort', () => this.#forEach((worker) => worker.send({ kind: 'cut' })), {
      once: true,
    });
    killDue.addEventListener('abort', () => this.#forEach((worker) => worker.kill()), { once: true });
    await Promise.all([...this.#workers].map(({ ended }) => ended));
  }

  #forEach(order: (worker: WorkerProcess) => void): void {
    for (const each of this.#workers) order(each);
  }

  #fork(): WorkerProcess {
    const member = new WorkerProcess((message) => this.#handleMessage(member, message));
    this.#workers.add(member);
    void member.ended.then(() => {
      this.#workers.delete(member);
      this.#relay.removeWorker(member, member.isEnding);
    });
    return member;
  }

  async #startServing(member: WorkerProcess): Promise<ServingDetails> {
    member.send({ kind: 'serve', count: this.#options.count });
    const serving = await member.serving;
    this.#replaceWhenEnded(member);
    return serving;
  }

  #handleMessage(from: WorkerProcess, message: RelayedMessage): void {
    const siblings = [...this.#workers].filter((each) => each !== from && each.canAnswer);
    if (message.kind === 'question') this.#relay.forwardQuestion(from, message, siblings);
    else this.#relay.addAnswer(from, message);
  }

  #appointHousekeeper(): void {
    if (this.#housekeeper?.isServing) return;
    this.#housekeeper = this.#servingWorkers[0] ?? null;
    this.#housekeeper?.send({ kind: 'startHousekeeping' });
  }

  #replaceWhenEnded(member: WorkerProcess): void {
    void member.ended.then((how) => {
      if (member.isEnding || this.#options.stop.requested.aborted) return;
      this.#options.log.error({ event: 'workerEnded', worker: member.pid, how }, 'a worker ended by itself');
      const servedMs = performance.now() - (member.servesSince as number);
      this.#failures = servedMs < stableAfterMs ? this.#failures + 1 : 0;
      this.#appointHousekeeper();
      this.#replaceSoon();
    });
  }

  #replaceSoon(): void {
    void this.#replace().catch(() => {});
  }

  async #replace(): Promise<void> {
    for (;;) {
      const wait =
        this.#failures && Math.min(restartWaitMs.max, restartWaitMs.first * 2 ** (this.#failures - 1));
      await pause(wait, undefined, { signal: this.#options.stop.requested });
      if (this.#activeCount >= this.#options.count) return;
      try {
        return await this.#startWorker();
      } catch (error) {
        if (!(error instanceof WorkerFailedError)) throw error;
        if (error.cause) this.#options.log.error({ event: 'workerNotStarted', err: error }, 'workers');
        if (++this.#failures >= failuresMax && this.#servingWorkers.length === 0)
          this.#lost.resolve('No worker can be started');
      }
    }
  }

  async #startWorker(): Promise<void> {
    const member = this.#fork();
    await this.#startServing(member);
    this.#options.log.info({ event: 'workerStarted', worker: member.pid }, 'workers');
    this.#appointHousekeeper();
  }

  async #exchangeWorker(old: WorkerProcess): Promise<void> {
    this.#options.stop.requested.throwIfAborted();
    if (!old.isServing) return;
    await this.#startWorker();
    old.send({ kind: 'retire', retireMs });
    this.#appointHousekeeper();
    const killTimer = setTimeout(() => old.kill(), retireMs + this.#options.stopMs + killAfterCutMs);
    await old.ended;
    clearTimeout(killTimer);
  }

  get #activeCount(): number {
    return [...this.#workers].filter(({ isEnding }) => !isEnding).length;
  }

  get #servingWorkers(): readonly WorkerProcess[] {
    return [...this.#workers].filter(({ isServing }) => isServing);
  }
}
