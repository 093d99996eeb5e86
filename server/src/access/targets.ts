import type { InternalOperation } from '@classledger/contract';
import { anyOf } from '../database/expressions.ts';
import { AppError, notFound, outOfRange } from '../errors/app-error.ts';
import { isGradeArchived, requireNotArchived, requireWritable } from './archived.ts';
import { covers, type SchoolUnit } from './range.ts';
import type { SchoolData } from './school-data.ts';

// A target that the school lacks is `not_found`; one outside the range is `out_of_range`. The external API answers
// `out_of_range` with 40303 to writes and 40401 to reads.

interface Filters {
  readonly userId?: number;
  readonly classId?: number;
  readonly gradeId?: number;
  readonly term?: number;
}

/** Checks the targets in the query and body of an internal call. @throws AppError not_found, out_of_range */
export async function requireNamedTargets(
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

/** @throws AppError not_found, out_of_range */
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
    .executeTakeFirstOrThrow(() => notFound('The student'));
  requireInRange(data, { gradeId: student.gradeId, classId: student.classId }, 'The student');
  return student;
}

/** Locks in a separate statement, because a join would lose a student who changes the class while it waits. */
export async function lockStudent(data: SchoolData, id: number) {
  await data.lockStudents((student) => student.where('id', '=', id));
  return requireStudent(data, id);
}

/** Locks a student, then the class. @throws AppError not_found, out_of_range, conflict (archived) */
export async function lockWritableStudent(data: SchoolData, id: number) {
  const student = await lockStudent(data, id);
  requireWritable(await data.lockClasses([student.classId]), student.classId, 'The student');
  return student;
}

/** @throws AppError not_found, out_of_range */
export async function requireClass(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .classesUnjoined()
    .where('c.id', '=', id)
    .select(['c.id', 'c.name', 'c.grade_id as gradeId', 'c.archived'])
    .executeTakeFirstOrThrow(() => notFound('The class'));
  requireInRange(data, { gradeId: found.gradeId, classId: found.id }, 'The class');
  return found;
}

/** @throws AppError not_found, out_of_range, conflict (archived) */
export async function lockClass(data: SchoolData, id: number) {
  await data.wholeSchool().lockClasses([id]);
  return requireOpenClass(data, id);
}

/** Takes no lock. @throws AppError as `lockClass` */
export async function requireOpenClass(data: SchoolData, id: number) {
  const found = await requireClass(data, id);
  requireNotArchived(found, 'The class');
  return found;
}

/** Refuses a caller who is responsible for only one class of the grade. @throws AppError not_found, out_of_range */
export async function requireGrade(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .grades()
    .where('g.id', '=', id)
    .select(['g.id', 'g.name', isGradeArchived.as('archived')])
    .executeTakeFirstOrThrow(() => notFound('The grade'));
  requireInRange(data, { gradeId: found.id, classId: null }, 'The grade');
  return found;
}

/** @throws AppError not_found, out_of_range, conflict (archived) */
export async function requireOpenGrade(data: SchoolData, id: number) {
  const grade = await requireGrade(data, id);
  requireNotArchived(grade, 'The grade');
  return grade;
}

/** Refuses a school-wide template unless the range is the whole school. @throws AppError not_found, out_of_range */
export async function requireTemplate(data: SchoolData, id: number) {
  const found = await data
    .wholeSchool()
    .templates()
    .leftJoin('class as owner', (join) =>
      join.onRef('owner.school_id', '=', 't.school_id').onRef('owner.id', '=', 't.class_id'),
    )
    .where('t.id', '=', id)
    .select(['t.id', 't.name', 't.class_id as classId', 'owner.grade_id as gradeId'])
    .select(({ fn, lit }) => fn.coalesce('owner.archived', lit(false)).as('archived'))
    .executeTakeFirstOrThrow(() => notFound('The template'));
  requireInRange(data, { gradeId: found.gradeId, classId: found.classId }, 'The template');
  return found;
}

/** Treats a term of a deleted class as one of the whole school. @throws AppError not_found, out_of_range */
async function requireTerm(data: SchoolData, id: number): Promise<void> {
  await requireVisible(data, (own) => own.terms().where('m.id', '=', id).select('m.id'), 'The term');
}

/** @throws AppError out_of_range (also when the class does not exist) */
export async function requireClassInRange(data: SchoolData, classId: number): Promise<void> {
  const found = await data.classesUnjoined().where('c.id', '=', classId).select('c.id').executeTakeFirst();
  if (!found) throw outOfRange(`Class ${classId}`);
}

/** @throws AppError out_of_range (also when the grade does not exist), conflict (archived) */
export async function requireGradeInRange(data: SchoolData, gradeId: number): Promise<void> {
  const covered = covers(data.range, { schoolId: data.schoolId, gradeId, classId: null });
  const found = covered
    ? await data
        .grades()
        .where('g.id', '=', gradeId)
        .select(isGradeArchived.as('archived'))
        .executeTakeFirst()
    : undefined;
  if (!found) throw outOfRange(`Grade ${gradeId}`);
  requireNotArchived(found, `Grade ${gradeId}`);
}

/** Checks the grade in a filter. A class administrator can filter by the grade of the class. */
async function requireVisibleGrade(data: SchoolData, id: number): Promise<void> {
  await requireVisible(data, (own) => own.grades().where('g.id', '=', id).select('g.id'), 'The grade');
}

/** Lets an administrator change only own records in classes that they teach but do not manage. */
export async function requireOwnWhereOnlyTaught(
  data: SchoolData,
  adminId: number | null,
  records: readonly { readonly classId: number; readonly adminId: number | null; readonly what: string }[],
): Promise<void> {
  const others = records.filter((record) => record.adminId === null || record.adminId !== adminId);
  if (!data.range.taughtClassIds || others.length === 0) return;
  const classIds = others.map(({ classId }) => classId);
  const managed = await data
    .managed()
    .classesUnjoined()
    .where('c.id', '=', anyOf(classIds))
    .select('c.id')
    .execute();
  const ids = new Set(managed.map(({ id }) => id));
  const refused = others.find(({ classId }) => !ids.has(classId));
  if (refused)
    throw new AppError(
      'permission_denied',
      `${refused.what} was given by somebody else, in a class that you teach`,
    );
}

/** Returns the row that the query selects in the range. @throws AppError not_found, out_of_range */
export async function requireVisible<Row extends object>(
  data: SchoolData,
  rows: (data: SchoolData) => { executeTakeFirst(): Promise<Row | undefined> },
  what: string,
): Promise<Row> {
  const found = await rows(data).executeTakeFirst();
  if (found) return found;
  throw (await rows(data.wholeSchool()).executeTakeFirst()) ? outOfRange(what) : notFound(what);
}

function requireInRange(
  { range, schoolId }: SchoolData,
  place: Omit<SchoolUnit, 'schoolId'>,
  what: string,
): void {
  if (!covers(range, { schoolId, ...place })) throw outOfRange(what);
}
