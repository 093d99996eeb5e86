import type pg from 'pg';

/** Makes an attempt once and repeats its counted events, as if `times` attempts had been made (on other accounts). */
export async function repeatCountedEvents<T>(
  pool: pg.Pool,
  times: number,
  attempt: () => Promise<T>,
): Promise<T> {
  const { rows } = await pool.query<{ key: Buffer }>('SELECT counter || event AS key FROM counted_event');
  const outcome = await attempt();
  await pool.query(
    `INSERT INTO counted_event (counter, event, undecided, expires_at)
     SELECT counter, uuid_send(gen_random_uuid()), undecided, expires_at
     FROM counted_event, generate_series(2, $2) WHERE counter || event <> ALL($1::bytea[])`,
    [rows.map(({ key }) => key), times],
  );
  return outcome;
}
