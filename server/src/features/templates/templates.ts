import type { Template } from '@classledger/contract';
import { sql } from 'kysely';
import { requireNotArchived, requireWritable } from '../../access/archived.ts';
import { covers } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireClassInRange, requireTemplate } from '../../access/targets.ts';
import { noteTemplate } from '../../changes/note-structure-changes.ts';
import { anyOf, type Listed, type Order, readPage, type Slice } from '../../database/page.ts';
import { violatedUnique, violatesForeignKey } from '../../database/transaction.ts';
import { conflict, notFound, outOfRange, schoolGone } from '../../errors/app-error.ts';

const fields = [
  't.id',
  't.class_id as classId',
  sql<boolean>`t.class_id IS NULL`.as('global'),
  't.name',
  't.score_change as scoreChange',
  't.description',
  't.created_at as createdAt',
  't.updated_at as updatedAt',
] as const;

const returnedColumns = [
  'id',
  'class_id as classId',
  sql<boolean>`class_id IS NULL`.as('global'),
  'name',
  'score_change as scoreChange',
  'description',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/**
 * Templates that the range may use, by id: the school-wide ones and those of its classes, or of one class among
 * them.
 */
export function listTemplates(
  data: SchoolData,
  { classId, order = 'asc' }: { classId?: number | undefined; order?: Order | undefined },
  slice: Slice,
): Promise<Listed<Template>> {
  const usable = () => {
    const templates = data.templates();
    if (classId === undefined) return templates;
    return templates.where((is) => is.or([is('t.class_id', 'is', null), is('t.class_id', '=', classId)]));
  };
  const total = usable().select(sql<number>`count(*)`.as('total'));
  return readPage(usable().select(fields).orderBy('t.id', order), total, slice, 't.id', { order });
}

/** Some templates, as far as the range may use them. */
export const templatesByIds = (data: SchoolData, ids: readonly number[]): Promise<Template[]> =>
  data.templates().where('t.id', '=', anyOf(ids)).select(fields).execute();

/**
 * The template that a score write names.
 *
 * @throws AppError not_found when the whole school lacks it, out_of_range when it belongs to another class
 */
export async function findUsableTemplate(data: SchoolData, id: number) {
  const usable = await data
    .templates()
    .where('t.id', '=', id)
    .select(['t.score_change as scoreChange', 't.description'])
    .executeTakeFirst();
  if (usable) return usable;
  const exists = await data
    .wholeSchool()
    .templates()
    .where('t.id', '=', id)
    .select('t.id')
    .executeTakeFirst();
  throw exists ? outOfRange(`Template ${id}`) : notFound(`Template ${id}`);
}

/**
 * Creates a template of a class, or of the whole school when `classId` is null or absent.
 *
 * @throws AppError out_of_range, conflict when the owner has one of that name, school_disabled when the school
 * is deleted meanwhile
 */
export async function createTemplate(
  data: SchoolData,
  template: {
    name: string;
    scoreChange: number;
    description?: string | undefined;
    classId?: number | null | undefined;
  },
  at: Date,
): Promise<Template> {
  const { name, scoreChange, description = '', classId = null } = template;
  if (classId !== null) await requireClassInRange(data, classId);
  else if (!covers(data.range, { schoolId: data.schoolId, gradeId: null, classId: null })) {
    throw outOfRange('A school-wide template');
  }
  const [created] = await translateViolations(
    name,
    classId,
    data.transaction(async (own) => {
      if (!(await (classId === null ? own.lockSchoolShared() : own.preventSchoolDeletion())))
        throw schoolGone();
      await lockClassOfTemplate(own, classId);
      const rows = await own
        .insertInto('template')
        .values({
          school_id: data.schoolId,
          class_id: classId,
          name,
          score_change: scoreChange,
          description,
          created_at: at,
          updated_at: at,
        })
        .returning(returnedColumns)
        .execute();
      for (const row of rows) await noteTemplate(own, at, row, 'created');
      return rows;
    }),
  );
  return created as Template;
}

/** Keeps the class of a template in its grade. The template is looked at again after that. @throws AppError out_of_range */
async function lockClassOfTemplate(data: SchoolData, classId: number | null): Promise<void> {
  if (classId === null) return;
  requireWritable(await data.lockClasses([classId]), classId, `Class ${classId}`);
}

async function lockTemplate(data: SchoolData, id: number) {
  const { classId } = await requireTemplate(data, id);
  if (classId !== null) await data.wholeSchool().lockClasses([classId]);
  const template = await requireTemplate(data, id);
  requireNotArchived(template, 'The class of the template');
  return template;
}

/**
 * Changes a template, in a transaction.
 *
 * @throws AppError not_found, out_of_range, conflict
 */
export async function changeTemplate(
  data: SchoolData,
  id: number,
  change: { name?: string | undefined; scoreChange?: number | undefined; description?: string | undefined },
  at: Date,
): Promise<Template> {
  const found = await lockTemplate(data, id);
  const [changed] = await translateViolations(
    change.name ?? found.name,
    found.classId,
    data
      .updateTemplate(id)
      .set({
        updated_at: at,
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.scoreChange === undefined ? {} : { score_change: change.scoreChange }),
        ...(change.description === undefined ? {} : { description: change.description }),
      })
      .returning(returnedColumns)
      .execute(),
  );
  if (!changed) throw notFound('The template');
  await noteTemplate(data, at, changed, 'updated');
  return changed;
}

/** Deletes a template, in a transaction; points given with it stay. */
export async function deleteTemplate(data: SchoolData, id: number, at: Date) {
  const found = await lockTemplate(data, id);
  const [deleted] = await data.deleteFrom('template').where('id', '=', id).returning('id').execute();
  if (!deleted) throw notFound('The template');
  await noteTemplate(data, at, found, 'deleted');
  return { id, name: found.name };
}

/** Names what the database refused: the name, or an owner, a class or the school, that went away meanwhile. */
async function translateViolations<T>(name: string, classId: number | null, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (violatesForeignKey(error)) throw classId ? outOfRange(`Class ${classId}`) : schoolGone();
    if (violatedUnique(error) === null) throw error;
    throw conflict(`A template named ${JSON.stringify(name)} already exists`);
  }
}
