import { GradeSummary } from '@classledger/contract';
import { type RawBuilder, sql } from 'kysely';
import { isGradeArchived } from '../../access/archived.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireOpenGrade } from '../../access/targets.ts';
import {
  recordDeletedClasses,
  recordDeletedGrade,
  recordGradeChange,
} from '../../changes/record-structure-changes.ts';
import { anyOf, sumOf } from '../../database/expressions.ts';
import { type ListResult, type Order, readPage, type Slice } from '../../database/page.ts';
import { translateViolations } from '../../database/transaction.ts';
import { conflict, notFound, schoolGone } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { clearClassReferences, deleteClassContents, lockStudentsOfClasses } from './classes.ts';

/** Counts classes outside the range too, because class administrators see the size of their grade. */
const aggregateClasses = (schoolId: number, aggregate: RawBuilder<number>) =>
  sql<number>`(SELECT ${aggregate} FROM class WHERE class.school_id = ${schoolId} AND class.grade_id = g.id)`;

/** Includes counts that the external API does not show. */
const gradeFields = ({ schoolId }: SchoolData) =>
  [
    ...columnsOf('g', GradeSummary, ['updatedAt', 'archived', 'classCount', 'studentCount']),
    sql<string>`coalesce(g.updated_at, g.created_at)`.as('updatedAt'),
    isGradeArchived.as('archived'),
    aggregateClasses(schoolId, sql`count(*)`).as('classCount'),
    aggregateClasses(schoolId, sumOf('class.student_count')).as('studentCount'),
  ] as const;

export function listGrades(
  data: SchoolData,
  { archived, order = 'asc' }: { archived?: boolean | undefined; order?: Order | undefined },
  slice: Slice,
): Promise<ListResult<GradeSummary>> {
  let grades = data.grades();
  if (archived !== undefined) grades = grades.where(isGradeArchived, '=', archived);
  return readPage(grades.select(gradeFields(data)).orderBy('g.id', order), slice, 'g.id', { order });
}

export const gradesByIds = (data: SchoolData, ids: readonly number[]): Promise<GradeSummary[]> =>
  data.grades().where('g.id', '=', anyOf(ids)).select(gradeFields(data)).execute();

const nameTaken = (name: string) => conflict(`A grade named ${JSON.stringify(name)} already exists`);

/**
 * @throws AppError conflict when the school has a grade of that name; school_disabled when the school was deleted
 */
export async function createGrade(data: SchoolData, name: string, at: Date): Promise<GradeSummary> {
  return translateViolations(
    data.transaction(async (own) => {
      if (!(await own.preventSchoolDeletion())) throw schoolGone();
      const { id } = await own
        .insertInto('grade')
        .values({ school_id: data.schoolId, name, created_at: at })
        .returning('id')
        .executeTakeFirstOrThrow();
      await recordGradeChange(own, at, id, 'created');
      return readGrade(own, id);
    }),
    schoolGone(),
    nameTaken(name),
  );
}

/** @throws AppError not_found, out_of_range, conflict (also: archived) */
export async function renameGrade(
  data: SchoolData,
  id: number,
  name: string,
  at: Date,
): Promise<GradeSummary> {
  const grade = await requireOpenGrade(data, id);
  const updatedAt = name === grade.name ? undefined : at;
  const update = data.updateTable('grade').where('id', '=', id).set({ name, updated_at: updatedAt });
  await translateViolations(update.execute(), schoolGone(), nameTaken(name));
  if (name !== grade.name) await recordGradeChange(data, at, id, 'updated');
  return readGrade(data, id);
}

/** Deletes a grade with classes, students and records. @throws AppError not_found, out_of_range, conflict (archived) */
export async function deleteGrade(data: SchoolData, id: number, at: Date) {
  await data.lockSchool();
  // Locks the grade, so that no class is added until the transaction ends.
  await data.execute(sql`SELECT 1 FROM grade WHERE school_id = ${data.schoolId} AND id = ${id} FOR UPDATE`);
  const grade = await requireOpenGrade(data, id);
  const found = await classIdsOf(data, id);
  await lockStudentsOfClasses(data, found);
  await data.wholeSchool().lockClasses(found);
  // Reads the classes again, because one can have left the grade during the wait for its lock.
  const classIds = await classIdsOf(data, id);
  await recordDeletedClasses(data, at, classIds);
  await recordDeletedGrade(data, at, grade);
  const students = await deleteClassContents(data, classIds);
  await clearClassReferences(data, classIds);
  await data.deleteFrom('class').where('grade_id', '=', id).execute();
  await data.updateTable('admin').where('grade_id', '=', id).set({ grade_id: null }).execute();
  await data.deleteFrom('grade').where('id', '=', id).execute();
  await data.announceAccessChange();
  return { id, name: grade.name, cascadeDeleted: { classes: classIds.length, students } };
}

async function readGrade(data: SchoolData, id: number): Promise<GradeSummary> {
  return data
    .wholeSchool()
    .grades()
    .where('g.id', '=', id)
    .select(gradeFields(data))
    .executeTakeFirstOrThrow(() => notFound('The grade'));
}

async function classIdsOf(data: SchoolData, gradeId: number): Promise<number[]> {
  const classes = data.wholeSchool().classesUnjoined().where('c.grade_id', '=', gradeId);
  return (await classes.select('c.id').execute()).map((found) => found.id);
}
