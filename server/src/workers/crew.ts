import { setTimeout as pause } from 'node:timers/promises';
import { afterAbort } from '../until-aborted.ts';
import type { FromWorker, Serving } from './messages.ts';
import { Relay } from './relay.ts';
import type { WaitingConnections } from './waiting-connections.ts';
import { WorkerFailed, WorkerProcess } from './worker-process.ts';

export interface CrewLog {
  info(event: object, text: string): void;
  error(event: object, text: string): void;
}

/** `asked` aborts when workers must end, `cut` when their time for that is over. */
export interface CrewStop {
  readonly asked: AbortSignal;
  readonly cut: AbortSignal;
}

/** A worker that served at least this time resets the count of failures. */
const settledMs = 60_000;
const againMs = { first: 1_000, max: 30_000 };
/** When no worker serves, this number of failures in a row ends the server. */
const failuresMax = 5;
/** Time in which a retiring worker serves its open connections and asks their clients to reconnect. */
const leavingMs = 5_000;
/** Time for a worker's last steps after `cut`, which have limits of their own. */
const killAfterCutMs = 8_000;

/** Runs several processes that serve one port, and replaces those that end by themselves. */
export class Crew {
  readonly #count: number;
  readonly #log: CrewLog;
  readonly #stop: CrewStop;
  readonly #stopMs: number;
  readonly #waitingConnections: WaitingConnections;
  readonly #relay = new Relay();
  readonly #members = new Set<WorkerProcess>();
  readonly #lost = Promise.withResolvers<string>();
  /** Loaded, but not serving yet. */
  #waiting: WorkerProcess[] = [];
  #housekeeper: WorkerProcess | null = null;
  #failures = 0;
  #isExchanging = false;

  constructor(
    count: number,
    log: CrewLog,
    stop: CrewStop,
    stopMs: number,
    waitingConnections: WaitingConnections,
  ) {
    this.#count = count;
    this.#log = log;
    this.#stop = stop;
    this.#stopMs = stopMs;
    this.#waitingConnections = waitingConnections;
  }

