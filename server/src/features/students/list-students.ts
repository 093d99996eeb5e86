import type { Student } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { notFound } from '../../app-error.ts';
import { containing } from '../../database/like.ts';
import {
  anyOf,
  compact,
  deepOffset,
  Listed,
  literal,
  partSize,
  partsOf,
  readPart,
  type Slice,
} from '../../database/page.ts';
import { slowly } from '../../database/turns.ts';

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

/** What narrows a list; `disabled` decides about the query, the others only stand in it. */
interface Narrowing {
  readonly classId?: number | undefined;
  readonly gradeId?: number | undefined;
  /** For ILIKE. */
  readonly pattern?: string | undefined;
}

function filteredStudents(data: SchoolData, { classId, gradeId, pattern }: Narrowing, disabled?: boolean) {
  let students = data.students();
  if (classId !== undefined) students = students.where('s.class_id', '=', classId);
  if (gradeId !== undefined) students = students.where('c.grade_id', '=', gradeId);
  if (disabled !== undefined) students = students.where('s.disabled', '=', disabled);
  if (pattern !== undefined) {
    students = students.where((is) =>
      is.or([is('s.username', 'ilike', pattern), is('s.actual_name', 'ilike', pattern)]),
    );
  }
  return students;
}

/** How many students pass, from the counts that classes keep where these suffice. */
function total(data: SchoolData, narrowing: Narrowing, disabled?: boolean) {
  const { classId, gradeId, pattern } = narrowing;
  if (pattern !== undefined) {
    return filteredStudents(data, narrowing, disabled).select(sql<number>`count(*)`.as('total'));
  }
  let classes = data.classTotals();
  if (classId !== undefined) classes = classes.where('c.id', '=', classId);
  if (gradeId !== undefined) classes = classes.where('c.grade_id', '=', gradeId);
  const counted =
    disabled === undefined
      ? sql`c.student_count`
      : disabled
        ? sql`c.disabled_student_count`
        : sql`c.student_count - c.disabled_student_count`;
  return classes.select(sql<number>`coalesce(sum(${counted}), 0)::bigint`.as('total'));
}

/** A part of the students in the range. */
export async function listStudents(
  data: SchoolData,
  filter: StudentFilter,
  order: StudentOrder,
  { offset, limit: asked }: Slice,
): Promise<Listed<Student>> {
  const { classId, gradeId, keyword, disabled } = filter;
  const pattern = keyword ? containing(keyword) : undefined;
  const narrowing: Narrowing = { classId, gradeId, pattern };
  // The commonest list, one class, has its number in the class that is joined anyway.
  const wholeClass = classId !== undefined && pattern === undefined && disabled === undefined;
  const limit = asked ?? partSize;
  const shape = `students ${disabled} ${order.by} ${order.direction}`;
  const isOfOneClass = classId !== undefined || data.range.classId !== null;
  const isCostly = !isOfOneClass && (pattern !== undefined || offset >= deepOffset);
  const page = await slowly(isCostly, () =>
    readPart(
      offset,
      () =>
        data.compiled(`${shape} ${limit} ${offset > 0}`, { ...narrowing, offset }, (own, slots) =>
          ordered(filteredStudents(own, slots, disabled), order)
            .select(fields)
            .select(wholeClass ? 'c.student_count as total' : total(own, slots, disabled).as('total'))
            .limit(literal(limit))
            .$if(offset > 0, (later) => later.offset(slots.offset)),
        ),
      () => data.compiled(`count of ${shape}`, narrowing, (own, slots) => total(own, slots, disabled)),
    ),
  );
  if (asked !== null || page.total <= partSize) return new Listed(page.list, page.total);
  const students = () => ordered(filteredStudents(data, narrowing, disabled), order);
  return new Listed<Student>([], page.total, async () => {
    const keys = await slowly(!isOfOneClass, () => students().select('s.id').execute());
    return partsOf(compact(keys), (ids) =>
      students().where('s.id', '=', anyOf(ids)).select(fields).execute(),
    );
  });
}

function ordered(students: ReturnType<SchoolData['students']>, { by, direction }: StudentOrder) {
  const sorted = students.orderBy(columns[by], direction);
  return by === 'id' ? sorted : sorted.orderBy('s.id', direction);
}

/** The query for one student in the range, with what is known about the e-mail address, not the address. */
export function selectStudent(data: SchoolData, id: number) {
  return data
    .students()
    .where('s.id', '=', id)
    .select(fields)
    .select([sql<boolean>`s.email IS NOT NULL`.as('emailBound'), 's.email_bound_at as emailBoundAt']);
}

/** One student. @throws AppError not_found, also for a student outside the range */
export async function readStudent(data: SchoolData, id: number) {
  const row = await selectStudent(data, id).executeTakeFirst();
  if (!row) throw notFound('The student');
  return row;
}
