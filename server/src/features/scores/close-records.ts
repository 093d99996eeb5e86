import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

/**
 * Closes the live records of a class with a term: from then on they count nowhere, and every total of the class
 * and its students is 0. The caller holds the locks of the class and of all its students.
 *
 * @param studentIds everybody who is in the class
 * @returns how many records were closed
 */
export async function closeRecords(
  data: SchoolData,
  { termId, classId, studentIds }: { termId: number; classId: number; studentIds: readonly number[] },
): Promise<number> {
  const [closed] = await data.execute(sql<{ records: number }>`
    WITH closed AS (
      UPDATE score_record SET live = false, term_id = ${termId}
      WHERE school_id = ${data.schoolId} AND student_id = ANY(${studentIds}::bigint[]) AND live
      RETURNING 1
    ), student_totals AS (
      UPDATE student SET total_score = 0, add_score = 0, deduct_score = 0, score_count = 0
      WHERE school_id = ${data.schoolId} AND id = ANY(${studentIds}::bigint[])
    ), day_totals AS (
      DELETE FROM class_day WHERE school_id = ${data.schoolId} AND class_id = ${classId}
    ), class_totals AS (
      UPDATE class SET add_score = 0, deduct_score = 0, record_count = 0
      WHERE school_id = ${data.schoolId} AND id = ${classId}
    )
    SELECT count(*) AS records FROM closed`);
  return (closed as { records: number }).records;
}
