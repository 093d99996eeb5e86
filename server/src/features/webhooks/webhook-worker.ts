import type { AdministratorEvent } from '@classledger/contract';
import { sql } from 'kysely';
import type { Log } from '../../access/account-events.ts';
import type { Sealing } from '../../access/sealing.ts';
import { LeasedWork, type LeasedWorkServices } from '../../database/leased-work.ts';
import type { Clock } from '../../time/clock.ts';
import { type DeliveryContext, deliverDueChanges } from './deliver.ts';
import type { WebhookRow } from './stored-webhooks.ts';
import type { AttemptResult, WebhookSender } from './webhook-sender.ts';

/** How many webhooks are served at once, in all and per school. A slow receiver occupies one of these places. */
const parallel = { concurrency: 64, perKey: 16 };

/** Skips webhooks of unusable credentials or schools. */
const needsWork = sql<boolean>`active AND EXISTS (
  SELECT FROM api_token k JOIN school ON school.id = k.school_id
  WHERE k.id = webhook.token_id AND NOT k.disabled AND k.revoked_at IS NULL AND NOT school.disabled)`;

export interface WebhookWorkerOptions extends LeasedWorkServices {
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sender: WebhookSender;
  readonly log: Log;
  readonly onAttempt: (outcome: AttemptResult) => void;
}

export class WebhookWorker {
  readonly #sender: WebhookSender;
  readonly #work: LeasedWork;
  readonly #cut = new AbortController();

  constructor(options: WebhookWorkerOptions) {
    const { db, clock, sealing, sender, onAttempt } = options;
    this.#sender = sender;
    this.#work = new LeasedWork({
      ...options,
      ...{ table: 'webhook', needsWork, leaseMs: 60_000, parallel },
      run: async (id) => {
        await deliverDueChanges(context, id);
        return false;
      },
    });
    const context: DeliveryContext = {
      ...{ db, clock, sealing, sender, onAttempt },
      owner: this.#work.owner,
      mayContinue: this.#work.mayContinue,
      cut: this.#cut.signal,
      onStopped: (webhook, why) => recordWebhookProblem(options, 'webhookStopped', webhook, why),
      onMissedChanges: (webhook) => recordWebhookProblem(options, 'webhookMissed', webhook, 'cursor'),
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

/** Logs a stopped webhook or missed changes, and adds a line to the activity log under the credential's issuer. */
async function recordWebhookProblem(
  { db, clock, log }: Pick<WebhookWorkerOptions, 'db' | 'clock' | 'log'>,
  event: Extract<AdministratorEvent, 'webhookStopped' | 'webhookMissed'>,
  { id, school_id: schoolId, token_id: tokenId, url }: WebhookRow,
  why: string,
): Promise<void> {
  log.warn({ event, webhookId: id, tokenId, schoolId, why }, 'webhook');
  const { issuer_id, issuer_username } = await db
    .selectFrom('api_token')
    .where('id', '=', tokenId)
    .select(['issuer_id', 'issuer_username'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('activity')
    .values({
      school_id: schoolId,
      created_at: clock(),
      admin_id: issuer_id,
      username: issuer_username,
      action: event,
      target_id: id,
      target_name: new URL(url).host,
    })
    .execute();
}
