import { type Change, type ChangeType, changeTypes, permissionOfChange } from '@classledger/contract';
import type { Credential } from '../../access/credential.ts';
import { assertUsable, selectCredentials, toCredentials } from '../../access/credential.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import { AppError } from '../../app-error.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import {
  addDeliveries,
  countWaiting,
  type DeliveryRow,
  dueHeads,
  hurryWaiting,
  type Place,
  settleDelivery,
} from './deliveries.ts';
import { eventOf, lineOf, presentOf, readOn } from './feed.ts';
import { failuresUntilRest, givenUpAfterMs, waitAfter } from './retry-plan.ts';
import type { Outcome, Sender } from './sender.ts';
import { asksFor, messageIdOf, openSecrets, type WebhookRow } from './stored-webhooks.ts';

const toOneMax = 4;
const batchMax = 50;
/** Records read longer ago than this are not sent: sends may wait in a queue. */
const freshMs = 5_000;
/** With this many waiting deliveries, no more changes are read; the feed keeps them. */
const waitingMax = 500;
/** An unmoved cursor expires in the end, so it moves at least this often. */
const cursorLastsMs = 3_600_000;

export interface DeliveringParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sender: Sender;
  readonly me: string;
  /** Whether this process still owns its webhooks and is not stopping. */
  readonly mayGoOn: () => boolean;
  readonly cut: AbortSignal;
  readonly told: (outcome: Outcome) => void;
  readonly stopped: (row: WebhookRow, why: NonNullable<WebhookRow['stopped_because']>) => Promise<void>;
  readonly missed: (row: WebhookRow) => Promise<void>;
}

/** A webhook that may be delivered to now. People may change it at any time. */
interface Ready {
  readonly row: WebhookRow;
  readonly place: Place;
  readonly data: SchoolData;
  readonly credential: Credential;
  readonly secrets: readonly string[];
  /** Types that the webhook asks for and the credential may read. */
  readonly types: readonly ChangeType[];
}

/**
 * Delivers to one webhook of this process until nothing is due. All state is in the database, so another process can
 * continue after a kill.
 */
export async function deliver(parts: DeliveringParts, id: number): Promise<void> {
  while (parts.mayGoOn()) {
    const ready = await lookUp(parts, id);
    if (ready === null) return;
    const read = await collect(parts, ready);
    const sent = parts.mayGoOn() && (await sendDue(parts, ready));
    if (!read && !sent) return;
  }
}

async function lookUp(parts: DeliveringParts, id: number): Promise<Ready | null> {
  const { db, clock, sealing, me } = parts;
  const now = clock();
  const row = await db
    .selectFrom('webhook')
    .where('id', '=', id)
    .where('owner', '=', me)
    .where('active', '=', true)
    .selectAll()
    .executeTakeFirst();
  if (!row || (row.retry_at !== null && Date.parse(row.retry_at) > now.getTime())) return null;
  const found = await selectCredentials(db).where('k.id', '=', row.token_id).execute();
  const [credential] = await toCredentials(db, found);
  if (!credential || !isUsable(credential, now)) return null;
  const secrets = openSecrets(sealing, row, now);
  if (secrets === null) {
    await stop(parts, row, 'secret');
    return null;
  }
  const types = changeTypes.filter(
    (type) =>
      credential.permissions.has(permissionOfChange[type]) &&
      row.events.some((event) => event.startsWith(`${type}.`)),
  );
  // The webhook's listing names the missing permissions. Deliveries continue from its cursor once they are granted.
  if (types.length === 0) return null;
  const place = { schoolId: row.school_id, webhookId: id };
  return { row, place, data: new SchoolData(db, credential.range), credential, secrets, types };
}

function isUsable(credential: Credential, now: Date): boolean {
  try {
    assertUsable(credential, now);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Stores changes as waiting deliveries and moves the cursor in the same transaction. Returns whether there may be more.
 */
async function collect(parts: DeliveringParts, ready: Ready): Promise<boolean> {
  const { db, clock, me } = parts;
  const { row, place, data, credential, types } = ready;
  if ((await countWaiting(db, place)) >= waitingMax) return false;
  const now = clock();
  const read = await readOn(data, credential.permissions, types, row.cursor, batchMax, now);
  const { changes, cursor, hasMore, missed } = read;
  const isStale = now.getTime() - Date.parse(row.cursor_at) > cursorLastsMs;
  if (changes.length === 0 && !hasMore && !missed && !isStale) return false;
  const wanted = changes.filter((change) => asksFor(row.events, eventOf(change)));
  const rows = wanted.map((change, index) => ({
    school_id: place.schoolId,
    created_at: now,
    webhook_id: row.id,
    number: row.next_number + index,
    type: change.type,
    action: change.action,
    thing_id: change.id,
    changed_at: change.at,
    line: lineOf(change),
    tombstone: change.tombstone && JSON.stringify(change.tombstone),
    state: 'waiting' as const,
    next_attempt_at: now,
  }));
  const isMine = await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('webhook')
      .where('id', '=', row.id)
      .where('owner', '=', me)
      .where('cursor', '=', row.cursor)
      .set({
        cursor,
        cursor_at: now,
        next_number: row.next_number + rows.length,
        ...(missed && { missed_at: now }),
      })
      .executeTakeFirst();
    // Otherwise another process has taken over and reads the changes itself.
    if (numUpdatedRows > 0n) await addDeliveries(tx, data.through(tx), rows);
    return numUpdatedRows > 0n;
  });
  if (missed && isMine) await parts.missed(row);
  return changes.length > 0 || hasMore;
}

