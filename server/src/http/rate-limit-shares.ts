import { CompiledQuery } from 'kysely';
import type { Database } from '../database/connect.ts';
import type { Clock } from '../time/clock.ts';

export const windowMs = 60_000;

export const limitChannel = 'classledger_limits';

export const bucketNames = ['total', 'write'] as const;
export type BucketName = (typeof bucketNames)[number];

export interface HeldShare {
  readonly max: number;
  readonly left: number;
  /** Start of the last window known here, in PostgreSQL's text; null before the first grant. */
  readonly startedAt: string | null;
}

export interface GrantedShare {
  /** Given to this process by this statement. */
  readonly share: number;
  /** Given to all processes in this window. */
  readonly granted: number;
  readonly holders: number;
  readonly startedAt: string;
  /** Until the window ends; 0 or less when no window runs. */
  readonly msLeft: number;
}

export interface ShareClaim {
  readonly tokenId: number;
  readonly reads: number;
  readonly writes: number;
  readonly held: Readonly<Record<BucketName, HeldShare>>;
}

/**
 * Claims shares of a credential's windows, for which all processes share one row. A share covers the waiting requests
 * as far as the window allows. It may be larger, up to these limits:
 * - the first share, and shares of several processes: a 24th of the window, because more processes may come;
 * - later shares of a lone process: a sixth of the window, so that the process asks a dozen times a minute;
 * - all shares: half of the process's fraction of the remainder, so that several processes can use up the window.
 */
export async function claimShares(
  db: Database,
  clock: Clock | null,
  { tokenId, reads, writes, held: { total, write } }: ShareClaim,
): Promise<Record<BucketName, GrantedShare>> {
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(statement, [
      tokenId,
      clock?.().toISOString() ?? null,
      reads,
      writes,
      total.max,
      total.left,
      total.startedAt,
      write.max,
      write.left,
      write.startedAt,
    ]),
  );
  const row = rows[0] as Row;
  const granted = (bucket: BucketName): GrantedShare => ({
    share: row[`${bucket}_part`],
    granted: row[`${bucket}_granted`],
    holders: row[`${bucket}_holders`],
    startedAt: row[`${bucket}_started_at`],
    msLeft: row[`${bucket}_ms_left`],
  });
  return { total: granted('total'), write: granted('write') };
}

type Row = {
  readonly [C in `${BucketName}_${'part' | 'granted' | 'holders' | 'ms_left'}`]: number;
} & { readonly [C in `${BucketName}_started_at`]: string };

const forEachBucket = (text: (bucket: BucketName) => string) => bucketNames.map(text).join(', ');
const columns = forEachBucket((b) => `${b}_started_at, ${b}_granted, ${b}_holders, ${b}_part`);

/** Keeps PostgreSQL from copying a subquery into the outer query, so that planning takes 0.5 ms instead of 10. */
const once = ' OFFSET 0';

/** Leaves both buckets unchanged when one refuses. A window in the future is over, because a clock was set back. */
const decide = (row: string) => `
  SELECT ${forEachBucket(
    (b) => `
    CASE WHEN ${b}_part > 0 AND NOT ${b}_runs THEN at ELSE ${b}_started_at END,
    CASE WHEN ${b}_part > 0 AND NOT ${b}_runs THEN ${b}_part ELSE ${b}_granted + ${b}_part END,
    CASE WHEN ${b}_part = 0 THEN ${b}_held_by WHEN ${b}_runs THEN ${b}_holders ELSE 1 END,
    ${b}_part`,
  )}
  FROM (SELECT *, ${forEachBucket(
    (b) => `
      CASE WHEN ${b}_wanted > 0 THEN least(${b}_left, greatest(
        ${b}_wanted, 1, least(${b}_left / (2 * ${b}_holders),
        CASE WHEN ${b}_runs AND ${b}_holders = 1 THEN (${b}_max + 5) / 6 ELSE (${b}_max + 23) / 24 END))) ELSE 0 END AS ${b}_part`,
  )}
  FROM (SELECT *,
      reads + CASE WHEN write_held + write_left > 0 THEN writes ELSE 0 END - total_held AS total_wanted,
      CASE WHEN total_held + total_left > 0 THEN writes - write_held ELSE 0 END AS write_wanted
  FROM (SELECT *, ${forEachBucket(
    (b) => `
      CASE WHEN ${b}_runs THEN greatest(0, ${b}_max - ${b}_granted) ELSE ${b}_max END AS ${b}_left,
      CASE WHEN NOT ${b}_runs THEN 1 WHEN ${b}_started_at = ${b}_known THEN ${b}_held_by
        ELSE ${b}_held_by + 1 END AS ${b}_holders`,
  )}
  FROM (SELECT *, ${forEachBucket((b) => `${b}_started_at <= at AND at < ${b}_started_at + interval '1 minute' AS ${b}_runs`)}
  FROM (VALUES (${row})) AS before (${forEachBucket((b) => `${b}_started_at, ${b}_granted, ${b}_held_by`)}),
    (VALUES ($3::integer, $4::integer, $5::integer, $6::integer, $7::timestamptz,
      $8::integer, $9::integer, $10::timestamptz)) AS asking
      (reads, writes, total_max, total_held, total_known, write_max, write_held, write_known),
    (SELECT coalesce($2::timestamptz, clock_timestamp()) AS at) AS moment
  ${once}) AS running${once}) AS room${once}) AS wanting${once}) AS given`;

