import type { ChangeType } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../access/school-data.ts';

// Code that changes data of the external API's lists records the change here, in the same transaction. It keeps the
// classes locked until the commit, so that the recorded place is still true then.

/** `gradeId` 0 means the whole school or, together with a class, only the ranges of that class. */
export interface PlaceOfChange {
  readonly gradeId: number;
  readonly classId: number | null;
}

export interface NewChange {
  readonly type: ChangeType;
  readonly ids: readonly number[];
  readonly before: PlaceOfChange | null;
  readonly after: PlaceOfChange | null;
  /** True when only the place of the rows changed, because a class or student moved, or a class or grade is gone. */
  readonly onlyPlaceChanged?: boolean;
  /** Names by id, for readers of the feed that can no longer look up the rows. */
  readonly keys?: object;
}

export const wholeSchool: PlaceOfChange = { gradeId: 0, classId: null };

/** Returns the transaction id for cursors. Runs separately: a node returns its own id within another statement. */
export async function transactionId(data: SchoolData): Promise<string> {
  const [found] = await data.run<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid', []);
  return (found as { xid: string }).xid;
}

const columns = sql`school_id, created_at, xid, type, ids, grade_before, class_before, grade_after, class_after, along, keys`;

/**
 * Adds the changes that a query returns to the change feed, within the current transaction.
 *
 * @param found `SELECT type, ids, grade_before, class_before, grade_after, class_after, along, keys FROM ...`
 */
export async function recordSelectedChanges(
  data: SchoolData,
  at: Date,
  found: RawBuilder<unknown>,
): Promise<void> {
  const xid = await transactionId(data);
  await data.execute(sql`
    INSERT INTO change (${columns})
    SELECT ${data.schoolId}::bigint, ${at.toISOString()}::timestamptz, ${xid}::xid8, found.* FROM (${found}) AS found`);
}

/** Adds changes to the change feed, within the current transaction. */
export async function recordChanges(
  data: SchoolData,
  at: Date,
  changes: readonly NewChange[],
): Promise<void> {
  const rows = changes
    .filter(({ ids }) => ids.length > 0)
    .map(({ type, ids, before, after, onlyPlaceChanged = false, keys = null }) => ({
      type,
      ids,
      grade_before: before?.gradeId,
      class_before: before?.classId,
      grade_after: after?.gradeId,
      class_after: after?.classId,
      along: onlyPlaceChanged,
      keys,
    }));
  if (rows.length === 0) return;
  const found = sql`
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (type text, ids bigint[], grade_before bigint,
      class_before bigint, grade_after bigint, class_after bigint, along boolean, keys jsonb)`;
  await recordSelectedChanges(data, at, found);
}
