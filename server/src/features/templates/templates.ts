import { type Body, type InternalOperations, Template } from '@classledger/contract';
import { sql } from 'kysely';
import { requireNotArchived, requireWritable } from '../../access/archived.ts';
import { covers } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClassInRange, requireTemplate, requireVisible } from '../../access/targets.ts';
import { recordTemplateChange } from '../../changes/record-structure-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { type ListResult, type Order, readPage, type Slice } from '../../database/page.ts';
import { translateViolations } from '../../database/transaction.ts';
import { conflict, notFound, outOfRange, schoolGone } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { requireUsableCategory } from '../categories/categories.ts';

const isGlobal = sql<boolean>`class_id IS NULL`.as('global');
const fields = [...columnsOf('t', Template, ['global']), isGlobal];
const returned = [...columnsOf('template', Template, ['global']), isGlobal];

/** Lists templates of the school and of classes in the range, or of one class, by id. */
export function listTemplates(
  data: SchoolData,
  { classId, order = 'asc' }: { classId?: number | undefined; order?: Order | undefined },
  slice: Slice,
): Promise<ListResult<Template>> {
  let templates = data.templates();
  if (classId !== undefined) {
    templates = templates.where((is) =>
      is.or([is('t.class_id', 'is', null), is('t.class_id', '=', classId)]),
    );
  }
  return readPage(templates.select(fields).orderBy('t.id', order), slice, 't.id', { order });
}

export const templatesByIds = (data: SchoolData, ids: readonly number[]): Promise<Template[]> =>
  data.templates().where('t.id', '=', anyOf(ids)).select(fields).execute();

/** @throws AppError not_found when the school has no such template, out_of_range when it belongs to another class */
export async function findUsableTemplate(data: SchoolData, id: number) {
  const find = (own: SchoolData) =>
    own
      .templates()
      .where('t.id', '=', id)
      .select(['t.score_change as scoreChange', 't.description', 't.category_id as categoryId']);
  return requireVisible(data, find, `Template ${id}`);
}

/** @throws AppError out_of_range (the class), school_disabled (the school is gone), conflict (the name) */
const storeNamed = <T>(name: string, classId: number | null, write: Promise<T>) =>
  translateViolations(
    write,
    classId ? outOfRange(`Class ${classId}`) : schoolGone(),
    conflict(`A template named ${JSON.stringify(name)} already exists`),
  );

/**
 * Creates a template, without `classId` for the school.
 * @throws AppError out_of_range, conflict, school_disabled, invalid_value (the category)
 */
export async function createTemplate(
  data: SchoolData,
  {
    name,
    scoreChange,
    description = '',
    classId = null,
    categoryId = null,
  }: Body<InternalOperations['createScoreTemplate']>,
  at: Date,
): Promise<Template> {
  if (classId !== null) await requireClassInRange(data, classId);
  else if (!covers(data.range, { schoolId: data.schoolId, gradeId: null, classId: null })) {
    throw outOfRange('A school-wide template');
  }
  return storeNamed(
    name,
    classId,
    data.transaction(async (own) => {
      if (!(await (classId === null ? own.lockSchoolShared() : own.preventSchoolDeletion())))
        throw schoolGone();
      // The lock keeps the class in its grade.
      if (classId !== null) requireWritable(await own.lockClasses([classId]), classId, `Class ${classId}`);
      await requireUsableCategory(own, categoryId);
      const created = await own
        .insertInto('template')
        .values({
          school_id: data.schoolId,
          class_id: classId,
          name,
          score_change: scoreChange,
          description,
          category_id: categoryId,
          created_at: at,
          updated_at: at,
        })
        .returning(returned)
        .executeTakeFirstOrThrow();
      await recordTemplateChange(own, at, created, 'created');
      return created;
    }),
  );
}

async function lockTemplate(data: SchoolData, id: number) {
  const { classId } = await requireTemplate(data, id);
  if (classId !== null) await data.wholeSchool().lockClasses([classId]);
  const template = await requireTemplate(data, id);
  requireNotArchived(template, 'The class of the template');
  return template;
}

/** @throws AppError not_found, out_of_range, conflict, invalid_value (the category) */
export async function changeTemplate(
  data: SchoolData,
  id: number,
  change: Body<InternalOperations['updateScoreTemplate']>,
  at: Date,
): Promise<Template> {
  const found = await lockTemplate(data, id);
  await requireUsableCategory(data, change.categoryId ?? null);
  const changed = await storeNamed(
    change.name ?? found.name,
    found.classId,
    data
      .updateTable('template')
      .where('id', '=', id)
      .set({
        updated_at: at,
        name: change.name,
        score_change: change.scoreChange,
        description: change.description,
        category_id: change.categoryId,
      })
      .returning(returned)
      .executeTakeFirstOrThrow(() => notFound('The template')),
  );
  await recordTemplateChange(data, at, changed, 'updated');
  return changed;
}

/** Deletes a template; points given with it stay. */
export async function deleteTemplate(data: SchoolData, id: number, at: Date) {
  const found = await lockTemplate(data, id);
  const deleted = data.deleteFrom('template').where('id', '=', id).returning('id');
  await deleted.executeTakeFirstOrThrow(() => notFound('The template'));
  await recordTemplateChange(data, at, found, 'deleted');
  return { id, name: found.name };
}
