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

/** At once to one receiver. */
const toOneMax = 4;
/** Read of the changes, and of what waits, at once. */
const batchMax = 50;
/** What was looked up is not sent later than that: it may have had to wait for others. */
const freshMs = 5_000;
/** With so many waiting, no more are read: the changes keep them. */
const waitingMax = 500;
/** A cursor that is not moved for long would be too old one day. */
const cursorLastsMs = 3_600_000;

export interface DeliveringParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sender: Sender;
  /** The process to which webhooks belong. */
  readonly me: string;
  /** Whether they still do, and nothing keeps it from sending. */
  readonly mayGoOn: () => boolean;
  readonly cut: AbortSignal;
  readonly told: (outcome: Outcome) => void;
  readonly stopped: (row: WebhookRow, why: NonNullable<WebhookRow['stopped_because']>) => Promise<void>;
  /** Changes that cannot be told any more. */
  readonly missed: (row: WebhookRow) => Promise<void>;
}

/** A webhook that may be delivered to now, as it was looked up; paused, resumed or changed by people at any time. */
interface Ready {
  readonly row: WebhookRow;
  readonly place: Place;
  readonly data: SchoolData;
  readonly credential: Credential;
  readonly secrets: readonly string[];
  /** Those that it asks for and its credential may read. */
  readonly types: readonly ChangeType[];
}

/**
 * Delivers to one webhook of this process until nothing is due: reads changes, and sends those that wait, the ones of a
 * line one after the other. What is stored decides alone; whoever comes after a killed process goes on from there.
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

/** @returns null where nothing is to be sent now */
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
  // It says so where it is listed, and goes on from here when it may.
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

/** Turns changes into deliveries that wait, and moves the cursor with them. @returns whether there may be more to do */
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
    // Another process has taken it over, and reads for itself.
    if (numUpdatedRows > 0n) await addDeliveries(tx, data.through(tx), rows);
    return numUpdatedRows > 0n;
  });
  if (missed && isMine) await parts.missed(row);
  return changes.length > 0 || hasMore;
}

/**
 * Sends what is due and comes first in its line, a few at once. Before these, everything is looked up again: the webhook and its
 * credential may have been changed meanwhile, and so may what is told.
 *
 * @returns whether there may be more
 */
async function sendDue(parts: DeliveringParts, { row, place }: Ready): Promise<boolean> {
  const { db, clock, mayGoOn } = parts;
  // One alone finds out whether the receiver is back.
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
  // What was not begun, or cut off by the stop of this process, says nothing about the receiver.
  if (outcome === null || (cut.aborted && !outcome.delivered)) return;
  told(outcome);
  streak.add(outcome, head.attempts === 0, clock());
  await settleDelivery(db, head, afterAttempt(head, outcome, streak, clock()));
}

/**
 * What an attempt makes of a delivery. One that is never taken is given up, unless nothing at all is: then it waits for the
 * receiver, however long.
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

/** Attempts of a batch, as far as they tell of the receiver. */
class Streak {
  failures: number;
  failingSince: string | null;
  succeededAt: Date | null = null;
  isGone = false;
  /** The receiver is not there, or wants nothing more: the others wait. */
  isOver = false;
  retryAfterMs: number | null = null;

  constructor({ failures, failing_since }: WebhookRow) {
    this.failures = failures;
    this.failingSince = failing_since;
  }

  /** @param isFirst of its message: one that is never taken, however often it is tried, keeps no others waiting */
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
  // The receiver is back: nothing waits any longer for a time that was meant for its absence.
  if (row.failures >= failuresUntilRest && failures === 0) await hurryWaiting(db, place, now, false);
}

/** The server itself stops sending, and says so where people look. */
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
