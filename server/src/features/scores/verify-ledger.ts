import { type RawBuilder, sql } from 'kysely';
import type { Database, Transaction } from '../../database/connect.ts';

export interface Difference {
  readonly schoolId: number;
  readonly what: string;
  readonly stored: string;
  readonly proven: string;
}

export interface Verification {
  readonly students: number;
  readonly records: number;
  readonly differences: readonly Difference[];
}

const sumsOfRecords = sql`
  count(*) AS records,
  coalesce(sum(score_change) FILTER (WHERE score_change > 0), 0) AS added,
  coalesce(sum(score_change) FILTER (WHERE score_change < 0), 0) AS deducted`;

/** The parts in which the checks of the two tables of days differ. */
const ofAll = { table: sql`class_day`, column: sql``, named: sql``, counted: sql``, joined: sql`` };
const ofCategory = {
  table: sql`class_day_category`,
  column: sql`, category_id`,
  named: sql`|| format(' in category %s', coalesce(t.category_id, l.category_id))`,
  counted: sql`AND r.category_id IS NOT NULL`,
  joined: sql`AND l.category_id = t.category_id`,
};

/** Verifies totals, head counts, teams and archived classes of the whole installation, in one snapshot. */
export async function verifyLedger(db: Database): Promise<Verification> {
  return db.transaction().setIsolationLevel('repeatable read').execute(verifyLedgerWithin);
}

