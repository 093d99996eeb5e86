import type { Data, InternalOperations } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { anyOf } from '../../database/expressions.ts';
import {
  entriesPerPart,
  ListResult,
  limitClause,
  packIds,
  readPart,
  type Slice,
  splitIntoParts,
} from '../../database/page.ts';

type Classmate = Data<InternalOperations['listClassmates']>[number];

/** Sorts classmates without a place by name, because an order by points would reveal their points. */
const sortOrder = sql`place NULLS LAST, CASE WHEN place IS NULL THEN "actualName" END, id`;

/**
 * Lists enabled classmates (docs/contract.md, Classmates). `front` ranks only the front half, rounded up, without
 * students tied with the back half, whose points they would reveal. @param data of the student's own class
 */
export async function listClassmates(
  data: SchoolData,
  studentId: number,
  slice: Slice,
): Promise<ListResult<Classmate>> {
  const { offset, limit } = slice;
  const page = limitClause({ offset, limit: limit ?? entriesPerPart });
  const { list, total } = await readPart(
    slice,
    () => query<Classmate & { total: number }>(sql`*`, sql`ORDER BY ${sortOrder} ${page}`),
    () => query<{ total: number }>(sql`total`, sql`LIMIT 1`),
  );
  if (limit !== null || total <= entriesPerPart) return new ListResult(list, total);
  return new ListResult<Classmate>([], total, async () => {
    const keys = await query<{ id: number }>(sql`id`, sql`ORDER BY ${sortOrder}`);
    return splitIntoParts(packIds(keys), (ids) =>
      query<Classmate>(sql`*`, sql`WHERE id = ${anyOf(ids)} ORDER BY ${sortOrder}`),
    );
  });

  function query<Row>(columns: RawBuilder<unknown>, rest: RawBuilder<unknown>): Promise<Row[]> {
    return data.execute(sql<Row>`${classmates(data, studentId)} SELECT ${columns} FROM classmate ${rest}`);
  }
}

/** Ranks the whole class before cutting a page. `up_to` counts the students with at least as many points. */
function classmates(data: SchoolData, studentId: number) {
  const isListed = sql`(NOT s.disabled OR s.id = ${studentId})`;
  return sql`
    WITH ranked AS (
      SELECT s.id, s.username, s.actual_name, s.total_score, count(*) OVER () AS total,
        rank() OVER (ORDER BY s.total_score DESC) AS rank,
        count(*) OVER (ORDER BY s.total_score DESC) AS up_to
      ${data.fromStudents([isListed])}
    ), visibility AS (
      SELECT ranked.*, school.classmates = 'all'
        OR school.classmates = 'front' AND up_to <= (total + 1) / 2 AS is_visible
      FROM ranked JOIN school ON school.id = ${data.schoolId}
    ), classmate AS (
      SELECT id, username, actual_name AS "actualName", total,
        CASE WHEN is_visible OR id = ${studentId} THEN total_score END AS "totalScore",
        CASE WHEN is_visible THEN rank END AS place
      FROM visibility
    )`;
}
