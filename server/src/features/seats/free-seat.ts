import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';

/**
 * Frees the seat of a student who leaves the class, in the transaction of the move. The caller holds the locks of
 * the student and of the class.
 */
export async function freeSeatOf(data: SchoolData, studentId: number): Promise<void> {
  await data.execute(sql`
    UPDATE seat SET student_id = NULL WHERE school_id = ${data.schoolId} AND student_id = ${studentId}`);
}
