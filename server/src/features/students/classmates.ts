import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { readPage, type Slice } from '../../database/page.ts';

/**
 * The class of a student, oneself included, best first and ties by id. Disabled classmates are left out.
 *
 * @param data the student's own class
 */
export async function listMates(data: SchoolData, studentId: number, slice: Slice) {
  const mates = () =>
    data.students().where((is) => is.or([is('s.disabled', '=', false), is('s.id', '=', studentId)]));
  const total = mates().select(sql<number>`count(*)`.as('total'));
  const rows = mates()
    .select(['s.id', 's.username', 's.actual_name as actualName', 's.total_score as totalScore'])
    .orderBy('s.total_score', 'desc')
    .orderBy('s.id');
  return readPage(rows, total, slice, 's.id');
}
