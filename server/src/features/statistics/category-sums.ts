import type { CategoryDay, CategoryTotals } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import {
  fromDays,
  fromRecordsUnjoined,
  type RecordFilter,
  splitIntoWholeDays,
} from '../scores/count-records.ts';
import { firstOfLastDays, type LastDays, startOfLastDays } from './last-days.ts';

/* Sums by category. Points without a category (null) are the stored sum of all, less the stored sums of categories. */

/** Expects the alias `t` for a stored sum of a category. */
const withRest = sql`CROSS JOIN LATERAL (VALUES (t.category_id, 1), (NULL, -1)) AS part (category_id, sign)`;

/** Lets a statement tell whether sums by category are needed, so that other schools need no further one. */
export const hasCategoriesIn = ({ schoolId }: SchoolData) =>
  sql<boolean>`EXISTS (SELECT 1 FROM category k WHERE k.school_id = ${schoolId})`;

type PlaceAndTime = Pick<RecordFilter, 'classId' | 'gradeId' | 'archived' | 'from' | 'to'>;

/** Sums the student's live records. */
export function totalsOfStudent(data: SchoolData, studentId: number): Promise<CategoryTotals[]> {
  const { schoolId } = data;
  return readTotals(
    data,
    sql`SELECT NULL::bigint AS category_id, s.score_count AS records, s.add_score AS added, s.deduct_score AS deducted
    FROM student s WHERE s.school_id = ${schoolId} AND s.id = ${studentId}
    UNION ALL
    SELECT part.category_id, part.sign * t.record_count, part.sign * t.add_score, part.sign * t.deduct_score
    FROM student_category t ${withRest} WHERE t.school_id = ${schoolId} AND t.student_id = ${studentId}`,
  );
}

/** Sums the live records of classes. Only days at the edges of the time need the records themselves. */
export async function totalsOfClasses(data: SchoolData, filter: PlaceAndTime): Promise<CategoryTotals[]> {
  const { firstDay, lastDay, edges } = splitIntoWholeDays(await data.timeZone(), filter.from, filter.to);
  const ofEdges = edges.map(
    (edge) => sql`UNION ALL SELECT r.category_id, r.created_at::date, 1, greatest(r.score_change, 0),
      least(r.score_change, 0) ${fromRecordsUnjoined(data, { ...filter, ...edge })}`,
  );
  return readTotals(
    data,
    sql`${daysOfClasses(data, filter, firstDay, lastDay)} ${sql.join(ofEdges, sql` `)}`,
  );
}

/** Returns days and categories with records, oldest first. */
export function listCategoryDays(
  data: SchoolData,
  place: PlaceAndTime & { readonly studentId?: number | undefined },
  last: LastDays,
): Promise<CategoryDay[]> {
  const { studentId } = place;
  const days =
    studentId === undefined
      ? daysOfClasses(data, place, firstOfLastDays(last), null)
      : sql`SELECT r.category_id, (r.created_at AT TIME ZONE ${last.timeZone}::text)::date AS day, 1 AS records,
          greatest(r.score_change, 0) AS added, least(r.score_change, 0) AS deducted
        ${fromRecordsUnjoined(data, { from: startOfLastDays(last) })} AND r.student_id = ${studentId}`;
  return data.execute(sql<CategoryDay>`
    SELECT day AS date, category_id AS "categoryId", sum(records)::bigint AS count,
      sum(added + deducted)::bigint AS "totalScore", sum(added)::bigint AS "addScore",
      sum(deducted)::bigint AS "deductScore"
    FROM (${days}) AS p GROUP BY 1, 2 HAVING sum(records) > 0 ORDER BY 1, 2`);
}

const daysOfClasses = (
  data: SchoolData,
  place: PlaceAndTime,
  first: string | null,
  last: string | null,
) => sql`
  SELECT NULL::bigint AS category_id, t.day, t.record_count AS records, t.add_score AS added, t.deduct_score AS deducted
  ${fromDays(data, place, first, last)}
  UNION ALL
  SELECT part.category_id, t.day, part.sign * t.record_count, part.sign * t.add_score, part.sign * t.deduct_score
  ${fromDays(data, place, first, last, withRest)}`;

/** Returns every category of the school in its order, then the points without one; nothing without categories. */
async function readTotals(data: SchoolData, parts: RawBuilder<unknown>): Promise<CategoryTotals[]> {
  const totals = await data.execute(sql<CategoryTotals>`
    SELECT k.id AS "categoryId", k.name, k.colour, coalesce(p.added + p.deducted, 0)::bigint AS "totalScore",
      coalesce(p.added, 0)::bigint AS "addScore", coalesce(p.deducted, 0)::bigint AS "deductScore",
      coalesce(p.records, 0)::bigint AS "scoreCount"
    FROM (
      SELECT id, name, colour, position, retired_at FROM category WHERE school_id = ${data.schoolId}
      UNION ALL SELECT NULL, NULL, NULL, NULL, NULL
    ) AS k
    LEFT JOIN (
      SELECT category_id, sum(records) AS records, sum(added) AS added, sum(deducted) AS deducted
      FROM (${parts}) AS all_parts GROUP BY 1
    ) AS p ON coalesce(p.category_id, 0) = coalesce(k.id, 0)
    WHERE k.retired_at IS NULL OR p.records > 0
    ORDER BY k.position, k.id`);
  return totals.length === 1 ? [] : totals;
}
