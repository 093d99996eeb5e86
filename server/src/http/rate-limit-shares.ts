import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Clock } from '../time/clock.ts';

export const windowMs = 60_000;

export const limitChannel = 'classledger_limits';

export const bucketNames = ['total', 'write'] as const;
export type BucketName = (typeof bucketNames)[number];

export interface HeldShare {
  readonly max: number;
  readonly left: number;
  /** Start of the last window known here; null before the first grant. */
  readonly startedAt: number | null;
}

export interface GrantedShare {
  /** Given to this process by this claim. */
  readonly share: number;
  /** Given to all processes in this window. */
  readonly granted: number;
  /** The number of processes with a share of this window. */
  readonly holders: number;
  /** In milliseconds since 1970, by the database's clock. */
  readonly startedAt: number;
  /** Until the window ends; 0 or less when no window runs. */
  readonly msLeft: number;
}

export interface ShareClaim {
  readonly tokenId: number;
  readonly reads: number;
  readonly writes: number;
  readonly held: Readonly<Record<BucketName, HeldShare>>;
}

export type StoredWindow = Pick<GrantedShare, 'startedAt' | 'granted' | 'holders'>;

/** Claims shares of a credential's windows, for which all processes share one row. */
export async function claimShares(
  db: Database,
  clock: Clock | null,
  claim: ShareClaim,
): Promise<Record<BucketName, GrantedShare>> {
  return inTransaction(db, async (tx) => {
    const { at, ...stored } = await lockWindows(tx, clock, claim.tokenId);
    const granted = grantShares(stored, claim, at);
    const { total, write } = granted;
    if (total.share + write.share === 0) return granted;
    await tx
      .updateTable('rate_limit_window')
      .set({
        total_started_at: new Date(total.startedAt),
        total_granted: total.granted,
        total_holders: total.holders,
        write_started_at: new Date(write.startedAt),
        write_granted: write.granted,
        write_holders: write.holders,
      })
      .where('token_id', '=', claim.tokenId)
      .execute();
    if (Math.max(total.holders, write.holders) > 1) {
      const notice = JSON.stringify([claim.tokenId, total, write]);
      await sql`SELECT pg_notify(${limitChannel}, ${notice})`.execute(tx);
    }
    return granted;
  });
}

/** Locks the row of a credential, which it creates if needed. `at` is the database's time after that. */
async function lockWindows(tx: Transaction, clock: Clock | null, tokenId: number) {
  const never = new Date(0);
  const ms = (instant: RawBuilder<unknown>) =>
    sql<number>`floor(extract(epoch FROM greatest(${instant}, 'epoch')) * 1000)::float8`;
  const row = await tx
    .insertInto('rate_limit_window')
    .values({
      token_id: tokenId,
      ...{ total_started_at: never, total_granted: 0, total_holders: 0, total_part: 0 },
      ...{ write_started_at: never, write_granted: 0, write_holders: 0, write_part: 0 },
    })
    .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ total_part: 0 }))
    .returning([
      ms(sql`clock_timestamp()`).as('at'),
      ms(sql`total_started_at`).as('totalStartedAt'),
      'total_granted',
      'total_holders',
      ms(sql`write_started_at`).as('writeStartedAt'),
      'write_granted',
      'write_holders',
    ])
    .executeTakeFirstOrThrow();
  return {
    at: clock?.().getTime() ?? row.at,
    total: { startedAt: row.totalStartedAt, granted: row.total_granted, holders: row.total_holders },
    write: { startedAt: row.writeStartedAt, granted: row.write_granted, holders: row.write_holders },
  };
}

/**
 * Decides the shares of a claim. Grants neither bucket a share for writes when the other one is used up. A share covers
 * the waiting requests as far as the window allows. It may be larger, up to these limits:
 * - the first share, and shares of several processes: a 24th of the window, because more processes may come;
 * - later shares of a lone process: a sixth of the window, so that the process asks a dozen times a minute;
 * - all shares: half of the process's fraction of the remainder, so that several processes can use up the window.
 */
