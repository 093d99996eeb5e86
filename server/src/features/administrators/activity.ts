import { Activity, type InternalOperations, type Query } from '@classledger/contract';
import { resolveDateRange } from '../../access/date-range.ts';
import { adminRange } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import type { Database } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import type { VisibleRange } from '../../database/partitions.ts';
import { notFound, outOfRange } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { administratorsInRange } from './list-administrators.ts';

/** Selects the caller and the administrators whose own range lies in the caller's range. */
function selectVisibleAdministrators(db: Database, admin: Admin) {
  const range = adminRange(admin);
  const oneself = db.selectFrom('admin').select('admin.id').where('admin.id', '=', admin.id);
  if (range === null || range === 'everything') return oneself;
  return oneself.union(administratorsInRange(db, range));
}

/**
 * Lists activity. Only super administrators see entries of deleted administrators.
 * @param data null lists the activity of all schools. @throws AppError not_found, out_of_range (of the filter)
 */
export async function listActivity(
  db: Database,
  admin: Admin,
  data: SchoolData | null,
  filter: Query<InternalOperations['listActivity']>,
  shown: VisibleRange,
  slice: Slice,
): Promise<ListResult<Activity>> {
  const seesAll = adminRange(admin) === 'everything';
  if (!seesAll && filter.adminId !== undefined) await requireVisible(db, admin, filter.adminId);
  const { from, to } = await resolveDateRange(data, filter);
  const school = seesAll ? (data?.schoolId ?? null) : admin.schoolId;
  let changes = db
    .selectFrom('activity as y')
    .where('y.created_at', '>=', shown.from)
    .where('y.created_at', '<', shown.until);
  if (school !== null) changes = changes.where('y.school_id', '=', school);
  if (!seesAll) changes = changes.where('y.admin_id', 'in', selectVisibleAdministrators(db, admin));
  if (filter.adminId !== undefined) changes = changes.where('y.admin_id', '=', filter.adminId);
  if (filter.action !== undefined) changes = changes.where('y.action', '=', filter.action);
  if (from !== undefined) changes = changes.where('y.created_at', '>=', from);
  if (to !== undefined) changes = changes.where('y.created_at', '<=', to);
  const page = await readPage(
    changes
      .select(columnsOf('y', Activity, ['schoolId', 'target']))
      .select(['y.school_id', 'y.target_id', 'y.target_name'])
      .orderBy('y.created_at', 'desc')
      .orderBy('y.id', 'desc'),
    slice,
    'y.id',
    { indexed: ['y.created_at', 'y.id'] },
  );
  return page.map(({ school_id, target_id: id, target_name: name, ...row }) => ({
    ...row,
    schoolId: school_id === 0 ? null : school_id,
    target: id === null && name === null ? null : { id, name },
  }));
}

async function requireVisible(db: Database, admin: Admin, id: number): Promise<void> {
  const seen = await db
    .selectFrom('admin')
    .where('id', '=', id)
    .where('school_id', '=', admin.schoolId)
    .select((is) => is('id', 'in', selectVisibleAdministrators(db, admin)).as('inRange'))
    .executeTakeFirstOrThrow(() => notFound('The administrator'));
  if (!seen.inRange) throw outOfRange('The administrator');
}
