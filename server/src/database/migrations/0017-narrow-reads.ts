import { type Kysely, sql } from 'kysely';

/**
 * Lets lists and sums of many records read an index only, and table rows only for the current page. The two indexes
 * with summed columns replace narrower ones, so a write maintains one more index, not three.
 * A large installation can create them beforehand with CREATE INDEX CONCURRENTLY. The old indexes are dropped first,
 * because that takes the strongest lock that the migration needs.
 * Indexes of single days of the logs become partitions of the new ones. IF NOT EXISTS would accept one day's index as
 * the index of all.
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

/** A failed CREATE INDEX CONCURRENTLY leaves an index that exists by name but serves no reads. */
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
