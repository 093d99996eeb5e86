import type { Log } from '../../access/account-events.ts';
import type { Sealing } from '../../access/sealing.ts';
import { atMostOfEach } from '../../at-most.ts';
import type { Clock, Monotonic } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';
import { type DeliveringParts, deliver } from './delivering.ts';
import { Ownership } from './ownership.ts';
import type { Outcome, Sender } from './sender.ts';
import { tellOfWebhook } from './tell-of-webhook.ts';

const everyMs = 1_000;
/** Webhooks processed in parallel, in all and per school. A slow receiver occupies one of these slots. */
const atOnce = 64;
const atOnceOfSchool = 16;

export interface WebhookWorkerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly monotonic: Monotonic;
  readonly databaseClock: Clock | null;
  readonly sealing: Sealing;
  readonly sender: Sender;
  readonly log: Log;
  readonly told: (outcome: Outcome) => void;
  readonly report: (error: unknown) => void;
}

/** Delivers to the webhooks that this process owns, in parallel. */
export class WebhookWorker {
  readonly #options: WebhookWorkerOptions;
  readonly #ownership: Ownership;
  readonly #inTurn = atMostOfEach(atOnce, atOnceOfSchool);
  readonly #cut = new AbortController();
  readonly #underWay = new Map<number, Promise<void>>();
  readonly #parts: DeliveringParts;
  #sureUntil = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;

  constructor(options: WebhookWorkerOptions) {
    const { db, clock, databaseClock, sealing, sender, log, told, monotonic } = options;
    this.#options = options;
    this.#ownership = new Ownership(db, databaseClock);
    this.#parts = {
      db,
      clock,
      sealing,
      sender,
      me: this.#ownership.me,
      mayGoOn: () => !this.#ended && monotonic() < this.#sureUntil,
      cut: this.#cut.signal,
      told,
      stopped: (webhook, why) => tellOfWebhook({ db, clock, log }, 'webhookStopped', webhook, why),
      missed: (webhook) => tellOfWebhook({ db, clock, log }, 'webhookMissed', webhook, 'cursor'),
    };
  }

  /** Checks every second for due work. */
  start(): void {
    this.#timer = setInterval(() => void this.#look(), everyMs).unref();
  }

  /** Checks once and waits until this process has nothing due. */
  async round(): Promise<void> {
    await this.#look();
    await Promise.all(this.#underWay.values());
  }

  /** Stops: starts no new sends, waits for running ones, and releases the webhooks. @param cut aborts running sends */
  async end(cut: AbortSignal): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    const giveUp = () => this.#cut.abort();
    if (cut.aborted) giveUp();
    cut.addEventListener('abort', giveUp, { once: true });
    await this.#looking;
    await Promise.all(this.#underWay.values());
    cut.removeEventListener('abort', giveUp);
    this.#options.sender.close();
    await this.#ownership.release().catch(() => {});
  }

  #look(): Promise<void> {
    this.#looking ??= this.#takeUp().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #takeUp(): Promise<void> {
    const { monotonic, report } = this.#options;
    if (this.#ended) return;
    try {
      const beganAt = monotonic();
      const owned = await this.#ownership.take();
      this.#sureUntil = beganAt + this.#ownership.sureMs;
      for (const { id, schoolId } of owned) {
        if (this.#underWay.has(id)) continue;
        const work = this.#inTurn(schoolId, () => deliver(this.#parts, id))
          .catch(report)
          .finally(() => this.#underWay.delete(id));
        this.#underWay.set(id, work);
      }
    } catch (error) {
      report(error);
    }
  }
}
