import {
  type AdministratorEvent,
  type Change,
  type ChangeType,
  changeTypes,
  permissionOfChange,
} from '@classledger/contract';
import type { Log } from '../../access/account-events.ts';
import { type Credential, selectCredentials, statusOf, toCredentials } from '../../access/credential.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Clock } from '../../time/clock.ts';
import {
  addDeliveries,
  countWaiting,
  type DeliveryChange,
  type DeliveryRow,
  findDueDeliveries,
  retryWaitingNow,
  storeResult,
} from './deliveries.ts';
import { eventName, orderingKey, readFeed, readMessages } from './feed.ts';
import { decryptSecrets, includesEvent, messageIdOf, type WebhookRow } from './stored-webhooks.ts';
import type { AttemptResult, WebhookSender } from './webhook-sender.ts';

const parallelToOneMax = 4;
const batchMax = 50;
/** Records read longer ago than this are read again, because a send can wait in a queue. */
const recordMaxAgeMs = 5_000;
/** With this many waiting deliveries, no more changes are read; the feed keeps them. */
const waitingMax = 500;
/** Cursors expire, so a webhook without changes gets a new cursor at least this often. */
const cursorMaxAgeMs = 3_600_000;
/** The server gives up a message that failed for this long, and stops a webhook whose every delivery failed for this long. */
const giveUpAfterMs = 3 * 86_400_000;
/** After this many consecutive failures, the receiver counts as down and all its deliveries wait. */
const failuresUntilPause = 3;

const firstMs = 5_000;
const longestMs = 3_600_000;

/** Returns milliseconds: 5 s, 15 s, 45 s and so on, at most an hour. Jitter of 10 % spreads the retries. */
function retryWaitMs(failures: number, retryAfterMs: number | null): number {
  const planned = Math.min(firstMs * 3 ** (failures - 1), longestMs) * (0.9 + Math.random() / 5);
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, longestMs)));
}

export interface DeliveryServices {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sender: WebhookSender;
  readonly log: Log;
  readonly onAttempt: (outcome: AttemptResult) => void;
}

export interface DeliveryContext extends DeliveryServices {
  readonly owner: string;
  /** Whether this process still owns its webhooks and is not stopping. */
  readonly mayContinue: () => boolean;
  readonly cut: AbortSignal;
}

interface ActiveWebhook {
  readonly row: WebhookRow;
  readonly data: SchoolData;
  readonly credential: Credential;
  readonly secrets: readonly string[];
  /** Types that the webhook asks for and the credential may read. */
  readonly types: readonly ChangeType[];
}

/** Delivers until nothing is due. All state is in the database, so another process can continue after a kill. */
export async function deliverDueChanges(context: DeliveryContext, id: number): Promise<void> {
  while (context.mayContinue()) {
    const ready = await readActiveWebhook(context, id);
    if (ready === null) return;
    const read = await storeNewChanges(context, ready);
    const sent = context.mayContinue() && (await sendDue(context, ready));
    if (!read && !sent) return;
  }
}

async function readActiveWebhook(context: DeliveryContext, id: number): Promise<ActiveWebhook | null> {
  const { db, clock, sealing, owner } = context;
  const now = clock();
  const row = await db
    .selectFrom('webhook')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('active', '=', true)
    .selectAll()
    .executeTakeFirst();
  if (!row || (row.retry_at !== null && Date.parse(row.retry_at) > now.getTime())) return null;
  const found = await selectCredentials(db).where('k.id', '=', row.token_id).execute();
  const [credential] = await toCredentials(db, found);
  if (!credential || statusOf(credential, now) !== 'enabled') return null;
  const secrets = decryptSecrets(sealing, row, now);
  if (secrets === null) {
    await stopWebhook(context, row, 'secret');
    return null;
  }
  const types = changeTypes.filter(
    (type) =>
      credential.permissions.has(permissionOfChange[type]) &&
      row.events.some((event) => event.startsWith(`${type}.`)),
  );
  // The cursor stays, so deliveries continue from it when the missing permissions are granted.
  if (types.length === 0) return null;
  return { row, data: new SchoolData(db, credential.range), credential, secrets, types };
}

