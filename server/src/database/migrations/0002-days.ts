import { type Kysely, sql } from 'kysely';

/**
 * Creates functions for tables with a partition per UTC day. They run with the rights of the schema's owner, because
 * the server's role may lack the right to create tables. Each search path omits the schema: other roles may create
 * functions there, and a better match would run with the owner's rights.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string; here: string }>`
    SELECT quote_ident(current_schema()) AS schema, quote_literal(current_schema()) AS here`.execute(db);
  const { schema, here } = rows[0] as (typeof rows)[0];
  const path = 'SET search_path = pg_catalog, pg_temp';
  const definer = `LANGUAGE plpgsql SECURITY DEFINER
    ${path} SET timezone = 'UTC' SET datestyle = 'ISO' SET lock_timeout = '200ms'`;
  await sql
    .raw(`
    -- Only roles that may delete rows of a table may drop its days. Checks the role of the session, or the role that
    -- SET ROLE has chosen since.
    CREATE FUNCTION require_dated(dated text) RETURNS void LANGUAGE plpgsql ${path} AS $$
    DECLARE
      caller name := session_user;
    BEGIN
      IF dated NOT IN ('audit_record', 'activity', 'idempotency_key', 'change', 'webhook_delivery') THEN
        RAISE invalid_parameter_value USING MESSAGE = format('"%s" is not kept by days', dated);
      END IF;
      IF current_setting('role') <> 'none' THEN caller := current_setting('role'); END IF;
      IF NOT has_table_privilege(caller, format('%I.%I', ${here}, dated), 'DELETE') THEN
        RAISE insufficient_privilege USING MESSAGE = format('permission denied for the days of %s', dated);
      END IF;
    END $$;

    -- Rows of the day that are in the default partition move. The lock is requested first and with a short timeout,
    -- because later statements queue behind the request.
    CREATE FUNCTION make_day(dated text, day date) RETURNS void ${definer} AS $$
    DECLARE
      whole text;
      part text;
      stray text;
      of_day text;
      is_stray boolean;
    BEGIN
      PERFORM ${schema}.require_dated(dated);
      whole := format('%I.%I', ${here}, dated);
      part := format('%I.%I', ${here}, dated || to_char(day, '"_"YYYYMMDD'));
      stray := format('%I.%I', ${here}, dated || '_default');
      of_day := format('created_at >= %L AND created_at < %L', day::timestamptz, (day + 1)::timestamptz);
      EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', whole);
      IF to_regclass(part) IS NOT NULL THEN RETURN; END IF;
      EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s WHERE %s)', stray, of_day) INTO is_stray;
      IF is_stray THEN EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', whole, stray); END IF;
      EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
        part, whole, day::timestamptz, (day + 1)::timestamptz);
      IF is_stray THEN
        EXECUTE format('INSERT INTO %s OVERRIDING SYSTEM VALUE SELECT * FROM %s WHERE %s', part, stray, of_day);
        EXECUTE format('DELETE FROM %s WHERE %s', stray, of_day);
        EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s DEFAULT', whole, stray);
      END IF;
    END $$;

    -- Drops the partitions that end by then, and deletes older rows in the default partition.
    CREATE FUNCTION drop_days(dated text, before date) RETURNS integer ${definer} AS $$
    DECLARE
      whole text;
      part regclass;
      dropped integer := 0;
    BEGIN
      PERFORM ${schema}.require_dated(dated);
      whole := format('%I.%I', ${here}, dated);
      EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', whole);
      FOR part IN
        SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = to_regclass(whole)
          AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']+)''')::timestamptz <= before::timestamptz
      LOOP
        EXECUTE format('DROP TABLE %s', part);
        dropped := dropped + 1;
      END LOOP;
      EXECUTE format('DELETE FROM %I.%I WHERE created_at < %L', ${here}, dated || '_default', before::timestamptz);
      RETURN dropped;
    END $$;

    REVOKE EXECUTE ON FUNCTION make_day(text, date), drop_days(text, date) FROM PUBLIC;

    -- For triggers that ignore a DELETE by ctid, which would match rows of several partitions.
    CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
  `)
    .execute(db);
}
