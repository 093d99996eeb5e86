import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A change is written in its transaction, xid. A reader passes only rows that no earlier row can follow.
    -- The place of a record is its grade and class before and after the change, or null while it did not exist. Grade 0
    -- stands for the whole school or, with a class, for the ranges of that class only.
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
      -- Only the place changed, because the grade or class of the record moved.
      along boolean NOT NULL,
      -- Names a deleted record.
      keys jsonb,
      PRIMARY KEY (school_id, xid, number, created_at)
    ) PARTITION BY RANGE (created_at);
    CREATE TABLE change_default PARTITION OF change DEFAULT;
    -- Finds the names of erased students.
    CREATE INDEX change_with_names ON change (school_id) WHERE type = 'student' AND keys IS NOT NULL;
    -- Finds deleted grades and classes, and those that left a range.
    CREATE INDEX change_departed_structure ON change (school_id, created_at)
      WHERE type IN ('grade', 'class') AND keys IS NOT NULL;
    SELECT make_day('change', (now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;
    -- The epoch of the feed. Cursors of another epoch are invalid. Backups omit both, the changes and the epoch.
    COMMENT ON TABLE change IS '${randomUUID()}';

    -- Webhooks are not distributed by school, because the delivery loop reads those of all schools.
    CREATE TABLE webhook (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      school_id bigint NOT NULL,
      token_id bigint NOT NULL REFERENCES api_token (id),
      url text NOT NULL,
      events text[] NOT NULL,
      description text NOT NULL,
      active boolean NOT NULL,
      -- Encrypted with the secret of the installation.
      secret bytea NOT NULL,
      old_secret bytea,
      old_secret_until timestamptz(3),
      -- The position in the change feed, and when it was last written.
      cursor text NOT NULL,
      cursor_at timestamptz(3) NOT NULL,
      -- The number of the next delivery.
      next_number bigint NOT NULL DEFAULT 1,
      -- Failed attempts in a row.
      failures integer NOT NULL DEFAULT 0,
      failing_since timestamptz(3),
      retry_at timestamptz(3),
      last_delivered_at timestamptz(3),
      missed_at timestamptz(3),
      stopped_because text CHECK (stopped_because IN ('failed', 'gone', 'secret', 'restored')),
      -- The process that delivers, and the end of its lease.
      owner text,
      owned_until timestamptz,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL
    );
    CREATE INDEX webhook_by_token ON webhook (token_id, id);
    CREATE INDEX webhook_by_school ON webhook (school_id, id);

    -- Holds the change and the result of its delivery, not the delivered text.
    CREATE TABLE webhook_delivery (
      school_id bigint NOT NULL,
      created_at timestamptz(3) NOT NULL,
      webhook_id bigint NOT NULL,
      number bigint NOT NULL,
      type text NOT NULL,
      action text NOT NULL,
      thing_id bigint NOT NULL,
      changed_at timestamptz(3) NOT NULL,
      -- Deliveries of one line are sent one after the other, such as all of one student.
      line text NOT NULL,
      -- Names a deleted record.
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
    CREATE TABLE webhook_delivery_default PARTITION OF webhook_delivery DEFAULT;
    CREATE INDEX webhook_delivery_waiting ON webhook_delivery (school_id, webhook_id, line, number)
      WHERE state = 'waiting';
    -- Finds the names of erased students.
    CREATE INDEX webhook_delivery_with_names ON webhook_delivery (school_id, thing_id)
      WHERE type = 'student' AND tombstone IS NOT NULL;
    SELECT make_day('webhook_delivery', (now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 2) AS ahead;
  `)
    .execute(db);
}
