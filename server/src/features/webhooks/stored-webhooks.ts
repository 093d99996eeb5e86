import { randomBytes } from 'node:crypto';
import type { Webhook, WebhookEvent, WebhookEventName } from '@classledger/contract';
import type { Selectable } from 'kysely';
import type { Sealing } from '../../access/sealing.ts';
import type { Tables } from '../../database/tables.ts';

export type WebhookRow = Selectable<Tables['webhook']>;

/** Binds a sealed secret to its URL, so a changed URL in the table cannot redirect deliveries. */
const secretContext = ({ school_id, token_id, url }: Pick<WebhookRow, 'school_id' | 'token_id' | 'url'>) =>
  JSON.stringify([school_id, token_id, url]);

export const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

export const sealSecret = (
  sealing: Sealing,
  row: Parameters<typeof secretContext>[0],
  secret: string,
): Buffer => sealing.seal('webhook secrets', secretContext(row), secret);

/** Returns the current secret, and for a while the old one; null when the current one cannot be unsealed. */
export function decryptSecrets(sealing: Sealing, row: WebhookRow, now: Date): readonly string[] | null {
  const open = (sealed: Buffer) => sealing.unseal('webhook secrets', secretContext(row), sealed);
  const secret = open(row.secret);
  if (secret === null) return null;
  const isOldValid = row.old_secret !== null && Date.parse(row.old_secret_until ?? '') > now.getTime();
  const old = isOldValid ? open(row.old_secret as Buffer) : null;
  return old === null ? [secret] : [secret, old];
}

export const includesEvent = (events: readonly WebhookEvent[], event: WebhookEventName): boolean =>
  events.includes(event) || events.includes(`${event.slice(0, event.indexOf('.'))}.*` as WebhookEvent);

export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    stoppedBecause: row.stopped_because,
    failingSince: row.failing_since,
    nextAttemptAt: row.active ? row.retry_at : null,
    lastDeliveredAt: row.last_delivered_at,
    missedAt: row.missed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns an id that is equal for all attempts. It includes the time, because restored data would repeat numbers. */
export const messageIdOf = ({
  webhook_id,
  number,
  created_at,
}: Pick<Selectable<Tables['webhook_delivery']>, 'webhook_id' | 'number' | 'created_at'>) =>
  `msg_${webhook_id}_${number}_${Date.parse(created_at).toString(36)}`;
