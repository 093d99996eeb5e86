import {
  type Body,
  type Data,
  type ExternalOperations,
  type InternalOperations,
  limits,
  type Seat,
} from '@classledger/contract';
import { sql } from 'kysely';
import { findClassMembers, requireUnique } from '../../access/class-members.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireClass, requireStudent } from '../../access/targets.ts';
import { anyOf } from '../../database/expressions.ts';
import { countRows, type ListResult, readPage, type Slice } from '../../database/page.ts';
import { AppError, invalidValue, notFound, studentErased } from '../../errors/app-error.ts';

/* Calls that seat, move or delete students lock the class, so a student's only seat is in the student's class. */

const fields = [
  'p.id',
  'p.class_id as classId',
  'p.group_index as groupIndex',
  'p.row_index as row',
  'p.col_index as col',
  's.id as userId',
  's.username',
  's.actual_name as actualName',
] as const;

export function listSeats(
  data: SchoolData,
  filter: { classId?: number | undefined },
  slice: Slice,
): Promise<ListResult<Seat>> {
  let seats = data.seats();
  if (filter.classId !== undefined) seats = seats.where('p.class_id', '=', filter.classId);
  return readPage(
    seats
      .select(fields)
      .orderBy('p.class_id')
      .orderBy('p.group_index')
      .orderBy('p.row_index')
      .orderBy('p.col_index'),
    slice,
    'p.id',
  );
}

export const seatsByIds = (data: SchoolData, ids: readonly number[]): Promise<Seat[]> =>
  data.seats().where('p.id', '=', anyOf(ids)).select(fields).execute();

async function seatsOfClass(data: SchoolData, classId: number): Promise<Seat[]> {
  return (await listSeats(data, { classId }, { offset: 0, limit: limits.seatExtentMax ** 3 })).list;
}

/** Seats enabled students by username in a new layout. @throws AppError not_found, out_of_range, conflict (archived) */
export async function generateSeats(
  data: SchoolData,
  layout: Body<InternalOperations['generateSeats']>,
): Promise<{ seats: Seat[]; unseated: number }> {
  const { classId } = layout;
  await lockClass(data, classId);
  await data.deleteFrom('seat').where('class_id', '=', classId).execute();
  const [counted] = await data.execute(sql<{ students: number }>`
    WITH place AS (
      SELECT g, r, c, row_number() OVER (ORDER BY g, r, c) AS position
      FROM generate_series(1, ${layout.groupCount}::int) AS g, generate_series(1, ${layout.rowsPerGroup}::int) AS r,
        generate_series(1, ${layout.colsPerGroup}::int) AS c
    ), pupil AS (
      SELECT id, row_number() OVER (ORDER BY username) AS position FROM student
      WHERE school_id = ${data.schoolId} AND class_id = ${classId} AND NOT disabled
    ), seated AS (
      INSERT INTO seat (school_id, class_id, group_index, row_index, col_index, student_id)
      SELECT ${data.schoolId}::bigint, ${classId}::bigint, g, r, c, pupil.id
      FROM place LEFT JOIN pupil USING (position) ORDER BY position
    )
    SELECT count(*) AS students FROM pupil`);
  const list = await seatsOfClass(data, classId);
  const students = (counted as { students: number }).students;
  return { seats: list, unseated: Math.max(0, students - list.length) };
}

/**
 * Seats a student; null frees the seat. A student who sat here gets the new student's previous seat, or none.
 * @throws AppError not_found, out_of_range, invalid_value (another class), conflict (erased, archived)
 */
export async function changeSeat(data: SchoolData, id: number, userId: number | null): Promise<Seat> {
  const { classId } = await readSeat(data.wholeSchool(), id);
  await requireClass(data, classId);
  if (userId !== null) await requireStudent(data, userId);
  await lockClass(data, classId);
  // Reads the seat again under the lock, because another call can have replaced the layout or moved the student.
  const seat = await readSeat(data, id);
  if (userId === seat.userId) return seat;
  let left: Pick<Seat, 'id'> | undefined;
  if (userId !== null) {
    const student = await requireStudent(data, userId);
    if (student.erasedAt !== null) throw studentErased();
    if (student.classId !== classId) throw invalidValue(`Student ${userId} is not in the class of this seat`);
    left = await data.seats().where('p.student_id', '=', userId).select('p.id').executeTakeFirst();
  }
  // Frees both seats first, because a unique index allows one seat per student at any moment.
  await seatStudent(data, [id, ...(left ? [left.id] : [])], null);
  if (userId !== null) await seatStudent(data, [id], userId);
  if (left && seat.userId !== null) await seatStudent(data, [left.id], seat.userId);
  return readSeat(data, id);
}

async function readSeat(data: SchoolData, id: number): Promise<Seat> {
  const seat = data.seats().where('p.id', '=', id).select(fields);
  return seat.executeTakeFirstOrThrow(() => notFound('The seat'));
}

async function seatStudent(data: SchoolData, ids: readonly number[], studentId: number | null) {
  await data.updateTable('seat').where('id', '=', anyOf(ids)).set({ student_id: studentId }).execute();
}

/** Frees seats in the transaction that moves or deletes students. The caller has locked students and classes. */
export async function vacateSeats(data: SchoolData, studentIds: readonly number[]): Promise<void> {
  if (studentIds.length === 0) return;
  const theirs = data.updateTable('seat').where('student_id', '=', anyOf(studentIds));
  await theirs.set({ student_id: null }).execute();
}

type SeatsOfClass = Data<ExternalOperations['getSeats']>;

/** @throws AppError not_found, out_of_range */
export async function readLayout(data: SchoolData, classId: number): Promise<SeatsOfClass> {
  await requireClass(data, classId);
  const seats = await seatsOfClass(data, classId);
  const ownSeat = data
    .selectFrom('seat')
    .where('student_id', '=', sql.ref<number>('student.id'))
    .select('id');
  const enabled = data.selectFrom('student').where('class_id', '=', classId).where('disabled', '=', false);
  const unseated = await countRows(enabled.where(({ not, exists }) => not(exists(ownSeat))));
  return { seats, unseated };
}

/** @throws AppError not_found, out_of_range, missing_field or invalid_value (a seat), conflict (erased, archived) */
export async function replaceSeats(
  data: SchoolData,
  classId: number,
  entries: Body<ExternalOperations['replaceSeats']>['seats'],
): Promise<SeatsOfClass> {
  await lockClass(data, classId);
  const seats = entries.map((entry, i) => {
    if (entry.fault) throw new AppError(entry.fault.kind, `seats.${i}: ${entry.fault.message}`);
    return entry.value;
  });
  requireUnique(seats.map(({ groupIndex, row, col }) => `Seat ${col} in row ${row} of group ${groupIndex}`));
  const studentOf = await findClassMembers(data, classId, seats);
  const students = seats.map((seat, i) => studentOf(seat, `The student of seats.${i}`));
  requireUnique(students.flatMap((id) => (id === null ? [] : `Student ${id}`)));

  await data.deleteFrom('seat').where('class_id', '=', classId).execute();
  const column = (name: 'groupIndex' | 'row' | 'col') => sql`${seats.map((seat) => seat[name])}::int[]`;
  await data.execute(sql`
    INSERT INTO seat (school_id, class_id, group_index, row_index, col_index, student_id)
    SELECT ${data.schoolId}::bigint, ${classId}::bigint, g, r, c, student
    FROM unnest(${column('groupIndex')}, ${column('row')}, ${column('col')}, ${students}::bigint[])
      AS place (g, r, c, student) ORDER BY g, r, c`);
  return readLayout(data, classId);
}
