import { type Kysely, sql } from 'kysely';

/**
 * Lists and sums of many records read an index alone, and only those on the page read the records themselves. The two
 * indexes that carry what is added up take the place of narrower ones, so that a write keeps one index more and not three.
 *
 * A large installation can create them beforehand with CREATE INDEX CONCURRENTLY. The old ones are dropped first: that
 * takes the lock that is needed in the end.
 *
 * Indexes of the logs that were made beforehand belong to single days and become parts of those here. They have no IF NOT EXISTS: it
 * would take the index of one day for that of all.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await refuseInvalid(db);
  await sql
    .raw(`
    DROP INDEX score_record_by_time;
    CREATE INDEX IF NOT EXISTS score_record_by_time_summed ON score_record (school_id, created_at, id)
      INCLUDE (student_id, score_change) WHERE live;

    DROP INDEX score_record_by_student;
    CREATE INDEX IF NOT EXISTS score_record_by_student_summed ON score_record (school_id, student_id, created_at, id)
      INCLUDE (score_change, live);

    CREATE INDEX IF NOT EXISTS score_record_by_change ON score_record (school_id, score_change, id)
      INCLUDE (student_id) WHERE live;

    -- Pages that are known to be visible to all are read from the index alone: they are looked at after each hundredth of
    -- the table that is new, and not after each fifth.
    ALTER TABLE score_record SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02);

    -- Super administrators read what all schools did, newest first.
    CREATE INDEX audit_record_by_time ON audit_record (created_at, id);
    CREATE INDEX activity_by_time ON activity (created_at, id);
  `)
    .execute(db);
}

/** CREATE INDEX CONCURRENTLY that fails leaves an index that no read uses, and that counts as one that exists. */
async function refuseInvalid(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ names: string | null }>`
    SELECT string_agg(indexrelid::regclass::text, ', ') AS names FROM pg_index
    WHERE NOT indisvalid AND (indrelid = 'score_record'::regclass
      OR indrelid IN (SELECT relid FROM pg_partition_tree('audit_record'))
      OR indrelid IN (SELECT relid FROM pg_partition_tree('activity')))`.execute(db);
  const names = rows[0]?.names;
  if (names)
    throw new Error(`Drop what CREATE INDEX CONCURRENTLY has left INVALID, and make it again: ${names}`);
}
