import type pg from 'pg';
import type { Database } from '../../../server/src/database/connect.ts';
import { inTransaction } from '../../../server/src/database/transaction.ts';
import { computeTotals } from '../../../server/src/demo/load-school.ts';
import { withClient } from '../../../server/test/with-client.ts';
import type { Dataset } from '../workloads.ts';
import { createSchool } from './school.ts';

const chunk = 500_000;
const spanDays = 126;
const reasons = [
  'Homework handed in',
  '课堂发言积极',
  'Helped a classmate',
  '作业未交',
  'Late for class',
  '值日认真',
  'Talking in class',
  '运动会获奖',
];
const changes = [1, 1, 1, 2, 2, 3, 5, -1, -1, -2];

interface Part {
  readonly drop: string;
  readonly create: string;
}

/** Creates a school with records of 18 weeks and their totals. @param progress is called with the number of records */
export async function seedSchool(
  { db, target }: { readonly db: Database; readonly target: pg.PoolConfig },
  records: number,
  now: Date,
  progress: (done: number) => void = () => {},
): Promise<Dataset> {
  // An error ends the connection, and with it the transaction.
  const school = await withClient(target, async (client) => {
    await client.query('BEGIN');
    const created = await createSchool(client, now);
    await createRecords(client, created, records, now, progress);
    await client.query('COMMIT');
    return created;
  });
  await inTransaction(db, (tx) => computeTotals(tx, school.schoolId, 'UTC'));
  return school;
}

/** Drops indexes of records meanwhile, so ten million take only minutes. */
async function createRecords(
  client: pg.ClientBase,
  school: Dataset,
  count: number,
  now: Date,
  progress: (done: number) => void,
): Promise<void> {
  const parts = await detachableParts(client);
  for (const { drop } of parts) await client.query(drop);
  await client.query('SELECT setseed(0.5)');
  for (let from = 1; from <= count; from += chunk) {
    const to = Math.min(count, from + chunk - 1);
    await client.query(
      `INSERT INTO score_record (school_id, student_id, created_at, score_change, description)
       SELECT $1, ($2::bigint[])[1 + floor(random() * $3::int)],
         $4::timestamptz - make_interval(secs => $5::float8 * ($6::int - n) / $6::int),
         ($7::int[])[1 + floor(random() * $8::int)], ($9::text[])[1 + floor(random() * $10::int)]
       FROM generate_series($11::int, $12::int) n`,
      [
        school.schoolId,
        school.studentIds,
        school.studentIds.length,
        now.toISOString(),
        spanDays * 86_400,
        count,
        changes,
        changes.length,
        reasons,
        reasons.length,
        from,
        to,
      ],
    );
    progress(to);
  }
  await client.query("SET LOCAL maintenance_work_mem = '512MB'");
  for (const { create } of parts.toReversed()) await client.query(create);
}

async function detachableParts(client: pg.ClientBase): Promise<Part[]> {
  const { rows: constraints } = await client.query<{ name: string; definition: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = 'score_record'::regclass AND contype IN ('f', 'p', 'u') ORDER BY contype, conname`,
  );
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'score_record'::regclass
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY 1`,
  );
  return [
    ...constraints.map(({ name, definition }) => ({
      drop: `ALTER TABLE score_record DROP CONSTRAINT ${name}`,
      create: `ALTER TABLE score_record ADD CONSTRAINT ${name} ${definition}`,
    })),
    ...indexes.map(({ name, definition }) => ({ drop: `DROP INDEX ${name}`, create: definition })),
  ];
}