/**
 * Sends due deliveries, a few in parallel. Reads webhook, credential and records again for each group, because they may
 * have changed.
 * @returns whether deliveries were due
 */
async function sendDue(parts: DeliveringParts, { row, place }: Ready): Promise<boolean> {
  const { db, clock, mayGoOn } = parts;
  // After several failures, one delivery probes whether the receiver is back.
  const tried = row.failures >= failuresUntilRest ? 'least' : 'ever';
  const heads = await dueHeads(db, place, clock(), tried, batchMax);
  if (heads.length === 0) return false;
  const streak = new Streak(row);
  for (let i = 0; i < heads.length && !streak.isOver && mayGoOn(); i += toOneMax) {
    const ready = await lookUp(parts, row.id);
    if (ready === null) break;
    const lookedUpAt = performance.now();
    const isFresh = () => mayGoOn() && performance.now() - lookedUpAt < freshMs;
    const some = heads.slice(i, i + toOneMax);
    const said = await presentOf(ready.data, some);
    await Promise.all(
      some.map((head) => sendOne(parts, ready, head, said.get(head.number), streak, isFresh)),
    );
  }
  await keepStreak(parts, row, place, streak);
  return true;
}

async function sendOne(
  { db, clock, sender, cut, told }: DeliveringParts,
  { row, secrets, types }: Ready,
  head: DeliveryRow,
  entry: Change | undefined,
  streak: Streak,
  isFresh: () => boolean,
): Promise<void> {
  const event = eventOf(head);
  if (!entry || !types.includes(head.type) || !asksFor(row.events, event)) {
    await settleDelivery(db, head, { state: 'skipped' });
    return;
  }
  const message = { id: messageIdOf(head), type: event, timestamp: head.changed_at, data: entry };
  const outcome = await sender.send(row.school_id, row.url, secrets, message, clock(), cut, isFresh);
  // Only an attempt that began and that this process let finish says anything about the receiver.
  if (outcome === null || (cut.aborted && !outcome.delivered)) return;
  told(outcome);
  streak.add(outcome, head.attempts === 0, clock());
  await settleDelivery(db, head, afterAttempt(head, outcome, streak, clock()));
}

/**
 * Gives up a message that fails for three days, unless the receiver has failed completely for as long; then it waits.
 */
function afterAttempt(head: DeliveryRow, outcome: Outcome, { failingSince }: Streak, now: Date) {
  const attempts = head.attempts + 1;
  const firstAt = head.first_attempt_at ?? now.toISOString();
  const isOver = (since: string) => now.getTime() - Date.parse(since) >= givenUpAfterMs;
  const isGivenUp = failingSince !== null && isOver(firstAt) && !isOver(failingSince);
  return {
    attempts,
    first_attempt_at: firstAt,
    last_attempt_at: now.toISOString(),
    next_attempt_at: new Date(now.getTime() + waitAfter(attempts, outcome.retryAfterMs)).toISOString(),
    state: outcome.delivered
      ? ('delivered' as const)
      : isGivenUp
        ? ('failed' as const)
        : ('waiting' as const),
    status_code: outcome.statusCode,
    latency_ms: outcome.latencyMs,
    error: outcome.error,
  };
}

/** The receiver's health, from the attempts of a batch. */
class Streak {
  failures: number;
  failingSince: string | null;
  succeededAt: Date | null = null;
  isGone = false;
  /** The receiver is down or gone: the other deliveries wait. */
  isOver = false;
  retryAfterMs: number | null = null;

  constructor({ failures, failing_since }: WebhookRow) {
    this.failures = failures;
    this.failingSince = failing_since;
  }

  /**
   * @param isFirst whether it is the message's first attempt; repeated failures of one message do not stop the others
   */
  add({ delivered, statusCode, retryAfterMs }: Outcome, isFirst: boolean, now: Date): void {
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
    this.isOver = this.isGone || this.failures >= failuresUntilRest;
  }
}

async function keepStreak(
  parts: DeliveringParts,
  row: WebhookRow,
  place: Place,
  streak: Streak,
): Promise<void> {
  const { db, clock, me } = parts;
  const now = clock();
  const { failures, failingSince, succeededAt } = streak;
  const rests = failures >= failuresUntilRest;
  await db
    .updateTable('webhook')
    .where('id', '=', row.id)
    .where('owner', '=', me)
    .set({
      failures,
      failing_since: failingSince,
      retry_at: rests ? new Date(now.getTime() + waitAfter(failures, streak.retryAfterMs)) : null,
      ...(succeededAt && { last_delivered_at: succeededAt }),
    })
    .execute();
  if (streak.isGone) return stop(parts, row, 'gone');
  if (failingSince !== null && now.getTime() - Date.parse(failingSince) >= givenUpAfterMs) {
    return stop(parts, row, 'failed');
  }
  // The receiver is back: send at once what was delayed by its absence.
  if (row.failures >= failuresUntilRest && failures === 0) await hurryWaiting(db, place, now, false);
}

/** Deactivates the webhook with a reason, and reports it unless the webhook had changed meanwhile. */
async function stop(
  { db, me, stopped }: DeliveringParts,
  row: WebhookRow,
  why: NonNullable<WebhookRow['stopped_because']>,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('webhook')
    .where('id', '=', row.id)
    .where('owner', '=', me)
    .where('active', '=', true)
    .set({ active: false, stopped_because: why, owner: null, owned_until: null })
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await stopped(row, why);
}
