import { sql } from 'kysely';
import { LeasedWork, type LeasedWorkServices } from '../../database/leased-work.ts';
import { type DeliveryContext, type DeliveryServices, deliverDueChanges } from './deliver.ts';
import type { WebhookSender } from './webhook-sender.ts';

/** How many webhooks are served at once, in all and per school. A slow receiver occupies one of these places. */
const parallel = { concurrency: 64, perKey: 16 };

/** Skips webhooks of unusable credentials or schools. */
const needsWork = sql<boolean>`active AND EXISTS (
  SELECT FROM api_token k JOIN school ON school.id = k.school_id
  WHERE k.id = webhook.token_id AND NOT k.disabled AND k.revoked_at IS NULL AND NOT school.disabled)`;

export class WebhookWorker {
  readonly #sender: WebhookSender;
  readonly #work: LeasedWork;
  readonly #cut = new AbortController();

  constructor(options: LeasedWorkServices & DeliveryServices) {
    this.#sender = options.sender;
    this.#work = new LeasedWork({
      ...options,
      ...{ table: 'webhook', needsWork, leaseMs: 60_000, parallel },
      run: async (id) => {
        await deliverDueChanges(context, id);
        return false;
      },
    });
    const context: DeliveryContext = {
      ...options,
      owner: this.#work.owner,
      mayContinue: this.#work.mayContinue,
      cut: this.#cut.signal,
    };
  }

  start(): void {
    this.#work.start();
  }

  /** Checks once and waits until this process has nothing due. */
  runUntilIdle(): Promise<void> {
    return this.#work.runUntilIdle();
  }

  /** Stops: starts no new sends, waits for running ones, and releases the webhooks. @param cut aborts running sends */
  async end(cut: AbortSignal): Promise<void> {
    const abortSends = () => this.#cut.abort();
    if (cut.aborted) abortSends();
    cut.addEventListener('abort', abortSends, { once: true });
    await this.#work.end();
    cut.removeEventListener('abort', abortSends);
    this.#sender.close();
  }
}
