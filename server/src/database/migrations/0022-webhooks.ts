import { type Kysely, sql } from 'kysely';
import { settleSchoolTable } from '../distribute.ts';

/**
 * Webhooks stay on the coordinator, because the delivery loop reads those of all schools. Deliveries belong to the
 * school.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ here: string }>`SELECT quote_literal(current_schema()) AS here`.execute(db);
  const { here } = rows[0] as (typeof rows)[0];
  await sql
    .raw(`
    CREATE TABLE webhook (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_id bigint NOT NULL,
      token_id bigint NOT NULL REFERENCES api_token (id),
      url text NOT NULL,
      events text[] NOT NULL,
      description text NOT NULL,
      active boolean NOT NULL,
      -- Sealed under the secret of the installation.
      secret bytea NOT NULL,
      old_secret bytea,
      old_secret_until timestamptz(3),
      -- Up to where the changes are read, and when that was last written.
      cursor text NOT NULL,
      cursor_at timestamptz(3) NOT NULL,
      -- Of the next delivery.
      next_number bigint NOT NULL DEFAULT 1,
      -- Attempts in a row that failed.
      failures integer NOT NULL DEFAULT 0,
      failing_since timestamptz(3),
      retry_at timestamptz(3),
      last_delivered_at timestamptz(3),
      missed_at timestamptz(3),
      stopped_because text CHECK (stopped_because IN ('failed', 'gone', 'secret', 'restored')),
      -- The process that delivers, and until when it does unless it says more.
      owner text,
      owned_until timestamptz,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX webhook_by_token ON webhook (token_id, id);
    CREATE INDEX webhook_by_school ON webhook (school_id, id);

    -- What happened to what, and what became of telling it. What was told is not kept.
    CREATE TABLE webhook_delivery (
      school_id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      webhook_id bigint NOT NULL,
      number bigint NOT NULL,
      type text NOT NULL,
      action text NOT NULL,
      thing_id bigint NOT NULL,
      changed_at timestamptz(3) NOT NULL,
      -- What is delivered one after the other, such as all of one student.
      line text NOT NULL,
      -- What names a thing that is gone.
      tombstone jsonb,
      state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
      attempts integer NOT NULL DEFAULT 0,
      first_attempt_at timestamptz(3),
      last_attempt_at timestamptz(3),
      next_attempt_at timestamptz(3) NOT NULL,
      status_code integer,
      latency_ms integer,
      error text,
      PRIMARY KEY (school_id, webhook_id, number, created_at)
    ) PARTITION BY RANGE (created_at);
    CREATE INDEX webhook_delivery_waiting ON webhook_delivery (school_id, webhook_id, line, number)
      WHERE state = 'waiting';
    -- By which the names of those who are erased are found.
    CREATE INDEX webhook_delivery_with_names ON webhook_delivery (school_id, thing_id)
      WHERE type = 'student' AND tombstone IS NOT NULL;
    CREATE TABLE webhook_delivery_default PARTITION OF webhook_delivery DEFAULT;

    -- Only who may delete rows of a table may drop its days: whoever has logged in, or whom they work as since.
    CREATE OR REPLACE FUNCTION require_dated(dated text) RETURNS void LANGUAGE plpgsql
      SET search_path = pg_catalog, pg_temp AS $$
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
  `)
    .execute(db);
  await settleSchoolTable(db, 'webhook_delivery', []);
  await sql`
    SELECT make_day('webhook_delivery', ((now() AT TIME ZONE 'UTC')::date + ahead)::date)
    FROM generate_series(0, 2) AS ahead`.execute(db);
}
