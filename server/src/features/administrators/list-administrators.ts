import { Administrator, type InternalOperations, type Query } from '@classledger/contract';
import { sql } from 'kysely';
import { adminRange, managedRoles, type Range } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { likePattern } from '../../database/expressions.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { columnsOf } from '../../fields/fields.ts';
import { readTaughtClasses } from './teaching.ts';

/** Follows `covers`: rows of class administrators name the class's grade, so a grade's range includes them. */
export function administratorsInRange(db: Queryable, { schoolId, gradeId, classId }: Range) {
  const ofSchool = db.selectFrom('admin').select('admin.id').where('admin.school_id', '=', schoolId);
  if (classId !== null) return ofSchool.where('admin.class_id', '=', classId);
  return gradeId === null ? ofSchool : ofSchool.where('admin.grade_id', '=', gradeId);
}

/**
 * Selects administrators with their school names, under the alias `a`; `addPlaceNames` adds the names of grades and
 * classes.
 */
function selectAdministrators(db: Queryable) {
  return db
    .selectFrom('admin as a')
    .leftJoin('school as o', 'o.id', 'a.school_id')
    .select(columnsOf('a', Administrator, ['schoolName', 'gradeName', 'className', 'teaches']))
    .select('o.name as schoolName');
}

type AdministratorRow = Omit<Administrator, 'gradeName' | 'className' | 'teaches'>;

/** Filters by a single school with `=`, so that the statement runs where that school's data is. */
async function addPlaceNames(db: Queryable, rows: readonly AdministratorRow[]): Promise<Administrator[]> {
  const idsOf = (column: 'gradeId' | 'classId') => rows.flatMap((row) => row[column] ?? []);
  const [gradeIds, classIds] = [idsOf('gradeId'), idsOf('classId')];
  const schools = [...new Set(rows.flatMap(({ schoolId }) => schoolId ?? []))];
  const inSchools =
    schools.length === 1 ? sql`school_id = ${schools[0]}` : sql`school_id = ANY(${schools}::bigint[])`;
  const found =
    gradeIds.length + classIds.length === 0
      ? []
      : (
          await sql<{ type: 'grade' | 'class'; id: number; name: string }>`
            SELECT 'grade' AS type, id, name FROM grade WHERE ${inSchools} AND id = ANY(${gradeIds}::bigint[])
            UNION ALL
            SELECT 'class', id, name FROM class WHERE ${inSchools} AND id = ANY(${classIds}::bigint[])`.execute(
            db,
          )
        ).rows;
  const taught = await readTaughtClasses(
    db,
    rows.map(({ id }) => id),
  );
  const names = new Map(found.map(({ type, id, name }) => [`${type} ${id}`, name]));
  return rows.map((row) => ({
    ...row,
    gradeName: names.get(`grade ${row.gradeId}`) ?? null,
    className: names.get(`class ${row.classId}`) ?? null,
    teaches: taught.get(row.id) ?? [],
  }));
}

export async function findAdministrator(db: Queryable, id: number): Promise<Administrator | undefined> {
  const [found] = await addPlaceNames(db, await selectAdministrators(db).where('a.id', '=', id).execute());
  return found;
}

/** Lists the caller and the administrators in the range, or only those that `mayManage` allows, ordered by id. */
export async function listAdministrators(
  db: Database,
  admin: Admin,
  data: SchoolData | null,
  which: 'visible' | 'managed',
  { role, search, disabled }: Query<InternalOperations['listAdministrators']>,
  slice: Slice,
): Promise<ListResult<Administrator>> {
  let matching = db.selectFrom('admin').select('admin.id');
  if (data) {
    const inRange = administratorsInRange(db, data.range);
    matching =
      which === 'visible' && adminRange(admin) !== 'everything'
        ? matching.where((is) => is.or([is('admin.id', 'in', inRange), is('admin.id', '=', admin.id)]))
        : inRange;
  }
  if (which === 'managed') matching = matching.where('admin.role', 'in', managedRoles(admin.role));
  if (role !== undefined) matching = matching.where('admin.role', '=', role);
  if (disabled !== undefined) matching = matching.where('admin.disabled', '=', disabled);
  if (search) {
    const pattern = likePattern(search);
    matching = matching.where((is) =>
      is.or([is('admin.username', 'ilike', pattern), is('admin.name', 'ilike', pattern)]),
    );
  }
  const page = await readPage<AdministratorRow>(
    selectAdministrators(db).where('a.id', 'in', matching).orderBy('a.id'),
    slice,
    'a.id',
    { counted: matching },
  );
  return page.mapParts(async (read) => addPlaceNames(db, await read()), await addPlaceNames(db, page.list));
}
