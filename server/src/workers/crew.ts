import { setTimeout as pause } from 'node:timers/promises';
import { afterAbort } from '../until-aborted.ts';
import type { FromWorker, Serving } from './messages.ts';
import { Relay } from './relay.ts';
import type { WaitingConnections } from './waiting-connections.ts';
import { WorkerFailed, WorkerProcess } from './worker-process.ts';

/** Where operators are told of workers. */
export interface CrewLog {
  info(event: object, text: string): void;
  error(event: object, text: string): void;
}

/** When workers are to end, and when their time for that is over. */
export interface CrewStop {
  readonly asked: AbortSignal;
  readonly cut: AbortSignal;
}

/** Whatever ends a worker that has served for so long does not end the next one at once. */
const settledMs = 60_000;
const againMs = { first: 1_000, max: 30_000 };
/** So many in a row ended before they served, and none is left: somebody has to look. */
const failuresMax = 5;
/** For so long a worker that retires serves the connections that it has, and asks their clients to make new ones. */
const leavingMs = 5_000;
/** For what a worker does when its time is over, which has bounds of its own. */
const killAfterCutMs = 8_000;

/**
 * Several processes that serve one port. One that ends unasked is started again. They can be exchanged one by one: each
 * goes when another serves in its place.
 */
export class Crew {
  readonly #count: number;
  readonly #log: CrewLog;
  readonly #stop: CrewStop;
  /** How long the work in hand of one that retires may take. */
  readonly #stopMs: number;
  readonly #waitingConnections: WaitingConnections;
  readonly #relay = new Relay();
  readonly #members = new Set<WorkerProcess>();
  readonly #lost = Promise.withResolvers<string>();
  /** Loaded, and not told to serve yet. */
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

  /** Resolves with a reason when none serves any more and none can be started. */
  get lost(): Promise<string> {
    return this.#lost.promise;
  }

  /**
   * Starts the first one. It opens the database alone, so that what is wrong is told once; the others load their modules
   * meanwhile.
   *
   * @throws WorkerFailed
   */
  startFirst(): Promise<Serving> {
    const first = this.#fork();
    for (let n = 1; n < this.#count; n++) this.#waiting.push(this.#fork());
    return this.#comeUp(first);
  }

  /** Lets the others serve, too. @throws WorkerFailed when one ends before */
  async startOthers(): Promise<void> {
    await Promise.all(this.#waiting.splice(0).map((each) => this.#comeUp(each)));
    this.#appoint();
  }

  /** Exchanges all that serve, one by one. One that cannot be exchanged goes on, and so do those after it. */
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
      // Those that were exchanged were still counted when one died meanwhile.
      for (let missing = this.#count - this.#active; missing > 0; missing--) this.#replaceSoon();
    }
  }

  /**
   * Has all of them end, and waits until they have; those that take too long are killed.
   *
   * @param drains whether new connections are still served for `DRAIN_SECONDS`
   */
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

  /** Lets one serve, and replaces it from then on. @throws WorkerFailed */
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

  /** One of them does what is done once an hour or a night. */
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
    // A stop ends the wait.
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

  /** Starts one more. @throws WorkerFailed */
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
