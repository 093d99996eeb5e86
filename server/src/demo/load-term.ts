import { sql } from 'kysely';
import { SchoolData } from '../access/school-data.ts';
import type { Transaction } from '../database/connect.ts';
import { recountDays } from '../features/scores/ledger/totals.ts';
import { pickRandom, reasons, seededRandom } from './made-up-data.ts';

export const dayMs = 86_400_000;
const termDays = 18 * 7;
/** Chosen because lessons from 8:00 to 17:30 lie inside one UTC day (0:00 to 9:30). */
export const schoolTimeZone = 'Asia/Shanghai';
const lessonsMs = 9.5 * 3_600_000;

export interface DemoStudent {
  readonly id: number;
  readonly classId: number;
  /** How often the student gets points; 1 is average. */
  readonly liveliness: number;
  /** Share of plus points among the student's records, 0 to 1. */
  readonly diligence: number;
}

interface DemoTerm {
  readonly schoolId: number;
  readonly students: readonly DemoStudent[];
  readonly authorId: number;
  readonly end: Date;
  /** The approximate number of records. */
  readonly count: number;
}

const weighted = (sign: number) =>
  reasons
    .filter(({ points }) => Math.sign(points) === sign)
    .flatMap((reason) => Array.from({ length: reason.weight }, () => reason));
const praise = weighted(1);
const blame = weighted(-1);

/** Returns the start of the UTC day 18 weeks before, in milliseconds since 1970. */
export const termStartMs = (end: Date) => (Math.floor(end.getTime() / dayMs) - termDays) * dayMs;

/** Writes the records of a term, oldest first, without the ledger, which is made for single writes. */
export async function loadTerm(tx: Transaction, term: DemoTerm): Promise<void> {
  const { schoolId, students, authorId, end, count } = term;
  const random = seededRandom(18);
  const days = Array.from({ length: termDays + 1 }, (_, n) => termStartMs(end) + n * dayMs).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()),
  );
  const mean = count / days.length / students.length;
  for (const day of days) {
    const records = students.flatMap(({ id, liveliness, diligence }) =>
      // From zero to twice the mean; the second random number rounds up or down.
      Array.from({ length: Math.floor(2 * mean * liveliness * random() + random()) }, () => {
        const { points, texts } = pickRandom(random, random() < diligence ? praise : blame);
        const at = day + Math.floor(lessonsMs * random());
        return { id, at, points, text: pickRandom(random, texts) };
      }),
    );
    await sql`
      INSERT INTO score_record (school_id, student_id, created_at, admin_id, score_change, description)
      SELECT ${schoolId}, n.id, to_timestamp(n.at / 1000), ${authorId}, n.points, n.text
      FROM unnest(${records.map(({ id }) => id)}::bigint[], ${records.map(({ at }) => at)}::float8[],
        ${records.map(({ points }) => points)}::int[], ${records.map(({ text }) => text)}::text[])
        AS n (id, at, points, text)
      WHERE n.at <= ${end.getTime()} ORDER BY n.at`.execute(tx);
  }
  await computeTotals(tx, schoolId);
}

async function computeTotals(tx: Transaction, schoolId: number): Promise<void> {
  await sql`
    UPDATE student s SET add_score = l.added, deduct_score = l.deducted, total_score = l.added + l.deducted,
      score_count = l.records
    FROM (
      SELECT student_id, sum(greatest(score_change, 0)) AS added, sum(least(score_change, 0)) AS deducted,
        count(*) AS records
      FROM score_record WHERE school_id = ${schoolId} AND live GROUP BY 1
    ) l
    WHERE s.school_id = ${schoolId} AND s.id = l.student_id`.execute(tx);
  await sql`
    UPDATE class c SET add_score = s.added, deduct_score = s.deducted, record_count = s.records,
      student_count = s.students, disabled_student_count = s.disabled
    FROM (
      SELECT class_id, sum(add_score) AS added, sum(deduct_score) AS deducted, sum(score_count) AS records,
        count(*) AS students, count(*) FILTER (WHERE disabled) AS disabled
      FROM student WHERE school_id = ${schoolId} GROUP BY 1
    ) s
    WHERE c.school_id = ${schoolId} AND c.id = s.class_id`.execute(tx);
  await recountDays(new SchoolData(tx, { schoolId, gradeId: null, classId: null }), schoolTimeZone);
}
