import type pg from 'pg';
import type { Dataset } from '../workloads.ts';

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

/** Creates records and totals of 18 weeks. Drops indexes of records meanwhile, so ten million take only minutes. */
export async function createRecords(
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
  await computeTotals(client, school.schoolId);
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

async function computeTotals(client: pg.ClientBase, schoolId: number): Promise<void> {
  await client.query(
    `UPDATE student s SET add_score = l.added, deduct_score = l.deducted, total_score = l.added + l.deducted,
       score_count = l.records
     FROM (
       SELECT student_id, sum(greatest(score_change, 0)) AS added, sum(least(score_change, 0)) AS deducted,
         count(*) AS records
       FROM score_record WHERE school_id = $1 AND live GROUP BY 1
     ) l
     WHERE s.school_id = $1 AND s.id = l.student_id`,
    [schoolId],
  );
  await client.query(
    `UPDATE class c SET add_score = s.added, deduct_score = s.deducted, record_count = s.records
     FROM (
       SELECT class_id, sum(add_score) AS added, sum(deduct_score) AS deducted, sum(score_count) AS records
       FROM student WHERE school_id = $1 GROUP BY 1
     ) s
     WHERE c.school_id = $1 AND c.id = s.class_id`,
    [schoolId],
  );
  await client.query(
    `INSERT INTO class_day (school_id, class_id, day, add_count, deduct_count, record_count, add_score,
       deduct_score)
     SELECT $1, s.class_id, (r.created_at AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE r.score_change > 0),
       count(*) FILTER (WHERE r.score_change < 0), count(*), sum(greatest(r.score_change, 0)),
       sum(least(r.score_change, 0))
     FROM score_record r JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id
     WHERE r.school_id = $1 AND r.live GROUP BY 2, 3`,
    [schoolId],
  );
}
