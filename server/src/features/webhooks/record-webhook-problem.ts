import type { AdministratorEvent } from '@classledger/contract';
import type { Log } from '../../access/account-events.ts';
import type { Database } from '../../database/connect.ts';
import type { Clock } from '../../time/clock.ts';
import type { WebhookRow } from './stored-webhooks.ts';

/** Logs a stopped webhook or missed changes, and adds a line to the activity log under the credential's issuer. */
export async function recordWebhookProblem(
  { db, clock, log }: { readonly db: Database; readonly clock: Clock; readonly log: Log },
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
      ip: null,
      user_agent: null,
    })
    .execute();
}
