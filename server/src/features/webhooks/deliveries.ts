import { Delivery, type WebhookEventName } from '@classledger/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { countRows, type ListResult, readPage, type Slice } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { erasedIdentity } from '../../fields/students.ts';
import { messageIdOf, type WebhookRow } from './stored-webhooks.ts';

export type DeliveryRow = Selectable<Tables['webhook_delivery']>;
export type DeliveryChange = Updateable<Tables['webhook_delivery']>;

/** Identifies a webhook, whose deliveries are stored with its school. */
export type WebhookKey = Pick<WebhookRow, 'id' | 'school_id'>;

const selectDeliveries = (db: Queryable, { id, school_id }: WebhookKey) =>
  db.selectFrom('webhook_delivery').where('school_id', '=', school_id).where('webhook_id', '=', id);

const updateDeliveries = (db: Queryable, { id, school_id }: WebhookKey) =>
  db.updateTable('webhook_delivery').where('school_id', '=', school_id).where('webhook_id', '=', id);

export const countWaiting = (db: Queryable, webhook: WebhookKey): Promise<number> =>
  countRows(selectDeliveries(db, webhook).where('state', '=', 'waiting'));

/** Returns the first due delivery of each ordering key, or only the one of these with the fewest attempts. */
export function findDueDeliveries(
  db: Queryable,
  webhook: WebhookKey,
  now: Date,
  choice: 'fewest attempts' | 'all',
  limit: number,
): Promise<DeliveryRow[]> {
  const heads = selectDeliveries(db, webhook)
    .where('state', '=', 'waiting')
    .distinctOn('line')
    .selectAll()
    .orderBy('line')
    .orderBy('number');
  const due = db.selectFrom(heads.as('head')).selectAll().where('next_attempt_at', '<=', now.toISOString());
  const ordered = choice === 'fewest attempts' ? due.orderBy('attempts') : due;
  return ordered
    .orderBy('number')
    .limit(choice === 'fewest attempts' ? 1 : limit)
    .execute();
}

type NewDelivery = Insertable<Tables['webhook_delivery']>;

const tombstoneWithoutNames = JSON.stringify(erasedIdentity);

/** Omits names of erased students. Locks these students, so that an erasure runs wholly before or after. */
export async function addDeliveries(
  db: Queryable,
  data: SchoolData,
  rows: readonly NewDelivery[],
): Promise<void> {
  if (rows.length === 0) return;
  const isNamed = ({ type, tombstone }: NewDelivery) => type === 'student' && tombstone !== null;
  const named = rows.filter(isNamed).map(({ thing_id }) => thing_id);
  const erased = new Set(named.length === 0 ? [] : await lockErased(data, named));
  const values = rows.map((row) =>
    isNamed(row) && erased.has(row.thing_id) ? { ...row, tombstone: tombstoneWithoutNames } : row,
  );
  await db.insertInto('webhook_delivery').values(values).execute();
}

async function lockErased(data: SchoolData, ids: readonly number[]): Promise<number[]> {
  const locked = await data.lockStudents((students) => students.where('id', '=', anyOf(ids)));
  // A new statement sees commits that happened while the first one waited.
  const erased = await data
    .selectFrom('student')
    .where('id', '=', anyOf(locked))
    .where('erased_at', 'is not', null)
    .select('id')
    .execute();
  return erased.map(({ id }) => id);
}

export async function storeResult(db: Queryable, row: DeliveryRow, change: DeliveryChange): Promise<void> {
  await updateDeliveries(db, { id: row.webhook_id, school_id: row.school_id })
    .where('number', '=', row.number)
    .where('created_at', '=', row.created_at)
    .where('state', '=', 'waiting')
    .set(change)
    .execute();
}

/** Makes waiting deliveries that have failed due now. @param isRestart also restarts their three days */
export async function retryWaitingNow(
  db: Queryable,
  webhook: WebhookKey,
  now: Date,
  isRestart: boolean,
): Promise<void> {
  await updateDeliveries(db, webhook)
    .where('state', '=', 'waiting')
    .where('attempts', '>', 0)
    .set({ next_attempt_at: now, ...(isRestart && { first_attempt_at: null }) })
    .execute();
}

/** Queues deliveries in any state and returns how many. @throws AppError not_found: no delivery has that number */
export async function replayDeliveries(
  db: Queryable,
  webhook: WebhookKey,
  selection: { readonly number: number } | { readonly since: string },
  now: Date,
): Promise<number> {
  const chosen =
    'number' in selection
      ? updateDeliveries(db, webhook).where('number', '=', selection.number)
      : updateDeliveries(db, webhook).where('changed_at', '>=', selection.since);
  const { numUpdatedRows } = await chosen
    .set({ state: 'waiting', next_attempt_at: now, first_attempt_at: null, attempts: 0 })
    .executeTakeFirst();
  if ('number' in selection && numUpdatedRows === 0n) throw notFound('The delivery');
  return Number(numUpdatedRows);
}

export async function listDeliveries(
  db: Database,
  webhook: WebhookKey,
  state: Delivery['state'] | undefined,
  slice: Slice,
): Promise<ListResult<Delivery>> {
  let found = selectDeliveries(db, webhook);
  if (state !== undefined) found = found.where('state', '=', state);
  const rows = found
    .select(columnsOf('webhook_delivery', Delivery, ['id', 'messageId', 'event']))
    .select(['webhook_id', 'number', 'created_at', 'type', 'action'])
    .orderBy('number', 'desc');
  const page = await readPage(rows, slice, 'number');
  return page.map(({ webhook_id, number, created_at, type, action, ...row }) => ({
    ...row,
    id: number,
    messageId: messageIdOf({ webhook_id, number, created_at }),
    event: `${type}.${action}` as WebhookEventName,
    nextAttemptAt: row.state === 'waiting' ? row.nextAttemptAt : null,
  }));
}
