import { type RawBuilder, sql } from 'kysely';
import type { SchoolData } from '../access/school-data.ts';
import { anyOf } from '../database/expressions.ts';
import { type PlaceOfChange, recordChanges, recordSelectedChanges, wholeSchool } from './record-changes.ts';
import { namesOfStudents, recordDeletedStudents } from './record-student-changes.ts';

type StructureAction = 'created' | 'updated';

const places = (action: StructureAction, place: PlaceOfChange) => ({
  before: action === 'created' ? null : place,
  after: place,
});

const keysOf = (id: number, name: string) => ({ [id]: { name } });

export function recordGradeChange(
  data: SchoolData,
  at: Date,
  id: number,
  action: StructureAction,
): Promise<void> {
  return recordChanges(data, at, [
    { type: 'grade', ids: [id], ...places(action, { gradeId: id, classId: null }) },
  ]);
}

export function recordClassChange(
  data: SchoolData,
  at: Date,
  { id, gradeId }: { readonly id: number; readonly gradeId: number },
  action: StructureAction,
): Promise<void> {
  return recordChanges(data, at, [{ type: 'class', ids: [id], ...places(action, { gradeId, classId: id }) }]);
}

/** Returns the place of a template. The caller has locked the class, so it stays in its grade. */
async function placeOfTemplate(data: SchoolData, classId: number | null): Promise<PlaceOfChange> {
  if (classId === null) return wholeSchool;
  const owner = data.wholeSchool().classesUnjoined().where('c.id', '=', classId).select('c.grade_id');
  return { gradeId: (await owner.executeTakeFirst())?.grade_id ?? 0, classId };
}

/** @param classId the template's class, which the caller has locked; null for a template of the school */
export async function recordTemplateChange(
  data: SchoolData,
  at: Date,
  { id, name, classId }: { readonly id: number; readonly name: string; readonly classId: number | null },
  action: StructureAction | 'deleted',
): Promise<void> {
  const place = await placeOfTemplate(data, classId);
  const change =
    action === 'deleted' ? { before: place, after: null, keys: keysOf(id, name) } : places(action, place);
  await recordChanges(data, at, [{ type: 'template', ids: [id], ...change }]);
}

/** Each range of the school lists the categories. */
export const recordCategoryChange = (
  data: SchoolData,
  at: Date,
  ids: readonly number[],
  action: StructureAction,
): Promise<void> => recordChanges(data, at, [{ type: 'category', ids, ...places(action, wholeSchool) }]);

/** The caller has locked the class. */
export interface MovedClass {
  readonly id: number;
  readonly name: string;
  readonly fromGradeId: number;
}

/** Records moved classes and their contents. For ranges of only such a class, also records that the grade changes. */
export async function recordMovedClasses(
  data: SchoolData,
  at: Date,
  moved: readonly MovedClass[],
): Promise<void> {
  if (moved.length === 0) return;
  const { schoolId } = data;
  const classes = sql`unnest(${moved.map(({ id }) => id)}::bigint[], ${moved.map(({ name }) => name)}::text[],
      ${moved.map(({ fromGradeId }) => fromGradeId)}::bigint[]) AS m (id, name, grade_before)
    JOIN class c ON c.id = m.id AND c.school_id = ${schoolId}`;
  const places = sql`m.grade_before, m.id, c.grade_id, m.id`;
  const contents = [
    sql`SELECT 'class', ARRAY[m.id], ${places}, false, jsonb_build_object(m.id, jsonb_build_object('name', m.name))
      FROM ${classes}`,
    sql`SELECT 'grade', ARRAY[g.id], 0::bigint, m.id, NULL::bigint, NULL::bigint, true,
        jsonb_build_object(g.id, jsonb_build_object('name', g.name))
      FROM ${classes} JOIN grade g ON g.school_id = c.school_id AND g.id = m.grade_before`,
    sql`SELECT 'grade', ARRAY[c.grade_id], NULL::bigint, NULL::bigint, 0::bigint, m.id, true, NULL::jsonb FROM ${classes}`,
    sql`SELECT 'student', array_agg(s.id ORDER BY s.id), ${places}, true, ${namesOfStudents}
      FROM ${classes} JOIN student s ON s.school_id = c.school_id AND s.class_id = c.id GROUP BY ${places}`,
    sql`SELECT 'score', array_agg(r.id ORDER BY r.id), ${places}, true, jsonb_build_object('userId', r.student_id)
      FROM ${classes} JOIN student s ON s.school_id = c.school_id AND s.class_id = c.id
        JOIN score_record r ON r.school_id = s.school_id AND r.student_id = s.id AND r.live
      GROUP BY r.student_id, ${places}`,
    sql`SELECT 'template', array_agg(t.id ORDER BY t.id), ${places}, true,
        jsonb_object_agg(t.id, jsonb_build_object('name', t.name))
      FROM ${classes} JOIN template t ON t.school_id = c.school_id AND t.class_id = c.id GROUP BY ${places}`,
  ];
  for (const found of contents) await recordSelectedChanges(data, at, found);
}