const unknown = forEachBucket(() => `'-infinity'::timestamptz, 0, 0`);
const known = forEachBucket((b) => `w.${b}_started_at, w.${b}_granted, w.${b}_holders`);

const statement = `
  INSERT INTO rate_limit_window AS w (token_id, ${columns})
  SELECT $1::bigint, decided.* FROM (${decide(unknown)}) AS decided
  ON CONFLICT (token_id) DO UPDATE SET (${columns}) = (${decide(known)})
  RETURNING ${forEachBucket(
    (b) => `${b}_part, ${b}_granted, ${b}_holders, ${b}_started_at::text,
    CASE WHEN isfinite(${b}_started_at) THEN extract(epoch FROM ${b}_started_at + interval '1 minute'
      - coalesce($2::timestamptz, clock_timestamp()))::float8 * 1000 ELSE 0 END AS ${b}_ms_left`,
  )}, CASE WHEN greatest(total_holders, write_holders) > 1 AND total_part + write_part > 0 THEN
    pg_notify('${limitChannel}', json_build_array(token_id, ${forEachBucket(
      (b) =>
        `json_build_object('startedAt', ${b}_started_at::text, 'granted', ${b}_granted, 'holders', ${b}_holders)`,
    )})::text) END`;

export type AnnouncedWindows = Readonly<
  Record<BucketName, Pick<GrantedShare, 'startedAt' | 'granted' | 'holders'>>
>;

/** Parses a payload of `limitChannel`. @throws SyntaxError, TypeError for text of another form */
export function parseNotice(notice: string): {
  readonly tokenId: number;
  readonly windows: AnnouncedWindows;
} {
  const [tokenId, total, write] = JSON.parse(notice) as [
    number,
    AnnouncedWindows['total'],
    AnnouncedWindows['write'],
  ];
  return { tokenId, windows: { total, write } };
}

export interface UnusedShare {
  readonly tokenId: number;
  readonly total: { readonly left: number; readonly startedAt: string | null };
  readonly write: { readonly left: number; readonly startedAt: string | null };
}

/** Returns unused shares, unless a newer window has begun. Locks rows in the order of credential ids. */
export async function returnShares(db: Database, unused: readonly UnusedShare[]): Promise<void> {
  if (unused.length === 0) return;
  const inOrder = unused.toSorted((a, b) => a.tokenId - b.tokenId);
  await db.executeQuery(
    CompiledQuery.raw(
      `UPDATE rate_limit_window AS w SET ${forEachBucket(
        (b) =>
          `${b}_granted = ${b}_granted - CASE WHEN ${b}_started_at = ${b}_known THEN ${b}_left ELSE 0 END`,
      )}
      FROM (
        SELECT unused.* FROM unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::timestamptz[])
          AS unused (token_id, total_left, total_known, write_left, write_known)
        JOIN rate_limit_window AS kept USING (token_id) ORDER BY token_id FOR UPDATE OF kept
      ) AS unused WHERE w.token_id = unused.token_id`,
      [
        inOrder.map(({ tokenId }) => tokenId),
        ...bucketNames.flatMap((b) => [
          inOrder.map((each) => each[b].left),
          inOrder.map((each) => each[b].startedAt),
        ]),
      ],
    ),
  );
}

export async function removeEndedWindows(db: Database, clock: Clock | null): Promise<void> {
  await db.executeQuery(
    CompiledQuery.raw(
      `DELETE FROM rate_limit_window
       WHERE greatest(total_started_at, write_started_at)
         < coalesce($1::timestamptz, clock_timestamp()) - interval '1 hour'`,
      [clock?.().toISOString() ?? null],
    ),
  );
}