  /** Resolves with a reason when all workers are gone and new ones fail to start. */
  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  /**
   * Starts the first worker, which opens the database alone, so that a problem is reported once. The others load their
   * modules meanwhile. @throws WorkerFailed
   */
  startFirst(): Promise<Serving> {
    const first = this.#fork();
    for (let n = 1; n < this.#count; n++) this.#waiting.push(this.#fork());
    return this.#comeUp(first);
  }

  /** Lets the other workers serve. @throws WorkerFailed when one ends before it serves */
  async startOthers(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((each) => this.#comeUp(each)));
    this.#appoint();
  }

  /** Replaces the serving workers one by one. Stops at the first that cannot be replaced, which goes on serving. */
  async exchange(): Promise<void> {
    if (this.#isExchanging || this.#stop.asked.aborted) return;
    this.#isExchanging = true;
    this.#log.info({ event: 'exchanging', workers: this.#count }, 'workers');
    try {
      for (const old of [...this.#members].filter(({ serves }) => serves)) await this.#exchangeOne(old);
      this.#log.info({ event: 'exchanged' }, 'workers');
    } catch (error) {
      if (!this.#stop.asked.aborted) this.#log.error({ event: 'notExchanged', err: error }, 'workers');
    } finally {
      this.#isExchanging = false;
      // A worker that died during the exchange was not replaced, because a retiring one still counted.
      for (let missing = this.#count - this.#active; missing > 0; missing--) this.#replaceSoon();
    }
  }

  /** Ends all workers, and kills those that take too long. @param drains serves new connections for `DRAIN_SECONDS` */
  async end(drains: boolean): Promise<void> {
    const { cut } = this.#stop;
    this.#waitingConnections.end();
    for (const each of this.#members) each.send({ kind: 'stop', drains });
    const tooLong = afterAbort(cut, killAfterCutMs);
    cut.addEventListener('abort', () => this.#tellAll('cut'), { once: true });
    tooLong.addEventListener('abort', () => this.#killAll(), { once: true });
    await Promise.all([...this.#members].map(({ ended }) => ended));
  }

  #tellAll(kind: 'cut'): void {
    for (const each of this.#members) each.send({ kind });
  }

  #killAll(): void {
    for (const each of this.#members) each.kill();
  }

  #fork(): WorkerProcess {
    const member = new WorkerProcess((message) => this.#hear(member, message));
    this.#members.add(member);
    void member.ended.then(() => {
      this.#members.delete(member);
      this.#relay.gone(member, member.isEnding);
    });
    return member;
  }

  /** @throws WorkerFailed */
  async #comeUp(member: WorkerProcess): Promise<Serving> {
    member.send({ kind: 'serve', count: this.#count });
    const serving = await member.serving;
    this.#waitingConnections.handTo(member);
    this.#watch(member);
    return serving;
  }

  #hear(from: WorkerProcess, message: Extract<FromWorker, { kind: 'asks' | 'answers' | 'listens' }>): void {
    const siblings = [...this.#members].filter((each) => each !== from && each.hears);
    if (message.kind === 'listens') this.#waitingConnections.leavePort();
    else if (message.kind === 'asks') this.#relay.ask(from, message, siblings);
    else this.#relay.answer(from, message);
  }

  #appoint(): void {
    if (this.#housekeeper?.serves) return;
    this.#housekeeper = [...this.#members].find(({ serves }) => serves) ?? null;
    this.#housekeeper?.send({ kind: 'keepHouse' });
  }

  #watch(member: WorkerProcess): void {
    void member.ended.then((how) => {
      if (member.isEnding || this.#stop.asked.aborted) return;
      this.#log.error({ event: 'workerEnded', worker: member.pid, how }, 'a worker ended by itself');
      this.#acceptWhereNoneServes();
      const servedMs = performance.now() - (member.servesSince as number);
      this.#failures = servedMs < settledMs ? this.#failures + 1 : 0;
      this.#appoint();
      this.#replaceSoon();
    });
  }

  #replaceSoon(): void {
    void this.#replace().catch(() => {});
  }

  async #replace(): Promise<void> {
    for (;;) {
      const wait = this.#failures && Math.min(againMs.max, againMs.first * 2 ** (this.#failures - 1));
      await pause(wait, undefined, { signal: this.#stop.asked });
      if (this.#active >= this.#count) return;
      try {
        return await this.#add();
      } catch (error) {
        if (!(error instanceof WorkerFailed)) throw error;
        this.#acceptWhereNoneServes();
        if (error.cause) this.#log.error({ event: 'workerNotStarted', err: error }, 'workers');
        if (++this.#failures >= failuresMax && !this.#someServes)
          this.#lost.resolve('No worker can be started');
      }
    }
  }

  #acceptWhereNoneServes(): void {
    if (!this.#someServes && !this.#stop.asked.aborted) this.#waitingConnections.accept();
  }

  /** @throws WorkerFailed */
  async #add(): Promise<void> {
    const member = this.#fork();
    await this.#comeUp(member);
    this.#log.info({ event: 'workerStarted', worker: member.pid }, 'workers');
    this.#appoint();
  }

  async #exchangeOne(old: WorkerProcess): Promise<void> {
    this.#stop.asked.throwIfAborted();
    if (!old.serves) return;
    await this.#add();
    old.send({ kind: 'retire', leavingMs });
    this.#appoint();
    const tooLong = setTimeout(() => old.kill(), leavingMs + this.#stopMs + killAfterCutMs);
    await old.ended;
    clearTimeout(tooLong);
  }

  get #active(): number {
    return [...this.#members].filter(({ isEnding }) => !isEnding).length;
  }

  get #someServes(): boolean {
    return [...this.#members].some(({ serves }) => serves);
  }
}
