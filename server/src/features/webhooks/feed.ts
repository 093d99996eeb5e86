import type { Change, ChangeType, WebhookEventName } from '@classledger/contract';
import type { Credential } from '../../access/credential.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../errors/app-error.ts';
import { cursorWithTypes } from '../change-feed/cursor.ts';
import { type FeedQuery, lookUpRecords, readChanges, reasonOf } from '../change-feed/read-changes.ts';
import type { DeliveryRow } from './deliveries.ts';

export async function currentCursor(
  data: SchoolData,
  permissions: Credential['permissions'],
  now: Date,
): Promise<string> {
  return (await readChanges(data, { permissions, now })).cursor;
}

interface FeedPage {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly hasMore: boolean;
  /** True when changes after the cursor have expired. */
  readonly hasMissedChanges: boolean;
}

/** Reads the changes after a cursor. The credential may read at least one of the types. */
export async function readFeed(
  data: SchoolData,
  query: FeedQuery & { readonly types: readonly ChangeType[]; readonly after: string },
): Promise<FeedPage> {
  try {
    const after = cursorWithTypes(query.after, query.types);
    const { list, ...next } = await readChanges(data, { ...query, after });
    return { changes: list, ...next, hasMissedChanges: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'cursor_expired') throw error;
    const cursor = await currentCursor(data, query.permissions, query.now);
    return { changes: [], cursor, hasMore: false, hasMissedChanges: true };
  }
}

/** Returns a key: deliveries with the same key are sent in order. A student and the student's points share a key. */
export function orderingKey({ type, id, record, tombstone }: Change): string {
  if (type !== 'score') return `${type} ${id}`;
  return `student ${record?.userId ?? tombstone?.userId ?? `of ${id}`}`;
}

export const eventName = ({ type, action }: Pick<Change, 'type' | 'action'>) =>
  `${type}.${action}` as WebhookEventName;

/** Leaves out deliveries whose record was deleted or restored since, because a later change reports that. */
export async function readMessages(
  data: SchoolData,
  rows: readonly DeliveryRow[],
): Promise<ReadonlyMap<number, Change>> {
  const isRemoval = ({ action }: DeliveryRow) => action === 'deleted' || action === 'revoked';
  const changed = rows.map(({ type, thing_id: id }) => ({ type, id }));
  const { records, closed } = await lookUpRecords(data, changed);
  const messages = new Map<number, Change>();
  for (const row of rows) {
    const { type, action, thing_id: id, changed_at: at } = row;
    const record = records.get(type)?.get(id) ?? null;
    if ((record === null) !== isRemoval(row)) continue;
    const tombstone = isRemoval(row) ? row.tombstone : null;
    messages.set(row.number, {
      type,
      action,
      id,
      at,
      record,
      tombstone,
      ...reasonOf(type, id, closed),
    } as Change);
  }
  return messages;
}
