import type { InternalOperation } from '@classledger/contract';
import { sql } from 'kysely';
import { notFound, outOfRange } from '../app-error.ts';
import { requireOpen } from './archived.ts';
import { covers } from './range.ts';
import type { SchoolData } from './school-data.ts';

/**
 * Looks up what a call names and decides whether the caller's range covers it: the one place where targets
 * are checked. A target that the school lacks is `not_found`; one that exists outside the range is
 * `out_of_range`, which the external door shows as 40303 on writes and 40401 on reads.
 */

interface Filters {
  readonly userId?: number;
  readonly classId?: number;
  readonly gradeId?: number;
  readonly term?: number;
}

/**
 * What a call at the internal door names beside its path, missing or outside the range: what its query filters by, and
 * the grade and class of its body that the operation declares. The external door answers such filters with an empty list
 * (docs/contract.md, Missing or out of range). A rule that locks what is named looks again.
 *
 * @throws AppError not_found, out_of_range
 */
export async function requireNamed(
  data: SchoolData,
  { target }: InternalOperation,
  input: { readonly query: Filters; readonly body: unknown },
): Promise<void> {
  const { userId, classId, gradeId, term } = input.query;
  if (userId !== undefined) await requireStudent(data, userId);
  if (classId !== undefined) await requireClass(data, classId);
  if (gradeId !== undefined) await requireVisibleGrade(data, gradeId);
  if (term !== undefined) await requireTerm(data, term);
  const body = (input.body ?? {}) as {
    readonly classId?: number | null;
    readonly gradeId?: number | null;
  };
  if (target?.class === 'body.classId' && body.classId) await requireClass(data, body.classId);
  if (target?.grade === 'body.gradeId' && body.gradeId) await requireGrade(data, body.gradeId);
}

/** The student of a path. */
export async function requireStudent(data: SchoolData, id: number) {
  const student = await data
    .wholeSchool()
    .students()
    .where('s.id', '=', id)
    .select([
      's.id',
      's.username',
      's.actual_name as actualName',
      's.class_id as classId',
      's.disabled',
      's.disabled_at as disabledAt',
      's.erased_at as erasedAt',
      's.created_at as createdAt',
      'c.grade_id as gradeId',
      'c.archived',
    ])
    .executeTakeFirst();
  if (!student) throw notFound('The student');
  if (!covers(data.range, { schoolId: data.schoolId, gradeId: student.gradeId, classId: student.classId })) {
    throw outOfRange('The student');
  }
  return student;
}

/**
 * The student of a path, locked against other writers until the transaction ends. Locked first and read after:
 * a lock that waits in the middle of a join would lose a student who was moved meanwhile. Whether the student may be written to,
 * the class tells, which is locked after.
 */
export async function lockStudent(data: SchoolData, id: number) {
  await data.lockStudents((student) => student.where('id', '=', id));
  return requireStudent(data, id);
}

/** The class of a path. */
export async function requireClass(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .classTotals()
    .where('c.id', '=', id)
    .select(['c.id', 'c.name', 'c.grade_id as gradeId', 'c.archived'])
    .executeTakeFirst();
  if (!found) throw notFound('The class');
  if (!covers(data.range, { schoolId: data.schoolId, gradeId: found.gradeId, classId: found.id })) {
    throw outOfRange('The class');
  }
  return found;
}

/**
 * The class of a path, to write to it: locked against other writers until the transaction ends, and so that it stays in its
 * grade. Locked first and read after, like a student.
 *
 * @throws AppError not_found, out_of_range, conflict (archived)
 */
export async function lockClass(data: SchoolData, id: number) {
  await data.wholeSchool().lockClasses([id]);
  return requireOpenClass(data, id);
}

/** The class that something is made for, and that is not locked. @throws AppError as `lockClass` */
export async function requireOpenClass(data: SchoolData, id: number) {
  const found = await requireClass(data, id);
  requireOpen(found, 'The class');
  return found;
}

/** The grade of a path. A class in it does not make a grade part of the range. */
export async function requireGrade(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .grades()
    .where('g.id', '=', id)
    .select(['g.id', 'g.name'])
    .select(sql<boolean>`g.archived_at IS NOT NULL`.as('archived'))
    .executeTakeFirst();
  if (!found) throw notFound('The grade');
  if (!covers(data.range, { schoolId: data.schoolId, gradeId: found.id, classId: null })) {
    throw outOfRange('The grade');
  }
  return found;
}

/** The grade of a path, to write to it or for it. @throws AppError not_found, out_of_range, conflict (archived) */
export async function requireOpenGrade(data: SchoolData, id: number) {
  const grade = await requireGrade(data, id);
  requireOpen(grade, 'The grade');
  return grade;
}

/** The template of a path, to change it: a school-wide one belongs to the school as a whole. */
export async function requireTemplate(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .templates()
    .leftJoin('class as owner', (join) =>
      join.onRef('owner.school_id', '=', 't.school_id').onRef('owner.id', '=', 't.class_id'),
    )
    .where('t.id', '=', id)
    .select(['t.id', 't.name', 't.class_id as classId', 'owner.grade_id as gradeId'])
    .select(sql<boolean>`coalesce(owner.archived, false)`.as('archived'))
    .executeTakeFirst();
  if (!found) throw notFound('The template');
  if (!covers(data.range, { schoolId: data.schoolId, gradeId: found.gradeId, classId: found.classId })) {
    throw outOfRange('The template');
  }
  return found;
}

/** The closed term that a call names. One whose class is deleted belongs to the school as a whole. */
export async function requireTerm(data: SchoolData, id: number): Promise<void> {
  const find = (terms: SchoolData) => terms.terms().where('m.id', '=', id).select('m.id').executeTakeFirst();
  if (await find(data)) return;
  throw (await find(data.wholeSchool())) ? outOfRange('The term') : notFound('The term');
}

/** The class that a body names: outside the range and missing are one and the same (docs/contract.md, Missing or out of range). */
export async function requireClassInRange(data: SchoolData, classId: number): Promise<void> {
  const found = await data.classTotals().where('c.id', '=', classId).select('c.id').executeTakeFirst();
  if (!found) throw outOfRange(`Class ${classId}`);
}

/**
 * The grade that a body names, to put a class into it: outside the range and missing are one and the same.
 *
 * @throws AppError out_of_range, conflict (archived)
 */
export async function requireGradeInRange(data: SchoolData, gradeId: number): Promise<void> {
  const covered = covers(data.range, { schoolId: data.schoolId, gradeId, classId: null });
  const found = covered
    ? await data
        .grades()
        .where('g.id', '=', gradeId)
        .select(sql<boolean>`g.archived_at IS NOT NULL`.as('archived'))
        .executeTakeFirst()
    : undefined;
  if (!found) throw outOfRange(`Grade ${gradeId}`);
  requireOpen(found, `Grade ${gradeId}`);
}

/**
 * The grade by which an administrator filters: it may be seen without being in the range, as the grade of a
 * class administrator's class is.
 */
async function requireVisibleGrade(data: SchoolData, gradeId: number): Promise<void> {
  const find = (grades: SchoolData) =>
    grades.grades().where('g.id', '=', gradeId).select('g.id').executeTakeFirst();
  if (await find(data)) return;
  throw (await find(data.wholeSchool())) ? outOfRange('The grade') : notFound('The grade');
}