function recordTemplates(
  data: SchoolData,
  at: Date,
  which: RawBuilder<unknown>,
  place: RawBuilder<unknown>,
): Promise<void> {
  const found = sql`SELECT 'template', array_agg(t.id ORDER BY t.id), ${place}, jsonb_object_agg(t.id, jsonb_build_object('name', t.name))
    FROM template t WHERE t.school_id = ${data.schoolId} AND ${which} HAVING count(*) > 0`;
  return recordSelectedChanges(data, at, found);
}

/** Records that a deleted class or grade lists the templates and categories of the school no more. */
async function recordSchoolWideGone(data: SchoolData, at: Date, before: PlaceOfChange): Promise<void> {
  const place = deletedFrom(before, true);
  await recordTemplates(data, at, sql`t.class_id IS NULL`, place);
  const found = sql`SELECT 'category', array_agg(k.id ORDER BY k.id), ${place}, jsonb_object_agg(k.id, jsonb_build_object('name', k.name))
    FROM category k WHERE k.school_id = ${data.schoolId} HAVING count(*) > 0`;
  await recordSelectedChanges(data, at, found);
}

/** Requires locks on the classes, and on the school against new templates and categories. Call this before the deletion. */
export async function recordDeletedClasses(
  data: SchoolData,
  at: Date,
  classIds: readonly number[],
): Promise<void> {
  const students = data.selectFrom('student').where('class_id', '=', anyOf(classIds)).select('id');
  const studentIds = (await students.execute()).map(({ id }) => id);
  await recordDeletedStudents(data, at, studentIds);
  const classes = await data
    .wholeSchool()
    .classes()
    .where('c.id', '=', anyOf(classIds))
    .select(['c.id', 'c.name', 'g.id as gradeId', 'g.name as gradeName'])
    .execute();
  for (const { id, name, gradeId, gradeName } of classes) {
    const before = { gradeId, classId: id };
    const alone = { gradeId: 0, classId: id };
    await recordChanges(data, at, [
      { type: 'class', ids: [id], before, after: null, keys: keysOf(id, name) },
      {
        type: 'grade',
        ids: [gradeId],
        before: alone,
        after: null,
        onlyPlaceChanged: true,
        keys: keysOf(gradeId, gradeName),
      },
    ]);
    await recordTemplates(data, at, sql`t.class_id = ${id}`, deletedFrom(before, false));
    await recordSchoolWideGone(data, at, alone);
  }
}

const deletedFrom = ({ gradeId, classId }: PlaceOfChange, onlyPlaceChanged: boolean) =>
  sql`${gradeId}::bigint, ${classId}::bigint, NULL::bigint, NULL::bigint, ${onlyPlaceChanged}::boolean`;

/** Records a deletion in advance, after `recordDeletedClasses`, with the school locked as for it. */
export async function recordDeletedGrade(
  data: SchoolData,
  at: Date,
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> {
  const before = { gradeId: id, classId: null };
  await recordChanges(data, at, [{ type: 'grade', ids: [id], before, after: null, keys: keysOf(id, name) }]);
  await recordSchoolWideGone(data, at, before);
}
