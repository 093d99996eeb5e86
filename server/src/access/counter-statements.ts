// All processes use the database's clock; tests pass their own time. An event that expires later than one window from
// now is from before the clock was set back, and does not count.

const moment = `moment AS MATERIALIZED (SELECT coalesce($1::timestamptz, clock_timestamp()) AS at)`;

/** Locks counters until the transaction ends. To avoid deadlocks, callers use the order of `Counters.countAttempt`. */
export const lockCounters = 'SELECT pg_advisory_xact_lock(lock) FROM unnest($1::bigint[]) AS lock';

/**
 * Adds events to all given counters, or to none of them. Requires `lockCounters`. $1 time; $8 window in seconds; $9
 * seconds after which an undecided event counts as failed; $10 events; $11 whether they are undecided.
 * Per counter: $2 name, $3 limit, $4 counter whose events raise the limit, $5 raise per event, $6 highest limit.
 * The counter applies only while the previous one has fewer events than $7.
 */
export const addEvents = `
  WITH ${moment},
  tallied AS MATERIALIZED (
    SELECT c.*, cardinality($10::bytea[]) AS added, (
      SELECT count(*) FROM counted_event e
      WHERE e.counter = c.counter AND e.expires_at > at AND e.expires_at <= at + make_interval(secs => $8::float8)
    ) AS taken
    FROM moment, unnest($2::bytea[], $3::integer[], $4::bytea[], $5::integer[], $6::integer[], $7::integer[])
      WITH ORDINALITY AS c (counter, bound, raised_by, raised_by_each, raised_to, below, n)
  ),
  counting AS MATERIALIZED (
    SELECT n, counter, added, taken, CASE WHEN raised_by IS NULL OR taken + added <= bound THEN bound
      ELSE greatest(bound, raised_by_each * (SELECT count(*) FROM (
        SELECT FROM counted_event e WHERE e.counter = raised_by AND e.expires_at > at LIMIT raised_to / raised_by_each
      ) AS raising)) END AS bound
    FROM moment, tallied t
    WHERE below IS NULL OR below > (SELECT before.taken FROM tallied before WHERE before.n = t.n - 1)
  ),
  filled AS MATERIALIZED (
    SELECT n, (
      SELECT e.expires_at FROM counted_event e
      WHERE e.counter = c.counter AND e.expires_at > at AND e.expires_at <= at + make_interval(secs => $8::float8)
        AND (NOT e.undecided OR e.expires_at <= at + make_interval(secs => $8::float8 - $9::float8))
      ORDER BY e.expires_at DESC OFFSET c.bound - c.added LIMIT 1
    ) AS until
    FROM moment, counting c WHERE c.taken + c.added > c.bound
  ),
  added AS (
    INSERT INTO counted_event (counter, event, undecided, expires_at)
    SELECT c.counter, e.event, $11::boolean, at + make_interval(secs => $8::float8)
    FROM moment, counting c, unnest($10::bytea[]) AS e (event)
    WHERE NOT EXISTS (SELECT FROM filled)
  )
  SELECT array_agg(n::integer - 1 ORDER BY n) AS "fullIndexes",
    array_agg(extract(epoch FROM until - at)::float8 * 1000 ORDER BY n) AS waits
  FROM filled, moment`;

/** Marks an attempt as failed. $1 counters, $2 events. */
export const markEventsFailed =
  'UPDATE counted_event SET undecided = false WHERE counter = ANY($1::bytea[]) AND event = ANY($2::bytea[])';

export const removeEvents =
  'DELETE FROM counted_event WHERE counter = ANY($1::bytea[]) AND event = ANY($2::bytea[])';

/** Clears counters except for undecided attempts. $1 time, $2 counters, $3 window, $4 seconds as $9 of `addEvents`. */
export const clearCounters = `
  WITH ${moment}
  DELETE FROM counted_event e USING moment
  WHERE e.counter = ANY($2::bytea[])
    AND (NOT e.undecided OR e.expires_at <= at + make_interval(secs => $3::float8 - $4::float8))`;

/** Stores an event or extends its expiry. $1 time, $2 counter, $3 event, $4 window in seconds. */
export const rememberEvent = `
  WITH ${moment}
  INSERT INTO counted_event (counter, event, undecided, expires_at)
  SELECT $2::bytea, $3::bytea, false, at + make_interval(secs => $4::float8) FROM moment
  ON CONFLICT (counter, event) DO UPDATE SET expires_at = excluded.expires_at`;

/** Returns for each event whether the counter remembers it. $1 time, $2 counter, $3 events. */
export const findRememberedEvents = `
  WITH ${moment}
  SELECT array_agg(EXISTS (
    SELECT FROM counted_event e WHERE e.counter = $2::bytea AND e.event = asked.event AND e.expires_at > at
  ) ORDER BY asked.n) AS known
  FROM moment, unnest($3::bytea[]) WITH ORDINALITY AS asked (event, n)`;

export const removeExpiredEvents = `
  WITH ${moment}
  DELETE FROM counted_event WHERE (counter, event) IN (
    SELECT counter, event FROM counted_event, moment WHERE expires_at <= at LIMIT $2
    FOR UPDATE OF counted_event SKIP LOCKED)`;