function grantShares(
  stored: Readonly<Record<BucketName, StoredWindow>>,
  { reads, writes, held }: ShareClaim,
  at: number,
): Record<BucketName, GrantedShare> {
  const [total, write] = bucketNames.map((name) => openWindow(stored[name], held[name], at)) as [
    OpenWindow,
    OpenWindow,
  ];
  const mayWrite = held.write.left + write.left > 0;
  const mayCount = held.total.left + total.left > 0;
  return {
    total: grant(total, (mayWrite ? reads + writes : reads) - held.total.left, at),
    write: grant(write, mayCount ? writes - held.write.left : 0, at),
  };
}

interface OpenWindow extends StoredWindow {
  readonly max: number;
  readonly left: number;
  readonly isRunning: boolean;
  /** Including the claiming process. */
  readonly holdersNow: number;
}

/** A window that begins in the future is over, because a clock was set back. */
function openWindow(stored: StoredWindow, { max, startedAt }: HeldShare, at: number): OpenWindow {
  const isRunning = stored.startedAt <= at && at < stored.startedAt + windowMs;
  if (!isRunning) return { ...stored, max, isRunning, left: max, holdersNow: 1 };
  const holdersNow = stored.startedAt === startedAt ? stored.holders : stored.holders + 1;
  return { ...stored, max, isRunning, left: Math.max(0, max - stored.granted), holdersNow };
}

function grant({ max, left, isRunning, holdersNow, ...stored }: OpenWindow, wanted: number, at: number) {
  if (wanted <= 0 || left === 0) return { ...stored, share: 0, msLeft: stored.startedAt + windowMs - at };
  const most = Math.ceil(max / (isRunning && holdersNow === 1 ? 6 : 24));
  const share = Math.min(left, Math.max(wanted, Math.min(Math.floor(left / (2 * holdersNow)), most)));
  const startedAt = isRunning ? stored.startedAt : at;
  return {
    share,
    granted: isRunning ? stored.granted + share : share,
    holders: holdersNow,
    startedAt,
    msLeft: startedAt + windowMs - at,
  };
}

/** Parses a payload of `limitChannel`. @throws SyntaxError for text of another form */
export const parseNotice = (notice: string) =>
  JSON.parse(notice) as readonly [tokenId: number, total: StoredWindow, write: StoredWindow];

export interface UnusedShare extends Readonly<Record<BucketName, Pick<HeldShare, 'left' | 'startedAt'>>> {
  readonly tokenId: number;
}

/** Returns unused shares, unless a newer window has begun. Locks rows in the order of credential ids. */
export async function returnShares(db: Database, unused: readonly UnusedShare[]): Promise<void> {
  if (unused.length === 0) return;
  const leftOf = (name: BucketName) => unused.map((each) => each[name].left);
  const startsOf = (name: BucketName) => unused.map((each) => new Date(each[name].startedAt ?? 0));
  await sql`
    UPDATE rate_limit_window AS w SET
      total_granted = total_granted - CASE WHEN total_started_at = total_known THEN total_left ELSE 0 END,
      write_granted = write_granted - CASE WHEN write_started_at = write_known THEN write_left ELSE 0 END
    FROM (
      SELECT unused.* FROM unnest(
        ${unused.map(({ tokenId }) => tokenId)}::bigint[],
        ${leftOf('total')}::integer[], ${startsOf('total')}::timestamptz[],
        ${leftOf('write')}::integer[], ${startsOf('write')}::timestamptz[]
      ) AS unused (token_id, total_left, total_known, write_left, write_known)
      JOIN rate_limit_window AS kept USING (token_id) ORDER BY token_id FOR UPDATE OF kept
    ) AS unused WHERE w.token_id = unused.token_id`.execute(db);
}

export async function removeEndedWindows(db: Database, clock: Clock | null): Promise<void> {
  const now = clock === null ? sql`clock_timestamp()` : sql`${clock()}::timestamptz`;
  await sql`
    DELETE FROM rate_limit_window
    WHERE greatest(total_started_at, write_started_at) < ${now} - interval '1 hour'`.execute(db);
}
