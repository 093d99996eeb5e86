import type { Administrator, InternalOperations, Query } from '@classledger/contract';
import { sql } from 'kysely';
import { managedRoles } from '../../access/management.ts';
import { adminRange, type Range } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { containing, type Listed, readPage, type Slice } from '../../database/page.ts';

export type AdministratorFilter = Query<InternalOperations['listAdministrators']>;

/**
 * Ids of the administrators who are responsible for something inside a range: what `covers` decides, as a query.
 * A class administrator carries the grade of its class, so that a grade finds it.
 */
export function administratorsIn(db: Queryable, { schoolId, gradeId, classId }: Range) {
  const ofSchool = db.selectFrom('admin').select('admin.id').where('admin.school_id', '=', schoolId);
  if (classId !== null) return ofSchool.where('admin.class_id', '=', classId);
  return gradeId === null ? ofSchool : ofSchool.where('admin.grade_id', '=', gradeId);
}

/** Administrators with the names of what they are responsible for. Alias `a`. */
function selectAdministrators(db: Queryable) {
  return db
    .selectFrom('admin as a')
    .leftJoin('school as o', 'o.id', 'a.school_id')
    .leftJoin('grade as g', (join) =>
      join.onRef('g.school_id', '=', 'a.school_id').onRef('g.id', '=', 'a.grade_id'),
    )
    .leftJoin('class as c', (join) =>
      join.onRef('c.school_id', '=', 'a.school_id').onRef('c.id', '=', 'a.class_id'),
    )
    .select([
      'a.id',
      'a.username',
      'a.role',
      'a.school_id as schoolId',
      'o.name as schoolName',
      'a.grade_id as gradeId',
      'g.name as gradeName',
      'a.class_id as classId',
      'c.name as className',
      'a.disabled',
      'a.created_at as createdAt',
    ]);
}

/** @returns undefined when there is none */
export function findAdministrator(db: Queryable, id: number): Promise<Administrator | undefined> {
  return selectAdministrators(db).where('a.id', '=', id).executeTakeFirst();
}

/**
 * Administrators by id: those responsible for something in the caller's range and oneself, or only those whom one may
 * change. Of the latter, the query is what `mayManage` decides.
 *
 * @param data narrows a super admin to one school; of everyone else the own range
 */
export function listAdministrators(
  db: Database,
  admin: Admin,
  data: SchoolData | null,
  which: 'visible' | 'managed',
  { role, search, disabled }: AdministratorFilter,
  slice: Slice,
): Promise<Listed<Administrator>> {
  const matching = () => {
    let all = db.selectFrom('admin').select('admin.id');
    if (data) {
      const inRange = administratorsIn(db, data.range);
      all =
        which === 'visible' && adminRange(admin) !== 'everything'
          ? all.where((is) => is.or([is('admin.id', 'in', inRange), is('admin.id', '=', admin.id)]))
          : inRange;
    }
    if (which === 'managed') all = all.where('admin.role', 'in', managedRoles(admin.role));
    if (role !== undefined) all = all.where('admin.role', '=', role);
    if (disabled !== undefined) all = all.where('admin.disabled', '=', disabled);
    if (search) all = all.where('admin.username', 'ilike', containing(search));
    return all;
  };
  const total = matching().clearSelect().select(sql<number>`count(*)`.as('total'));
  return readPage(
    selectAdministrators(db).where('a.id', 'in', matching()).orderBy('a.id'),
    total,
    slice,
    'a.id',
  );
}
