import { sql } from 'kysely';
import { LeasedWork, type LeasedWorkServices } from '../../database/leased-work.ts';
import { type DeliveryServices, deliverDueChanges } from './deliver.ts';

/** How many webhooks are served at once, in all and per school. A slow receiver occupies one of these places. */
const parallel = { concurrency: 64, perKey: 16 };

/** Skips webhooks of unusable credentials or schools. */
const needsWork = sql<boolean>`active AND EXISTS (
  SELECT FROM api_token k JOIN school ON school.id = k.school_id
  WHERE k.id = webhook.token_id AND NOT k.disabled AND k.revoked_at IS NULL AND NOT school.disabled)`;

/** Creates the worker of all webhooks. Its `end` waits for running sends until `cut` aborts them. */
export function createWebhookWorker(options: LeasedWorkServices & DeliveryServices) {
  const sends = new AbortController();
  const work: LeasedWork = new LeasedWork({
    ...options,
    ...{ table: 'webhook', needsWork, leaseMs: 60_000, parallel },
    run: async (id) => {
      const { owner, mayContinue } = work;
      await deliverDueChanges({ ...options, owner, mayContinue, cut: sends.signal }, id);
      return false;
    },
  });
  return {
    start: () => work.start(),
    runUntilIdle: () => work.runUntilIdle(),
    async end(cut: AbortSignal): Promise<void> {
      const abortSends = () => sends.abort();
      if (cut.aborted) abortSends();
      cut.addEventListener('abort', abortSends, { once: true });
      await work.end();
      cut.removeEventListener('abort', abortSends);
      options.sender.close();
    },
  };
}