/** Stores deliveries and moves the cursor in one transaction. Returns true when there can be more changes. */
async function storeNewChanges(context: DeliveryContext, ready: ActiveWebhook): Promise<boolean> {
  const { db, clock, owner } = context;
  const { row, data, credential, types } = ready;
  if ((await countWaiting(db, row)) >= waitingMax) return false;
  const now = clock();
  const query = { permissions: credential.permissions, types, after: row.cursor, limit: batchMax, now };
  const { changes, cursor, hasMore, hasMissedChanges } = await readFeed(data, query);
  const isStale = now.getTime() - Date.parse(row.cursor_at) > cursorMaxAgeMs;
  if (changes.length === 0 && !hasMore && !hasMissedChanges && !isStale) return false;
  const wanted = changes.filter((change) => includesEvent(row.events, eventName(change)));
  const rows = wanted.map((change, index) => ({
    school_id: row.school_id,
    created_at: now,
    webhook_id: row.id,
    number: row.next_number + index,
    type: change.type,
    action: change.action,
    thing_id: change.id,
    changed_at: change.at,
    line: orderingKey(change),
    tombstone: change.tombstone && JSON.stringify(change.tombstone),
    state: 'waiting' as const,
    next_attempt_at: now,
  }));
  const isOwned = await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('webhook')
      .where('id', '=', row.id)
      .where('owner', '=', owner)
      .where('cursor', '=', row.cursor)
      .set({
        cursor,
        cursor_at: now,
        next_number: row.next_number + rows.length,
        ...(hasMissedChanges && { missed_at: now }),
      })
      .executeTakeFirst();
    // Otherwise another process has taken over and reads the changes itself.
    if (numUpdatedRows > 0n) await addDeliveries(tx, data.withConnection(tx), rows);
    return numUpdatedRows > 0n;
  });
  if (hasMissedChanges && isOwned) await recordProblem(context, 'webhookMissed', row, 'cursor');
  return changes.length > 0 || hasMore;
}

/** Sends due deliveries in small groups, after reading webhook and records again. @returns whether any were due */
async function sendDue(context: DeliveryContext, { row }: ActiveWebhook): Promise<boolean> {
  const { db, clock, mayContinue } = context;
  // After several failures, sends one delivery to test whether the receiver is back.
  const choice = row.failures >= failuresUntilPause ? 'fewest attempts' : 'all';
  const heads = await findDueDeliveries(db, row, clock(), choice, batchMax);
  if (heads.length === 0) return false;
  const health = new ReceiverHealth(row);
  for (let i = 0; i < heads.length && !health.mustPause && mayContinue(); i += parallelToOneMax) {
    const ready = await readActiveWebhook(context, row.id);
    if (ready === null) break;
    const lookedUpAt = performance.now();
    const isFresh = () => mayContinue() && performance.now() - lookedUpAt < recordMaxAgeMs;
    const some = heads.slice(i, i + parallelToOneMax);
    const messages = await readMessages(ready.data, some);
    const send = (head: DeliveryRow) =>
      sendOne(context, ready, { head, entry: messages.get(head.number), health, isFresh });
    await Promise.all(some.map(send));
  }
  await storeHealth(context, row, health);
  return true;
}

interface DueMessage {
  readonly head: DeliveryRow;
  readonly entry: Change | undefined;
  readonly health: ReceiverHealth;
  readonly isFresh: () => boolean;
}

async function sendOne(
  { db, clock, sender, cut, onAttempt }: DeliveryContext,
  { row, secrets, types }: ActiveWebhook,
  { head, entry, health, isFresh }: DueMessage,
): Promise<void> {
  const event = eventName(head);
  if (!entry || !types.includes(head.type) || !includesEvent(row.events, event)) {
    await storeResult(db, head, { state: 'skipped' });
    return;
  }
  const message = { id: messageIdOf(head), type: event, timestamp: head.changed_at, data: entry };
  const call = { schoolId: row.school_id, url: row.url, secrets, message, at: clock() };
  const outcome = await sender.send(call, cut, isFresh);
  // Ignores attempts that this process held back or aborted, because they say nothing about the receiver.
  if (outcome === null || (cut.aborted && !outcome.delivered)) return;
  onAttempt(outcome);
  health.add(outcome, head.attempts === 0, clock());
  await storeResult(db, head, attemptResult(head, outcome, health, clock()));
}

