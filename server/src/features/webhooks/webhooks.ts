import {
  type Body,
  type ExternalOperations,
  limits,
  type Permission,
  permissionOfChange,
  typeOfEvent,
  type WebhookEvent,
} from '@classledger/contract';
import type { Credential } from '../../access/credential.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { countRows, type Order, readPage, type Slice } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { conflict, notFound, PermissionMissingError } from '../../errors/app-error.ts';
import { checkAddress } from './allowed-address.ts';
import { retryWaitingNow, type WebhookKey } from './deliveries.ts';
import { currentCursor } from './feed.ts';
import { decryptSecrets, newSecret, sealSecret, toWebhook, type WebhookRow } from './stored-webhooks.ts';
import type { AttemptResult, Message, WebhookSender } from './webhook-sender.ts';

export interface WebhookServices {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly sender: WebhookSender;
}

interface CredentialCall {
  readonly credential: Credential;
  readonly data: SchoolData;
  readonly at: Date;
}

const hourMs = 3_600_000;

const selectOwn = (db: Queryable, { id }: Credential) => db.selectFrom('webhook').where('token_id', '=', id);

export async function listWebhooks(
  db: Database,
  credential: Credential,
  { order = 'asc' }: { order?: Order | undefined },
  slice: Slice,
) {
  const own = selectOwn(db, credential).selectAll().orderBy('id', order);
  const page = await readPage(own, slice, 'id', { order });
  return page.map(toWebhook);
}

/** @throws AppError not_found, also for a webhook of another credential */
export const readWebhook = (db: Queryable, credential: Credential, id: number): Promise<WebhookRow> =>
  selectOne(db, credential, id).executeTakeFirstOrThrow(() => notFound('The webhook'));

const lockWebhook = (tx: Queryable, credential: Credential, id: number): Promise<WebhookRow> =>
  selectOne(tx, credential, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('The webhook'));

const selectOne = (db: Queryable, credential: Credential, id: number) =>
  selectOwn(db, credential).where('id', '=', id).selectAll();

/** Returns the secret, which no later answer contains. @throws AppError invalid_value, permission_denied, conflict */
export async function createWebhook(
  { db, sealing, sender }: WebhookServices,
  { credential, data, at }: CredentialCall,
  body: Body<ExternalOperations['createWebhook']>,
) {
  const url = checkAddress(body.url, sender.allowPrivate);
  requireReadable(credential, body.events);
  const secret = newSecret();
  const columns = { school_id: data.schoolId, token_id: credential.id, url };
  return inTransaction(db, async (tx) => {
    // Locks the credential, so that parallel calls cannot exceed the maximum.
    await tx.selectFrom('api_token').where('id', '=', credential.id).select('id').forNoKeyUpdate().execute();
    if ((await countRows(selectOwn(tx, credential))) >= limits.webhooksPerCredentialMax) {
      throw conflict(
        `A credential has at most ${limits.webhooksPerCredentialMax} webhooks; delete one first`,
      );
    }
    const row = await tx
      .insertInto('webhook')
      .values({
        ...columns,
        events: distinct(body.events),
        description: body.description ?? '',
        active: body.active ?? true,
        secret: sealSecret(sealing, columns, secret),
        cursor: await currentCursor(data.withConnection(tx), credential.permissions, at),
        cursor_at: at,
        created_at: at,
        updated_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...toWebhook(row), secret };
  });
}

/** @throws AppError not_found, invalid_value, permission_denied, conflict (the secret cannot be unsealed) */
export async function changeWebhook(
  { db, sealing, sender }: WebhookServices,
  { credential, at }: CredentialCall,
  id: number,
  change: Body<ExternalOperations['updateWebhook']>,
) {
  const { events, description, active } = change;
  const url = change.url === undefined ? undefined : checkAddress(change.url, sender.allowPrivate);
  if (events !== undefined) requireReadable(credential, events);
  return inTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, credential, id);
    const isOther = url !== undefined && url !== before.url;
    const isChanged = url !== undefined || events !== undefined || description !== undefined;
    await tx
      .updateTable('webhook')
      .where('id', '=', id)
      .set({
        ...(isOther && resealSecrets(before, url)),
        events: events && distinct(events),
        description,
        ...(isChanged && { updated_at: at }),
        // Keeps the update valid when the body sets nothing else.
        active: before.active,
      })
      .execute();
    if (active !== undefined) await switchWebhook(tx, before, active, at);
    return toWebhook(await readWebhook(tx, credential, id));
  });

  function resealSecrets(before: WebhookRow, to: string) {
    const secrets = decryptSecrets(sealing, before, at);
    if (secrets === null) throw conflict('The secret can no longer be decrypted: rotate it first');
    const [secret, old] = secrets as [string, string | undefined];
    const columns = { ...before, url: to };
    return {
      url: to,
      secret: sealSecret(sealing, columns, secret),
      old_secret: old === undefined ? null : sealSecret(sealing, columns, old),
    };
  }
}

