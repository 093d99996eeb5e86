import { ClassSummary } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireGradeInRange } from '../../access/targets.ts';
import {
  recordClassChange,
  recordDeletedClasses,
  recordMovedClasses,
} from '../../changes/record-structure-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { type ListResult, type Order, readPage, type Slice } from '../../database/page.ts';
import { translateViolations } from '../../database/transaction.ts';
import { conflict, notFound, outOfRange } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';

/** Includes sums that the external API does not show. */
const fields = [
  ...columnsOf('c', ClassSummary, ['gradeName', 'updatedAt', 'totalScore', 'scoreCount']),
  'g.name as gradeName',
  sql<string>`coalesce(c.updated_at, c.created_at)`.as('updatedAt'),
  sql<number>`c.add_score + c.deduct_score`.as('totalScore'),
  'c.record_count as scoreCount',
] as const;

export function listClasses(
  data: SchoolData,
  {
    gradeId,
    archived,
    order = 'asc',
  }: { gradeId?: number | undefined; archived?: boolean | undefined; order?: Order | undefined },
  slice: Slice,
): Promise<ListResult<ClassSummary>> {
  let classes = data.classes();
  if (gradeId !== undefined) classes = classes.where('c.grade_id', '=', gradeId);
  if (archived !== undefined) classes = classes.where('c.archived', '=', archived);
  return readPage(classes.select(fields).orderBy('c.id', order), slice, 'c.id', { order });
}

export const classesByIds = (data: SchoolData, ids: readonly number[]): Promise<ClassSummary[]> =>
  data.classes().where('c.id', '=', anyOf(ids)).select(fields).execute();

async function readClass(data: SchoolData, id: number): Promise<ClassSummary> {
  const found = data.wholeSchool().classes().where('c.id', '=', id).select(fields);
  return found.executeTakeFirstOrThrow(() => notFound('The class'));
}

/** @throws AppError out_of_range (the grade), conflict (the name) */
const storeNamed = <T>(write: Promise<T>, name: string, gradeId: number) =>
  translateViolations(
    write,
    outOfRange(`Grade ${gradeId}`),
    conflict(`A class named ${JSON.stringify(name)} already exists in this grade`),
  );

/** @throws AppError out_of_range (the grade), conflict */
export async function createClass(
  data: SchoolData,
  { name, gradeId }: { name: string; gradeId: number },
  at: Date,
): Promise<ClassSummary> {
  await requireGradeInRange(data, gradeId);
  const insert = data
    .insertInto('class')
    .values({ school_id: data.schoolId, grade_id: gradeId, name, created_at: at })
    .returning('id');
  const { id } = await storeNamed(insert.executeTakeFirstOrThrow(), name, gradeId);
  await recordClassChange(data, at, { id, gradeId }, 'created');
  return readClass(data, id);
}

/** Renames or moves a class; both grades must be in the range. @throws AppError not_found, out_of_range, conflict */
export async function changeClass(
  data: SchoolData,
  id: number,
  change: { name?: string | undefined; gradeId?: number | undefined },
  at: Date,
): Promise<ClassSummary> {
  const found = await lockClass(data, id);
  if (change.gradeId !== undefined) await requireGradeInRange(data, change.gradeId);
  const gradeId = change.gradeId ?? found.gradeId;
  const name = change.name ?? found.name;
  const isChanged = name !== found.name || gradeId !== found.gradeId;
  const updated = { name, grade_id: gradeId, updated_at: isChanged ? at : undefined };
  const update = data.updateTable('class').where('id', '=', id).set(updated);
  await storeNamed(update.execute(), name, gradeId);
  if (gradeId === found.gradeId) {
    if (isChanged) await recordClassChange(data, at, found, 'updated');
  } else {
    await recordMovedClasses(data, at, [{ id, name: found.name, fromGradeId: found.gradeId }]);
    // Class administrators' rows name the grade of their class.
    await data.updateTable('admin').where('class_id', '=', id).set({ grade_id: gradeId }).execute();
    await data.announceAccessChange();
  }
  return readClass(data, id);
}

/** Deletes a class with students, records and templates. @throws AppError not_found, out_of_range */
export async function deleteClass(data: SchoolData, id: number, at: Date) {
  await data.lockSchool();
  await lockStudentsOfClasses(data, [id]);
  const found = await lockClass(data, id);
  await recordDeletedClasses(data, at, [id]);
  const students = await deleteClassContents(data, [id]);
  await clearClassReferences(data, [id]);
  await data.deleteFrom('class').where('id', '=', id).execute();
  await data.announceAccessChange();
  return { id, name: found.name, cascadeDeleted: { students } };
}

/** Clears references to locked classes, because foreign keys cannot clear them in a distributed database. */
export async function clearClassReferences(data: SchoolData, classIds: readonly number[]): Promise<void> {
  const deleted = anyOf(classIds);
  await data.updateTable('admin').where('class_id', '=', deleted).set({ class_id: null }).execute();
  await data.updateTable('term').where('class_id', '=', deleted).set({ class_id: null }).execute();
  await data
    .updateTable('sign_in_provider')
    .where('create_students_in', '=', deleted)
    .set({ create_students_in: null })
    .execute();
}

/** Locks students, which come before classes in the lock order. */
export async function lockStudentsOfClasses(data: SchoolData, classIds: readonly number[]): Promise<void> {
  await data.lockStudents((students) => students.where('class_id', '=', anyOf(classIds)));
}

/** Also deletes students who joined after the lock of students. Their score writes can deadlock and are retried. */
export async function deleteClassContents(data: SchoolData, classIds: readonly number[]): Promise<number> {
  const ofClasses = anyOf(classIds);
  const students = data.selectFrom('student').where('class_id', '=', ofClasses).select('id');
  await data.deleteFrom('score_record').where('student_id', 'in', students).execute();
  await data.deleteFrom('seat').where('class_id', '=', ofClasses).execute();
  // Deletes teams before terms, because records of teams refer to terms.
  await data.deleteFrom('team').where('class_id', '=', ofClasses).execute();
  const deleted = await data
    .deleteFrom('student')
    .where('class_id', '=', ofClasses)
    .returning('id')
    .execute();
  await deleteEmptyTerms(data, classIds);
  return deleted.length;
}

/** Deletes closed terms of deleted classes to which no record or standing refers. */
async function deleteEmptyTerms(data: SchoolData, classIds: readonly number[]): Promise<void> {
  const referring = (table: 'score_record' | 'term_standing') =>
    data.selectFrom(table).where('term_id', '=', sql.ref<number>('term.id')).select('term_id');
  await data
    .deleteFrom('term')
    .where((is) => is.or([is('class_id', 'is', null), is('class_id', '=', anyOf(classIds))]))
    .where(({ not, exists }) => not(exists(referring('score_record'))))
    .where(({ not, exists }) => not(exists(referring('term_standing'))))
    .execute();
}