export async function verifyLedgerWithin(tx: Transaction): Promise<Verification> {
  const dayOf = await dayOfRecords(tx);
  const read = async (statement: RawBuilder<Difference>) => (await statement.execute(tx)).rows;
  const students = await read(sql`
    SELECT s.school_id AS "schoolId", format('student %s (%s)', s.id, s.username) AS what,
      format('total %s, added %s, deducted %s, records %s', s.total_score, s.add_score, s.deduct_score,
        s.score_count) AS stored,
      format('total %s, added %s, deducted %s, records %s', coalesce(l.added + l.deducted, 0),
        coalesce(l.added, 0), coalesce(l.deducted, 0), coalesce(l.records, 0)) AS proven
    FROM student s
    LEFT JOIN (
      SELECT school_id, student_id, ${sumsOfRecords} FROM score_record WHERE live GROUP BY 1, 2
    ) l ON l.school_id = s.school_id AND l.student_id = s.id
    WHERE (s.total_score, s.add_score, s.deduct_score, s.score_count) IS DISTINCT FROM
      (coalesce(l.added + l.deducted, 0), coalesce(l.added, 0), coalesce(l.deducted, 0), coalesce(l.records, 0))
    ORDER BY s.school_id, s.id`);
  const classes = await read(sql`
    SELECT c.school_id AS "schoolId", format('class %s (%s)', c.id, c.name) AS what,
      format('added %s, deducted %s, records %s, students %s, disabled %s', c.add_score, c.deduct_score,
        c.record_count, c.student_count, c.disabled_student_count) AS stored,
      format('added %s, deducted %s, records %s, students %s, disabled %s', coalesce(s.added, 0),
        coalesce(s.deducted, 0), coalesce(s.records, 0), coalesce(s.students, 0), coalesce(s.disabled, 0))
        AS proven
    FROM class c
    LEFT JOIN (
      SELECT school_id, class_id, sum(add_score) AS added, sum(deduct_score) AS deducted,
        sum(score_count) AS records, count(*) AS students, count(*) FILTER (WHERE disabled) AS disabled
      FROM student GROUP BY 1, 2
    ) s ON s.school_id = c.school_id AND s.class_id = c.id
    WHERE (c.add_score, c.deduct_score, c.record_count, c.student_count, c.disabled_student_count)
      IS DISTINCT FROM (coalesce(s.added, 0), coalesce(s.deducted, 0), coalesce(s.records, 0),
        coalesce(s.students, 0), coalesce(s.disabled, 0))
    ORDER BY c.school_id, c.id`);
  const verifyDays = (category: typeof ofAll | typeof ofCategory) =>
    read(sql`
      SELECT coalesce(t.school_id, l.school_id) AS "schoolId",
        format('class %s on %s', coalesce(t.class_id, l.class_id), coalesce(t.day, l.day)) ${category.named} AS what,
        format('added %s, deducted %s, records %s', t.add_score, t.deduct_score, t.record_count) AS stored,
        format('added %s, deducted %s, records %s', l.added, l.deducted, l.records) AS proven
      FROM ${category.table} t
      FULL JOIN (
        SELECT r.school_id, s.class_id, ${dayOf} AS day ${category.column}, ${sumsOfRecords},
          count(*) FILTER (WHERE score_change > 0) AS add_count,
          count(*) FILTER (WHERE score_change < 0) AS deduct_count
        FROM score_record r JOIN student s ON s.school_id = r.school_id AND s.id = r.student_id
        WHERE r.live ${category.counted} GROUP BY 1, 2, 3 ${category.column}
      ) l ON l.school_id = t.school_id AND l.class_id = t.class_id AND l.day = t.day ${category.joined}
      WHERE (coalesce(t.add_score, 0), coalesce(t.deduct_score, 0), coalesce(t.record_count, 0),
          coalesce(t.add_count, 0), coalesce(t.deduct_count, 0))
        IS DISTINCT FROM (coalesce(l.added, 0), coalesce(l.deducted, 0), coalesce(l.records, 0),
          coalesce(l.add_count, 0), coalesce(l.deduct_count, 0))
      ORDER BY 1, 2`);
  const days = await verifyDays(ofAll);
  const dayCategories = await verifyDays(ofCategory);
  const studentCategories = await read(sql`
    SELECT coalesce(t.school_id, l.school_id) AS "schoolId",
      format('student %s in category %s', coalesce(t.student_id, l.student_id), coalesce(t.category_id, l.category_id))
        AS what,
      format('added %s, deducted %s, records %s', t.add_score, t.deduct_score, t.record_count) AS stored,
      format('added %s, deducted %s, records %s', l.added, l.deducted, l.records) AS proven
    FROM student_category t
    FULL JOIN (
      SELECT school_id, student_id, category_id, ${sumsOfRecords}
      FROM score_record WHERE live AND category_id IS NOT NULL GROUP BY 1, 2, 3
    ) l ON l.school_id = t.school_id AND l.student_id = t.student_id AND l.category_id = t.category_id
    WHERE (coalesce(t.add_score, 0), coalesce(t.deduct_score, 0), coalesce(t.record_count, 0))
      IS DISTINCT FROM (coalesce(l.added, 0), coalesce(l.deducted, 0), coalesce(l.records, 0))
    ORDER BY 1, 2`);
  const members = await read(sql`
    SELECT m.school_id AS "schoolId", format('team of student %s (%s)', s.id, s.username) AS what,
      format('class %s', t.class_id) AS stored, format('class %s', s.class_id) AS proven
    FROM team_member m JOIN team t ON t.school_id = m.school_id AND t.id = m.team_id
    JOIN student s ON s.school_id = m.school_id AND s.id = m.student_id
    WHERE s.class_id <> t.class_id ORDER BY m.school_id, s.id`);
  // A class and its grade must agree on `archived`, and students of an archived class must be disabled.
  const archived = await read(sql`
    SELECT c.school_id AS "schoolId", format('class %s (%s)', c.id, c.name) AS what,
      format('archived %s, enabled students %s', c.archived, c.student_count - c.disabled_student_count) AS stored,
      format('archived %s, enabled students 0', g.archived_at IS NOT NULL) AS proven
    FROM class c JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
    WHERE c.archived <> (g.archived_at IS NOT NULL) OR c.archived AND c.student_count <> c.disabled_student_count
    ORDER BY c.school_id, c.id`);
  const { rows } = await sql<{ students: number; records: number }>`
    SELECT (SELECT count(*) FROM student) AS students,
      (SELECT count(*) FROM score_record WHERE live) AS records`.execute(tx);
  const [counted] = rows as [{ students: number; records: number }];
  return {
    ...counted,
    differences: [
      ...students,
      ...classes,
      ...days,
      ...dayCategories,
      ...studentCategories,
      ...members,
      ...archived,
    ],
  };
}

/** Passes the time zones as a value, because `school` can be on another database node than the records. */
async function dayOfRecords(tx: Transaction) {
  const schools = await tx
    .selectFrom('school')
    .where('time_zone', '!=', 'UTC')
    .select(['id', 'time_zone'])
    .execute();
  if (schools.length === 0) return sql`(r.created_at AT TIME ZONE 'UTC')::date`;
  const zones = JSON.stringify(Object.fromEntries(schools.map(({ id, time_zone }) => [id, time_zone])));
  return sql`(r.created_at AT TIME ZONE coalesce(${zones}::jsonb ->> r.school_id::text, 'UTC'))::date`;
}
