import {
  type Body,
  Category,
  type categoryPresets,
  type InternalOperations,
  limits,
} from '@classledger/contract';
import { sql } from 'kysely';
import { covers } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { recordCategoryChange } from '../../changes/record-structure-changes.ts';
import { anyOf } from '../../database/expressions.ts';
import { countRows, type ListResult, type Order, readPage, type Slice } from '../../database/page.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { conflict, notFound, outOfRange, schoolGone, unusableCategory } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';

const isRetired = sql<boolean>`retired_at IS NOT NULL`.as('retired');
const fields = [...columnsOf('k', Category, ['retired']), isRetired];
const returned = [...columnsOf('category', Category, ['retired']), isRetired];

type NewCategory = Body<InternalOperations['createScoreCategory']>;

/** Lists the categories of the school, retired ones included, in the order of the pages. */
export const listByPosition = (data: SchoolData, slice: Slice): Promise<ListResult<Category>> =>
  readPage(data.categories().select(fields).orderBy('k.position').orderBy('k.id'), slice, 'k.id');

export const listById = (
  data: SchoolData,
  { order = 'asc' }: { order?: Order | undefined },
  slice: Slice,
): Promise<ListResult<Category>> =>
  readPage(data.categories().select(fields).orderBy('k.id', order), slice, 'k.id', { order });

export const categoriesByIds = (data: SchoolData, ids: readonly number[]): Promise<Category[]> =>
  data.categories().where('k.id', '=', anyOf(ids)).select(fields).execute();

/** Keeps a category usable until the commit. Null names none. @throws AppError invalid_value */
export async function requireUsableCategory(data: SchoolData, id: number | null): Promise<void> {
  if (id === null) return;
  const usable = data.selectFrom('category').where('id', '=', id).where('retired_at', 'is', null);
  if (!(await usable.select('id').forShare().executeTakeFirst())) throw unusableCategory(id);
}

/** @throws AppError out_of_range (the caller manages a part of the school), conflict, school_disabled */
export async function createCategory(data: SchoolData, category: NewCategory, at: Date): Promise<Category> {
  const [created] = await createCategories(data, [category], at);
  return created as Category;
}

/** Creates the categories of a preset, all or none. @throws AppError as `createCategory` */
export async function createPreset(
  data: SchoolData,
  { preset, language }: Body<InternalOperations['createPresetCategories']>,
  at: Date,
): Promise<{ name: string; categories: Category[] }> {
  const { name, categories } = presets[preset];
  const rows = categories.map(({ code, ...names }, i) => ({ code, name: names[language], colour: i + 1 }));
  return { name: name[language], categories: await createCategories(data, rows, at) };
}

function createCategories(data: SchoolData, given: readonly NewCategory[], at: Date): Promise<Category[]> {
  requireWholeSchool(data);
  return data.transaction(async (own) => {
    // The lock keeps the count and the last position from changing.
    await own.lockSchool();
    if (!(await own.preventSchoolDeletion())) throw schoolGone();
    if ((await countRows(own.selectFrom('category'))) + given.length > limits.categoriesMax)
      throw conflict(`The school can have at most ${limits.categoriesMax} categories`);
    const created: Category[] = [];
    for (const { code, name, colour, position } of given) {
      const category = own.insertInto('category').values({
        school_id: own.schoolId,
        code,
        name,
        colour,
        position:
          position ??
          sql<number>`(
          SELECT coalesce(max(position), 0) + 1 FROM category WHERE school_id = ${own.schoolId})`,
        created_at: at,
        updated_at: at,
      });
      created.push(await storeCoded(code, category.returning(returned).executeTakeFirstOrThrow()));
    }
    const ids = created.map(({ id }) => id);
    await recordCategoryChange(own, at, ids, 'created');
    return created;
  });
}

/** @throws AppError not_found, out_of_range, conflict (the code) */
export async function changeCategory(
  data: SchoolData,
  id: number,
  { retired, ...change }: Body<InternalOperations['updateScoreCategory']>,
  at: Date,
): Promise<Category> {
  const found = data.selectFrom('category').where('id', '=', id).select('id');
  await found.executeTakeFirstOrThrow(() => notFound('The category'));
  requireWholeSchool(data);
  const changed = await storeCoded(
    change.code ?? '',
    data
      .updateTable('category')
      .where('id', '=', id)
      .set({ ...change, updated_at: at, retired_at: retired === undefined ? undefined : retired ? at : null })
      .returning(returned)
      .executeTakeFirstOrThrow(),
  );
  await recordCategoryChange(data, at, [id], 'updated');
  return changed;
}

function requireWholeSchool({ range, schoolId }: SchoolData): void {
  if (!covers(range, { schoolId, gradeId: null, classId: null })) throw outOfRange('The list of categories');
}

const storeCoded = <T>(code: string, write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    if (violatedUnique(error) === null) throw error;
    throw conflict(`A category with the code ${JSON.stringify(code)} already exists`);
  });

interface Preset {
  readonly name: Readonly<Record<'en' | 'zh', string>>;
  readonly categories: readonly { readonly code: string; readonly en: string; readonly zh: string }[];
}

const presets: Readonly<Record<(typeof categoryPresets)[number], Preset>> = {
  fiveVirtues: {
    name: { en: 'Five virtues', zh: '五育' },
    categories: [
      { code: 'de', en: 'Moral', zh: '德育' },
      { code: 'zhi', en: 'Intellectual', zh: '智育' },
      { code: 'ti', en: 'Physical', zh: '体育' },
      { code: 'mei', en: 'Aesthetic', zh: '美育' },
      { code: 'lao', en: 'Labour', zh: '劳育' },
    ],
  },
  pbis: {
    name: { en: 'PBIS expectations', zh: 'PBIS 行为期望' },
    categories: [
      { code: 'respectful', en: 'Respectful', zh: '尊重' },
      { code: 'responsible', en: 'Responsible', zh: '负责' },
      { code: 'safe', en: 'Safe', zh: '安全' },
    ],
  },
};
