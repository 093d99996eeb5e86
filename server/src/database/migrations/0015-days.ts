import { type Kysely, sql } from 'kysely';

/**
 * Partitions the expiring tables by the UTC day of `created_at`, so that housekeeping drops whole days. Existing rows
 * stay in the partition of all days until today, except rows of later days.
 * The previous release keeps working. Its deletes by `ctid` would match rows of several partitions, so a trigger
 * ignores such deletes. No index across partitions can ensure unique keys, so a trigger checks them, except for
 * statements that declare their own check.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ schema: string; here: string; today: string; after: string }>`
    SELECT quote_ident(current_schema()) AS schema, quote_literal(current_schema()) AS here,
      to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today,
      to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYY-MM-DD') AS after`.execute(db);
  const { schema, here, today, after } = rows[0] as (typeof rows)[0];
  // Other roles may create functions in the schema, and a better match would run with the owner's rights. Therefore the
  // search path of each function omits the schema.
  const path = 'SET search_path = pg_catalog, pg_temp';
  const definer = `LANGUAGE plpgsql SECURITY DEFINER
    ${path} SET timezone = 'UTC' SET datestyle = 'ISO' SET lock_timeout = '200ms'`;
  await sql
    .raw(`
    -- Only who may delete rows of a table may drop its days: whoever has logged in, or whom they work as since.
    CREATE FUNCTION require_dated(dated text) RETURNS void LANGUAGE plpgsql ${path} AS $$
    DECLARE
      caller name := session_user;
    BEGIN
      IF dated NOT IN ('audit_record', 'activity', 'idempotency_key') THEN
        RAISE invalid_parameter_value USING MESSAGE = format('"%s" is not kept by days', dated);
      END IF;
      IF current_setting('role') <> 'none' THEN caller := current_setting('role'); END IF;
      IF NOT has_table_privilege(caller, format('%I.%I', ${here}, dated), 'DELETE') THEN
        RAISE insufficient_privilege USING MESSAGE = format('permission denied for the days of %s', dated);
      END IF;
    END $$;

    -- Rows of the day that are in the default partition move. The lock is asked for first, and not for long: whoever
    -- comes after it would wait, too.
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

    CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

    -- Drops the partitions that end by then, and deletes what is older in the default partition.
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
  `)
    .execute(db);

  const dated = [
    { table: 'audit_record', index: 'by_token', columns: 'school_id, token_id, created_at, id' },
    { table: 'activity', index: 'by_admin', columns: 'school_id, admin_id, created_at, id' },
    { table: 'idempotency_key', index: null, columns: '' },
  ];
  for (const { table, index, columns } of dated) {
    const old = `${table}_until_${after.replaceAll('-', '')}`;
    const isKey = table === 'idempotency_key';
    const key = isKey ? 'school_id, owner, key, created_at' : 'school_id, created_at, id';
    const run = (text: string) => sql.raw(text).execute(db);
    await run(`
      ALTER TABLE ${table} RENAME TO ${old};
      ALTER TABLE ${old} RENAME CONSTRAINT ${table}_pkey TO ${old}_pkey;
      CREATE TABLE ${table} (LIKE ${old}) PARTITION BY RANGE (created_at)`);
    if (isKey) {
      await run(`
        DROP INDEX idempotency_key_by_time;
        ALTER TABLE ${old} DROP CONSTRAINT ${old}_pkey, ADD PRIMARY KEY (${key})`);
    } else {
      const next = await sql<{ id: string }>`
        SELECT nextval(pg_get_serial_sequence(${old}, 'id'))::text AS id`.execute(db);
      await run(`
        ALTER TABLE ${old} ALTER COLUMN id DROP IDENTITY;
        ALTER INDEX ${table}_${index} RENAME TO ${old}_${index};
        ALTER TABLE ${table} ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH ${next.rows[0]?.id});
        CREATE INDEX ${table}_${index} ON ${table} (${columns})`);
    }
    await run(`
      ALTER TABLE ${table} ADD PRIMARY KEY (${key});
      CREATE TABLE ${table}_default PARTITION OF ${table} DEFAULT;
      -- Whoever had rights on the table has them still; whoever may delete looks after the days.
      DO $$ DECLARE granted record; grantee text; BEGIN
        FOR granted IN
          SELECT acl.grantee, acl.privilege_type AS what, acl.is_grantable FROM pg_class c, aclexplode(c.relacl) acl
          WHERE c.oid = '${old}'::regclass AND acl.grantee <> c.relowner
        LOOP
          grantee := CASE granted.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(granted.grantee)) END;
          EXECUTE format('GRANT %s ON ${table} TO %s %s', granted.what, grantee,
            CASE WHEN granted.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END);
          IF granted.what = 'DELETE' THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION make_day(text, date), drop_days(text, date) TO %s', grantee);
          END IF;
        END LOOP;
      END $$;`);
    const present = await sql<{ any: boolean }>`
      SELECT EXISTS (SELECT FROM ${sql.table(old)}) AS any`.execute(db);
    if (present.rows[0]?.any) {
      // Rows of fast clocks do not belong to the days until today.
      const late = `created_at >= '${after}T00:00:00Z'`;
      await run(`
        WITH late AS (DELETE FROM ${old} WHERE ${late} RETURNING *)
          INSERT INTO ${table} ${isKey ? '' : 'OVERRIDING SYSTEM VALUE'} SELECT * FROM late;
        ALTER TABLE ${table} ATTACH PARTITION ${old} FOR VALUES FROM (MINVALUE) TO ('${after}T00:00:00Z')`);
    } else {
      await run(`DROP TABLE ${old}; SELECT make_day('${table}', '${today}')`);
    }
    await run(`
      SELECT make_day('${table}', '${after}'), make_day('${table}', date '${after}' + 1);
      CREATE TRIGGER keep_from_ctid BEFORE DELETE ON ${table} FOR EACH ROW
        WHEN (position('ctid' IN lower(current_query())) > 0) EXECUTE FUNCTION keep_row()`);
  }

  await sql
    .raw(`
    -- The owner runs it, too, when a day is made.
    CREATE FUNCTION refuse_stored_key() RETURNS trigger LANGUAGE plpgsql ${path} AS $$
    BEGIN
      IF EXISTS (SELECT FROM ${schema}.idempotency_key k
          WHERE k.school_id = NEW.school_id AND k.owner = NEW.owner AND k.key = NEW.key) THEN
        RAISE unique_violation USING MESSAGE = 'the key is stored already', CONSTRAINT = 'idempotency_key_pkey';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_stored BEFORE INSERT ON idempotency_key FOR EACH ROW
      WHEN (position('/* not stored yet */' IN current_query()) = 0) EXECUTE FUNCTION refuse_stored_key();
  `)
    .execute(db);
}
