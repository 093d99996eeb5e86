import type { Delivery, InternalOperations, ManagedWebhook, Query } from '@classledger/contract';
import type { ManagerCall } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import { readPage, type Slice } from '../../database/page.ts';
import { invalidValue, notFound } from '../../errors/app-error.ts';
import { credentialsInRange, requireCredential } from '../credentials/credentials.ts';
import { listDeliveries, replayDeliveries } from './deliveries.ts';
import { toWebhook } from './stored-webhooks.ts';
import { missingPermissions, removeWebhook, switchWebhook } from './webhooks.ts';

export const deliveriesDefault = 50;

interface WebhookManager extends ManagerCall {
  readonly db: Database;
}

/** @throws AppError not_found, out_of_range (the credential of the filter) */
export async function listManagedWebhooks(
  by: WebhookManager,
  { tokenId }: Pick<Query<InternalOperations['listCredentialWebhooks']>, 'tokenId'>,
  slice: Slice,
) {
  const { db, data } = by;
  if (tokenId !== undefined) await requireCredential(db, by, tokenId);
  let webhooks = db
    .selectFrom('webhook as w')
    .innerJoin('api_token as k', 'k.id', 'w.token_id')
    .where('w.token_id', 'in', credentialsInRange(db, data));
  if (tokenId !== undefined) webhooks = webhooks.where('w.token_id', '=', tokenId);
  const rows = webhooks.selectAll('w').select(['k.name as token_name', 'k.scopes']).orderBy('w.id');
  const page = await readPage(rows, slice, 'w.id');
  return page.map(
    (row): ManagedWebhook => ({
      ...toWebhook(row),
      host: new URL(row.url).host,
      tokenId: row.token_id,
      tokenName: row.token_name,
      schoolId: row.school_id,
      refused: missingPermissions(new Set(row.scopes), row.events),
    }),
  );
}

/** @throws AppError not_found, out_of_range */
async function requireWebhook(by: WebhookManager, id: number) {
  const row = await by.db.selectFrom('webhook').where('id', '=', id).selectAll().executeTakeFirst();
  if (!row) throw notFound('The webhook');
  await requireCredential(by.db, by, row.token_id);
  return row;
}

export async function switchManagedWebhook(
  by: WebhookManager,
  id: number,
  active: boolean,
): Promise<ManagedWebhook> {
  const row = await requireWebhook(by, id);
  await switchWebhook(by.db, row, active, by.at);
  return readManagedWebhook(by, id);
}

/** @throws AppError not_found, out_of_range */
export async function readManagedWebhook(by: WebhookManager, id: number): Promise<ManagedWebhook> {
  const { token_id: tokenId } = await requireWebhook(by, id);
  const { list } = await listManagedWebhooks(by, { tokenId }, { offset: 0, limit: 500 });
  const found = list.find((webhook) => webhook.id === id);
  if (!found) throw notFound('The webhook');
  return found;
}

/** Returns the school for the activity log; the answer of the API omits it. */
export async function deleteManagedWebhook(by: WebhookManager, id: number) {
  const row = await requireWebhook(by, id);
  await removeWebhook(by.db, row);
  return { id, host: new URL(row.url).host, schoolId: row.school_id };
}

export async function listManagedDeliveries(
  by: WebhookManager,
  id: number,
  state: Delivery['state'] | undefined,
  slice: Slice,
) {
  return listDeliveries(by.db, await requireWebhook(by, id), state, slice);
}

/** @throws AppError not_found, out_of_range, invalid_value */
export async function replayManagedDeliveries(
  by: WebhookManager,
  id: number,
  { deliveryId, since }: { readonly deliveryId?: number | undefined; readonly since?: string | undefined },
) {
  const row = await requireWebhook(by, id);
  const which = since !== undefined ? { since } : deliveryId !== undefined ? { number: deliveryId } : null;
  if (which === null || (since !== undefined && deliveryId !== undefined)) {
    throw invalidValue('Send either deliveryId or since');
  }
  const deliveries = await replayDeliveries(by.db, row, which, by.at);
  return { id, host: new URL(row.url).host, schoolId: row.school_id, deliveries };
}
