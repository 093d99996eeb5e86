import type { GradeSummary } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { requireGrade } from '../../access/targets.ts';
import { conflict, notFound, schoolGone } from '../../app-error.ts';
import { type Listed, type Order, readPage, type Slice } from '../../database/page.ts';
import { violatedUnique, violatesForeignKey } from '../../database/transaction.ts';
import { deleteClassContents, lockStudentsOfClasses } from './classes.ts';

/** Of the classes of a grade, outside the range too: a class administrator sees how large its grade is. */
const ofClasses = (aggregate: RawBuilder<number>) =>
  sql<number>`(SELECT ${aggregate} FROM class WHERE class.school_id = g.school_id AND class.grade_id = g.id)`;

/** With counts that the external door does not show. */
const fields = [
  'g.id',
  'g.name',
  'g.school_id as schoolId',
  'g.created_at as createdAt',
  ofClasses(sql`count(*)`).as('classCount'),
  ofClasses(sql`coalesce(sum(class.student_count), 0)::bigint`).as('studentCount'),
] as const;

/** Grades in the range by id. */
export function listGrades(
  data: SchoolData,
  { order = 'asc' }: { order?: Order | undefined },
  slice: Slice,
): Promise<Listed<GradeSummary>> {
  const total = data.grades().select(sql<number>`count(*)`.as('total'));
  return readPage(data.grades().select(fields).orderBy('g.id', order), total, slice, 'g.id');
}

/** @throws AppError conflict when the school has a grade of that name, school_disabled when it is deleted */
export async function createGrade(data: SchoolData, name: string, at: Date): Promise<GradeSummary> {
  const [created] = await refused(
    name,
    data
      .insertInto('grade')
      .values({ school_id: data.schoolId, name, created_at: at })
      .returning(['id', 'name', 'school_id as schoolId', 'created_at as createdAt'])
      .execute(),
  );
  return {
    ...(created as Omit<GradeSummary, 'classCount' | 'studentCount'>),
    classCount: 0,
    studentCount: 0,
  };
}

/** @throws AppError not_found, out_of_range, conflict */
export async function renameGrade(data: SchoolData, id: number, name: string): Promise<GradeSummary> {
  await requireGrade(data, id);
  await refused(name, data.updateGrade(id).set({ name }).execute());
  const renamed = await data.grades().where('g.id', '=', id).select(fields).executeTakeFirst();
  if (!renamed) throw notFound('The grade');
  return renamed;
}

/**
 * Deletes a grade with its classes, students and records, in a transaction.
 *
 * @throws AppError not_found, out_of_range
 */
export async function deleteGrade(data: SchoolData, id: number) {
  // Locking the grade keeps new classes out until the end.
  await data.execute(sql`SELECT 1 FROM grade WHERE school_id = ${data.schoolId} AND id = ${id} FOR UPDATE`);
  const grade = await requireGrade(data, id);
  const found = await classesOf(data, id);
  await lockStudentsOfClasses(data, found);
  await data.wholeSchool().lockClasses(found);
  // A class may have left the grade while its lock was awaited: it keeps everything.
  const classIds = await classesOf(data, id);
  const students = await deleteClassContents(data, classIds);
  await data.deleteFrom('class').where('grade_id', '=', id).execute();
  await data.deleteFrom('grade').where('id', '=', id).execute();
  return { id, name: grade.name, cascadeDeleted: { classes: classIds.length, students } };
}

async function classesOf(data: SchoolData, gradeId: number): Promise<number[]> {
  const classes = data.wholeSchool().classTotals().where('c.grade_id', '=', gradeId);
  return (await classes.select('c.id').execute()).map((found) => found.id);
}

/** Names what the database refused: the name, or a school that went away meanwhile. */
async function refused<T>(name: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatesForeignKey(error)) throw schoolGone();
    if (violatedUnique(error) === null) throw error;
    throw conflict(`A grade named ${JSON.stringify(name)} already exists`);
  }
}
