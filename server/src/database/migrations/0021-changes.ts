import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { settleSchoolTable } from '../distribute.ts';

/**
 * A change is written in its transaction, `xid`. A reader passes only rows that no earlier row can follow.
 * The place of a record is its grade and class before and after the change, or null while it did not exist. Grade 0
 * stands for the whole school or, with a class, for the ranges of that class only. `along`: only the place changed,
 * because something that contains the record moved.
 * The comment on the table is the epoch, which invalidates cursors of another one. Backups omit both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE change (
      school_id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      xid xid8 NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      type text NOT NULL,
      ids bigint[] NOT NULL,
      grade_before bigint,
      class_before bigint,
      grade_after bigint,
      class_after bigint,
      along boolean NOT NULL,
      keys jsonb,
      PRIMARY KEY (school_id, xid, number, created_at)
    ) PARTITION BY RANGE (created_at)`.execute(db);
  await sql`CREATE TABLE change_default PARTITION OF change DEFAULT`.execute(db);
  // Finds the names of erased students.
  await sql`CREATE INDEX change_with_names ON change (school_id) WHERE type = 'student' AND keys IS NOT NULL`.execute(
    db,
  );
  await settleSchoolTable(db, 'change', []);
  await sql.raw(`COMMENT ON TABLE change IS '${randomUUID()}'`).execute(db);

  const { rows } = await sql<{ here: string; today: string }>`
    SELECT quote_literal(current_schema()) AS here, (now() AT TIME ZONE 'UTC')::date::text AS today`.execute(
    db,
  );
  const { here, today } = rows[0] as (typeof rows)[0];
  await sql
    .raw(`
    CREATE OR REPLACE FUNCTION require_dated(dated text) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      caller name := session_user;
    BEGIN
      IF dated NOT IN ('audit_record', 'activity', 'idempotency_key', 'change') THEN
        RAISE invalid_parameter_value USING MESSAGE = format('"%s" is not kept by days', dated);
      END IF;
      IF current_setting('role') <> 'none' THEN caller := current_setting('role'); END IF;
      IF NOT has_table_privilege(caller, format('%I.%I', ${here}, dated), 'DELETE') THEN
        RAISE insufficient_privilege USING MESSAGE = format('permission denied for the days of %s', dated);
      END IF;
    END $$;
    SELECT make_day('change', date '${today}' + day) FROM generate_series(0, 2) AS day`)
    .execute(db);
}
