import type { ClassSummary } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireGradeInRange } from '../../access/targets.ts';
import { conflict, notFound, outOfRange } from '../../app-error.ts';
import type { Transaction } from '../../database/connect.ts';
import { type Listed, type Order, readPage, type Slice } from '../../database/page.ts';
import { violatedUnique, violatesForeignKey } from '../../database/transaction.ts';

/** With the sums that a class keeps; the external door shows none of them. */
const fields = [
  'c.id',
  'c.name',
  'g.id as gradeId',
  'g.name as gradeName',
  'c.school_id as schoolId',
  'c.created_at as createdAt',
  'c.student_count as studentCount',
  'c.disabled_student_count as disabledStudentCount',
  sql<number>`c.add_score + c.deduct_score`.as('totalScore'),
  'c.add_score as addScore',
  'c.deduct_score as deductScore',
  'c.record_count as scoreCount',
] as const;

/** Classes in the range by id, all or those of one grade. */
export function listClasses(
  data: SchoolData,
  { gradeId, order = 'asc' }: { gradeId?: number | undefined; order?: Order | undefined },
  slice: Slice,
): Promise<Listed<ClassSummary>> {
  const narrowed = () => {
    const classes = data.classes();
    return gradeId === undefined ? classes : classes.where('c.grade_id', '=', gradeId);
  };
  const total = narrowed().select(sql<number>`count(*)`.as('total'));
  return readPage(narrowed().select(fields).orderBy('c.id', order), total, slice, 'c.id');
}

async function readClass(data: SchoolData, id: number): Promise<ClassSummary> {
  const found = await data.wholeSchool().classes().where('c.id', '=', id).select(fields).executeTakeFirst();
  if (!found) throw notFound('The class');
  return found;
}

/** @throws AppError out_of_range (the grade), conflict */
export async function createClass(
  data: SchoolData,
  { name, gradeId }: { name: string; gradeId: number },
  at: Date,
): Promise<ClassSummary> {
  await requireGradeInRange(data, gradeId);
  const [created] = await refused(
    name,
    gradeId,
    data
      .insertInto('class')
      .values({ school_id: data.schoolId, grade_id: gradeId, name, created_at: at })
      .returning('id')
      .execute(),
  );
  return readClass(data, (created as { id: number }).id);
}

/**
 * Renames a class or moves it to another grade, in a transaction. A move takes both grades in the range.
 *
 * @throws AppError not_found, out_of_range, conflict
 */
export async function changeClass(
  data: SchoolData,
  tx: Transaction,
  id: number,
  change: { name?: string | undefined; gradeId?: number | undefined },
): Promise<ClassSummary> {
  const found = await lockClass(data, id);
  if (change.gradeId !== undefined) await requireGradeInRange(data, change.gradeId);
  const gradeId = change.gradeId ?? found.gradeId;
  const name = change.name ?? found.name;
  await refused(
    name,
    gradeId,
    data.updateClass(id).set({ name: change.name, grade_id: change.gradeId }).execute(),
  );
  if (gradeId !== found.gradeId) {
    // The grade of a class administrator is that of the class.
    await tx.updateTable('admin').set({ grade_id: gradeId }).where('class_id', '=', id).execute();
  }
  return readClass(data, id);
}

/**
 * Deletes a class with its students, records and templates, in a transaction.
 *
 * @throws AppError not_found, out_of_range
 */
export async function deleteClass(data: SchoolData, id: number) {
  await lockStudentsOfClasses(data, [id]);
  const found = await lockClass(data, id);
  const students = await deleteClassContents(data, [id]);
  await data.deleteFrom('class').where('id', '=', id).execute();
  return { id, name: found.name, cascadeDeleted: { students } };
}

const inClasses = (classIds: readonly number[]) => sql<boolean>`class_id = ANY(${classIds}::bigint[])`;

/** Students are locked before classes like everywhere. */
export async function lockStudentsOfClasses(data: SchoolData, classIds: readonly number[]): Promise<void> {
  await data.lockStudents((students) => students.where(inClasses(classIds)));
}

/**
 * Deletes the students of locked classes with all their records; the classes stay, empty. A student who came
 * after the students were locked and before the classes were is deleted too, at the risk of a deadlock with a
 * score write to just that student, which is retried.
 *
 * @returns how many students were deleted
 */
export async function deleteClassContents(data: SchoolData, classIds: readonly number[]): Promise<number> {
  const students = sql`SELECT id FROM student WHERE school_id = ${data.schoolId} AND ${inClasses(classIds)}`;
  await data.deleteFrom('score_record').where(sql<boolean>`student_id IN (${students})`).execute();
  const deleted = await data.deleteFrom('student').where(inClasses(classIds)).returning('id').execute();
  await deleteEmptyTerms(data, classIds);
  return deleted.length;
}

/**
 * Deletes the closed terms of classes that go, unless records or standings of students who left them still refer
 * to them; and those of classes that went before whose last such student has gone now.
 */
async function deleteEmptyTerms(data: SchoolData, classIds: readonly number[]): Promise<void> {
  const refersTo = (table: 'score_record' | 'term_standing') => sql<boolean>`EXISTS (
    SELECT 1 FROM ${sql.table(table)} AS kept WHERE kept.school_id = term.school_id AND kept.term_id = term.id)`;
  await data
    .deleteFrom('term')
    .where((is) => is.or([is('class_id', 'is', null), inClasses(classIds)]))
    .where(sql<boolean>`NOT ${refersTo('score_record')} AND NOT ${refersTo('term_standing')}`)
    .execute();
}

/** Names what the database refused: the name in that grade, or a grade that went away meanwhile. */
async function refused<T>(name: string, gradeId: number, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatesForeignKey(error)) throw outOfRange(`Grade ${gradeId}`);
    if (violatedUnique(error) === null) throw error;
    throw conflict(`A class named ${JSON.stringify(name)} already exists in this grade`);
  }
}
