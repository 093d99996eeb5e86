import type { Student } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { notFound } from '../../app-error.ts';
import { readPage, type Slice } from '../../database/page.ts';

export interface StudentFilter {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** A part of the username or actual name, whatever the case; no character is special. */
  readonly keyword?: string | undefined;
  readonly disabled?: boolean | undefined;
}

export interface StudentOrder {
  readonly by: 'id' | 'username' | 'actualName' | 'totalScore' | 'scoreCount' | 'createdAt';
  readonly direction: 'asc' | 'desc';
}

const columns = {
  id: 's.id',
  username: 's.username',
  actualName: 's.actual_name',
  totalScore: 's.total_score',
  scoreCount: 's.score_count',
  createdAt: 's.created_at',
} as const;

const fields = [
  's.id',
  's.username',
  's.actual_name as actualName',
  'c.id as classId',
  'c.name as className',
  'g.id as gradeId',
  'g.name as gradeName',
  's.disabled',
  's.total_score as totalScore',
  's.add_score as addScore',
  's.deduct_score as deductScore',
  's.score_count as scoreCount',
  's.created_at as createdAt',
] as const;

function filteredStudents(data: SchoolData, filter: StudentFilter) {
  let students = data.students();
  if (filter.classId !== undefined) students = students.where('s.class_id', '=', filter.classId);
  if (filter.gradeId !== undefined) students = students.where('c.grade_id', '=', filter.gradeId);
  if (filter.disabled !== undefined) students = students.where('s.disabled', '=', filter.disabled);
  if (filter.keyword) {
    const pattern = `%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`;
    students = students.where((is) =>
      is.or([is('s.username', 'ilike', pattern), is('s.actual_name', 'ilike', pattern)]),
    );
  }
  return students;
}

/** How many students pass a filter, from the counts that classes keep where these suffice. */
function total(data: SchoolData, filter: StudentFilter) {
  if (filter.keyword) return filteredStudents(data, filter).select(sql<number>`count(*)`.as('total'));
  let classes = data.classTotals();
  if (filter.classId !== undefined) classes = classes.where('c.id', '=', filter.classId);
  if (filter.gradeId !== undefined) classes = classes.where('c.grade_id', '=', filter.gradeId);
  const counted =
    filter.disabled === undefined
      ? sql`c.student_count`
      : filter.disabled
        ? sql`c.disabled_student_count`
        : sql`c.student_count - c.disabled_student_count`;
  return classes.select(sql<number>`coalesce(sum(${counted}), 0)::bigint`.as('total'));
}

/** A part of the students in the range. */
export async function listStudents(
  data: SchoolData,
  filter: StudentFilter,
  order: StudentOrder,
  slice: Slice,
): Promise<{ list: Student[]; total: number }> {
  const all = total(data, filter);
  // The commonest list, one class, has its number in the class that is joined anyway.
  const wholeClass = filter.classId !== undefined && !filter.keyword && filter.disabled === undefined;
  let rows = filteredStudents(data, filter)
    .select(fields)
    .select(wholeClass ? 'c.student_count as total' : all.as('total'))
    .orderBy(columns[order.by], order.direction);
  if (order.by !== 'id') rows = rows.orderBy('s.id', order.direction);
  return readPage(rows, all, slice);
}

/**
 * One student with what is known about the e-mail address, never the address.
 *
 * @throws AppError not_found, also for a student outside the range
 */
export async function readStudent(data: SchoolData, id: number) {
  const row = await data
    .students()
    .where('s.id', '=', id)
    .select(fields)
    .select([sql<boolean>`s.email IS NOT NULL`.as('emailBound'), 's.email_bound_at as emailBoundAt'])
    .executeTakeFirst();
  if (!row) throw notFound('The student');
  return row;
}
