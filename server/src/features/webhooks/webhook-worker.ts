import type { Log } from '../../access/account-events.ts';
import type { Sealing } from '../../access/sealing.ts';
import { FairQueue } from '../../concurrency/fair-queue.ts';
import type { Database } from '../../database/connect.ts';
import type { Clock, Monotonic } from '../../time/clock.ts';
import { type DeliveryContext, deliver } from './deliver.ts';
import { recordWebhookProblem } from './record-webhook-problem.ts';
import { WebhookLeases } from './webhook-leases.ts';
import type { AttemptResult, WebhookSender } from './webhook-sender.ts';

const checkEveryMs = 1_000;
/** Webhooks processed in parallel, in all and per school. A slow receiver occupies one of these slots. */
const parallelMax = 64;
const parallelOfSchoolMax = 16;

export interface WebhookWorkerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly monotonic: Monotonic;
  readonly databaseClock: Clock | null;
  readonly sealing: Sealing;
  readonly sender: WebhookSender;
  readonly log: Log;
  readonly onAttempt: (outcome: AttemptResult) => void;
  readonly report: (error: unknown) => void;
}

export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #leases: WebhookLeases;
  readonly #queue = new FairQueue({ atOnce: parallelMax, perKey: parallelOfSchoolMax });
  readonly #cut = new AbortController();
  readonly #running = new Map<number, Promise<void>>();
  readonly #context: DeliveryContext;
  #leasedUntil = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;

  constructor(options: WebhookWorkerOptions) {
    const { db, clock, databaseClock, sealing, sender, log, onAttempt, monotonic } = options;
    this.#options = options;
    this.#leases = new WebhookLeases(db, databaseClock);
    this.#context = {
      db,
      clock,
      sealing,
      sender,
      owner: this.#leases.owner,
      mayContinue: () => !this.#ended && monotonic() < this.#leasedUntil,
      cut: this.#cut.signal,
      onAttempt,
      onStopped: (webhook, why) => recordWebhookProblem({ db, clock, log }, 'webhookStopped', webhook, why),
      onMissedChanges: (webhook) =>
        recordWebhookProblem({ db, clock, log }, 'webhookMissed', webhook, 'cursor'),
    };
  }

  start(): void {
    this.#timer = setInterval(() => void this.#checkOnce(), checkEveryMs).unref();
  }

  /** Checks once and waits until this process has nothing due. */
  async round(): Promise<void> {
    await this.#checkOnce();
    await Promise.all(this.#running.values());
  }

  /** Stops: starts no new sends, waits for running ones, and releases the webhooks. @param cut aborts running sends */
  async end(cut: AbortSignal): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    const abortSends = () => this.#cut.abort();
    if (cut.aborted) abortSends();
    cut.addEventListener('abort', abortSends, { once: true });
    await this.#checking;
    await Promise.all(this.#running.values());
    cut.removeEventListener('abort', abortSends);
    this.#options.sender.close();
    await this.#leases.release().catch(() => {});
  }

  #checkOnce(): Promise<void> {
    this.#checking ??= this.#startDeliveries().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async #startDeliveries(): Promise<void> {
    const { monotonic, report } = this.#options;
    if (this.#ended) return;
    try {
      const beganAt = monotonic();
      const owned = await this.#leases.claimAndRenew();
      this.#leasedUntil = beganAt + this.#leases.safeMs;
      for (const { id, schoolId } of owned) {
        if (this.#running.has(id)) continue;
        const work = this.#queue
          .run([String(schoolId)], () => deliver(this.#context, id))
          .catch(report)
          .finally(() => this.#running.delete(id));
        this.#running.set(id, work);
      }
    } catch (error) {
      report(error);
    }
  }
}