/** Gives up a message after three days, unless the receiver failed completely for as long; then the message waits. */
function attemptResult(
  head: DeliveryRow,
  outcome: AttemptResult,
  { failingSince }: ReceiverHealth,
  now: Date,
): DeliveryChange {
  const attempts = head.attempts + 1;
  const firstAt = head.first_attempt_at ?? now.toISOString();
  const isOver = (since: string) => now.getTime() - Date.parse(since) >= giveUpAfterMs;
  const isGivenUp = failingSince !== null && isOver(firstAt) && !isOver(failingSince);
  return {
    attempts,
    first_attempt_at: firstAt,
    last_attempt_at: now.toISOString(),
    next_attempt_at: new Date(now.getTime() + retryWaitMs(attempts, outcome.retryAfterMs)).toISOString(),
    state: outcome.delivered ? 'delivered' : isGivenUp ? 'failed' : 'waiting',
    status_code: outcome.statusCode,
    latency_ms: outcome.latencyMs,
    error: outcome.error,
  };
}

class ReceiverHealth {
  failures: number;
  failingSince: string | null;
  succeededAt: Date | null = null;
  isGone = false;
  /** True when the receiver is down or gone, so the other deliveries wait. */
  mustPause = false;
  retryAfterMs: number | null = null;

  constructor({ failures, failing_since }: WebhookRow) {
    this.failures = failures;
    this.failingSince = failing_since;
  }

  /** @param isFirst true for the first attempt of a message; only its failure counts, so other messages go on */
  add({ delivered, statusCode, retryAfterMs }: AttemptResult, isFirst: boolean, now: Date): void {
    if (delivered) {
      this.failures = 0;
      this.failingSince = null;
      this.succeededAt = now;
      return;
    }
    if (isFirst) this.failures++;
    this.failingSince ??= now.toISOString();
    this.retryAfterMs = retryAfterMs;
    if (statusCode === 410) this.isGone = true;
    this.mustPause = this.isGone || this.failures >= failuresUntilPause;
  }
}

async function storeHealth(context: DeliveryContext, row: WebhookRow, health: ReceiverHealth): Promise<void> {
  const { db, clock, owner } = context;
  const now = clock();
  const { failures, failingSince, succeededAt } = health;
  const isPaused = failures >= failuresUntilPause;
  await db
    .updateTable('webhook')
    .where('id', '=', row.id)
    .where('owner', '=', owner)
    .set({
      failures,
      failing_since: failingSince,
      retry_at: isPaused ? new Date(now.getTime() + retryWaitMs(failures, health.retryAfterMs)) : null,
      ...(succeededAt && { last_delivered_at: succeededAt }),
    })
    .execute();
  if (health.isGone) return stopWebhook(context, row, 'gone');
  if (failingSince !== null && now.getTime() - Date.parse(failingSince) >= giveUpAfterMs) {
    return stopWebhook(context, row, 'failed');
  }
  // The receiver is back, so sends the delayed deliveries at once.
  if (row.failures >= failuresUntilPause && failures === 0) await retryWaitingNow(db, row, now, false);
}

/** Deactivates the webhook with a reason, and reports it unless the webhook had changed meanwhile. */
async function stopWebhook(
  context: DeliveryContext,
  row: WebhookRow,
  why: NonNullable<WebhookRow['stopped_because']>,
): Promise<void> {
  const { numUpdatedRows } = await context.db
    .updateTable('webhook')
    .where('id', '=', row.id)
    .where('owner', '=', context.owner)
    .where('active', '=', true)
    .set({ active: false, stopped_because: why, owner: null, owned_until: null })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await recordProblem(context, 'webhookStopped', row, why);
}

/** Logs a stopped webhook or missed changes, and adds a line to the activity log under the credential's issuer. */
async function recordProblem(
  { db, clock, log }: DeliveryServices,
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
