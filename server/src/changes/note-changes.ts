import type { ChangeType } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../access/school-data.ts';

/*
 * What the change feed is told: every rule that changes what the external API lists notes it here, in its transaction. A
 * reader decides by the places whom a change concerns, and looks up by the ids what is there (read-changes.ts). So whatever
 * changes a place holds the lock of its class until the end: then what is noted is true when it is committed.
 */

/** Where something is. `gradeId` 0: for the whole school, or, beside a class, for that class alone. */
export interface PlaceOfChange {
  readonly gradeId: number;
  readonly classId: number | null;
}

/** Something has changed. */
export interface Noted {
  readonly type: ChangeType;
  readonly ids: readonly number[];
  /** Null: it was not there. */
  readonly before: PlaceOfChange | null;
  /** Null: it is gone. */
  readonly after: PlaceOfChange | null;
  /** Only its place has changed, with that of something else. */
  readonly along?: boolean;
  /** What it was known by, beside its ids: for whoever it is gone for. */
  readonly keys?: object;
}

/** For the whole school. */
export const wholeSchool: PlaceOfChange = { gradeId: 0, classId: null };

/**
 * The transaction as cursors know it. Asked by itself: where the data is distributed, a node would tell its own in a statement
 * that it carries out.
 */
export async function transactionId(data: SchoolData): Promise<string> {
  const [found] = await data.run<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid', []);
  return (found as { xid: string }).xid;
}

/** What rows of the feed hold, in the order of their columns. */
const columns = sql`school_id, created_at, xid, type, ids, grade_before, class_before, grade_after, class_after, along, keys`;

/**
 * Notes what a statement finds.
 *
 * @param found `SELECT type, ids, grade_before, class_before, grade_after, class_after, along, keys FROM ...`
 */
export async function noteFound(data: SchoolData, at: Date, found: RawBuilder<unknown>): Promise<void> {
  const xid = await transactionId(data);
  await data.execute(sql`
    INSERT INTO change (${columns})
    SELECT ${data.schoolId}::bigint, ${at.toISOString()}::timestamptz, ${xid}::xid8, found.* FROM (${found}) AS found`);
}

/** Notes changes of a transaction. */
export async function noteChanges(data: SchoolData, at: Date, changes: readonly Noted[]): Promise<void> {
  const rows = changes
    .filter(({ ids }) => ids.length > 0)
    .map(({ type, ids, before, after, along = false, keys = null }) => ({
      type,
      ids,
      grade_before: before?.gradeId,
      class_before: before?.classId,
      grade_after: after?.gradeId,
      class_after: after?.classId,
      along,
      keys,
    }));
  if (rows.length === 0) return;
  await noteFound(
    data,
    at,
    sql`SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (type text, ids bigint[], grade_before bigint,
      class_before bigint, grade_after bigint, class_after bigint, along boolean, keys jsonb)`,
  );
}