/** Pauses or resumes a webhook. Its process stays the owner, because it may be sending. */
export async function switchWebhook(
  db: Queryable,
  webhook: WebhookKey & Pick<WebhookRow, 'active'>,
  active: boolean,
  now: Date,
): Promise<void> {
  await db
    .updateTable('webhook')
    .where('id', '=', webhook.id)
    .set(
      active
        ? { active, stopped_because: null, failures: 0, failing_since: null, retry_at: null }
        : { active },
    )
    .execute();
  if (active) await retryWaitingNow(db, webhook, now, !webhook.active);
}

export async function deleteWebhook(db: Database, credential: Credential, id: number) {
  const webhook = await readWebhook(db, credential, id);
  await removeWebhook(db, webhook);
  return { id, url: webhook.url };
}

export async function removeWebhook(db: Database, { id, school_id }: WebhookKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('webhook').where('id', '=', id).execute();
    const deliveries = tx.deleteFrom('webhook_delivery').where('school_id', '=', school_id);
    await deliveries.where('webhook_id', '=', id).execute();
  });
}

/** @throws AppError not_found */
export async function rotateSecret(
  { db, sealing }: WebhookServices,
  { credential, at }: CredentialCall,
  id: number,
) {
  return inTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, credential, id);
    const secret = newSecret();
    const row = await tx
      .updateTable('webhook')
      .where('id', '=', id)
      .set({
        secret: sealSecret(sealing, before, secret),
        old_secret: before.secret,
        old_secret_until: new Date(at.getTime() + limits.webhookOldSecretHours * hourMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...toWebhook(row), secret };
  });
}

/** @throws AppError not_found, conflict (the secret cannot be unsealed) */
export async function testWebhook(
  { db, sealing, sender }: WebhookServices,
  { credential, at }: CredentialCall,
  id: number,
): Promise<Pick<AttemptResult, 'delivered' | 'statusCode' | 'latencyMs' | 'error'>> {
  const row = await readWebhook(db, credential, id);
  const secrets = decryptSecrets(sealing, row, at);
  if (secrets === null) throw conflict('The secret can no longer be decrypted: rotate it');
  const message: Message = {
    id: `msg_${id}_test_${at.getTime()}`,
    type: 'webhook.test',
    timestamp: at.toISOString(),
    data: { webhookId: id },
  };
  return sender.sendTest({ schoolId: row.school_id, url: row.url, secrets, message, at });
}

export function missingPermissions(
  permissions: ReadonlySet<Permission>,
  events: readonly WebhookEvent[],
): Permission[] {
  const needed = new Set(events.map((event) => permissionOfChange[typeOfEvent(event)]));
  return [...needed].filter((permission) => !permissions.has(permission));
}

function requireReadable({ permissions }: Credential, events: readonly WebhookEvent[]): void {
  const missing = missingPermissions(permissions, events).join(', ');
  if (missing !== '')
    throw new PermissionMissingError(`The credential lacks the permission ${missing}`, missing);
}

const distinct = (events: readonly WebhookEvent[]) => [...new Set(events)];
