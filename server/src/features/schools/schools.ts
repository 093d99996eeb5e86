import { type Body, type InternalOperations, School } from '@classledger/contract';
import { announceAccessChange } from '../../access/access-changes.ts';
import { adminRange } from '../../access/range.ts';
import type { Admin } from '../../access/sessions.ts';
import type { Database, Queryable } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { notFound, outOfRange } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { resolveTimeZone } from './school-settings.ts';

const columns = columnsOf('school', School, ['schoolDb']);

const toSchool = (row: Omit<School, 'schoolDb' | 'disabled'> & { readonly disabled: boolean }): School => ({
  ...row,
  schoolDb: `school_${row.id}`,
  disabled: row.disabled ? 1 : 0,
});

export async function listSchools(db: Database, admin: Admin, slice: Slice): Promise<ListResult<School>> {
  const range = adminRange(admin);
  let visible = db.selectFrom('school');
  if (range !== 'everything') visible = visible.where('id', '=', admin.schoolId);
  const page = await readPage(visible.select(columns).orderBy('id'), slice, 'id');
  return page.map(toSchool);
}

/** @throws AppError not_found, out_of_range */
export async function readSchool(db: Queryable, admin: Admin, id: number): Promise<School> {
  const row = await db.selectFrom('school').where('id', '=', id).select(columns).executeTakeFirst();
  if (!row) throw notFound('The school');
  if (adminRange(admin) !== 'everything' && admin.schoolId !== id) throw outOfRange('The school');
  return toSchool(row);
}

/** @throws AppError invalid_value for an unknown time zone */
export async function createSchool(
  db: Database,
  { name, timeZone }: { readonly name: string; readonly timeZone: string },
  at: Date,
): Promise<School> {
  const row = await db
    .insertInto('school')
    .values({ name, time_zone: await resolveTimeZone(db, timeZone), created_at: at })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toSchool(row);
}

/** Disabling a school signs its people out; enabling it does not restore their sessions. @throws AppError not_found */
export async function changeSchool(
  db: Database,
  id: number,
  { name, disabled }: Body<InternalOperations['updateSchool']>,
): Promise<School> {
  return inTransaction(db, async (tx) => {
    const row = await tx
      .updateTable('school')
      .where('id', '=', id)
      .set({ name, disabled: disabled === undefined ? undefined : Boolean(disabled) })
      .returning(columns)
      .executeTakeFirstOrThrow(() => notFound('The school'));
    await announceAccessChange(tx, { schoolId: id });
    if (row.disabled) {
      const people = tx.selectFrom('admin').where('school_id', '=', id).select('id');
      await tx.deleteFrom('admin_session').where('admin_id', 'in', people).execute();
      await tx.deleteFrom('student_session').where('school_id', '=', id).execute();
    }
    return toSchool(row);
  });
}

/** Keeps audit records, and credentials to distinguish them from unknown ones. @throws AppError not_found */
export async function deleteSchool(db: Database, id: number): Promise<{ id: number; name: string }> {
  return inTransaction(db, async (tx) => {
    const school = await tx
      .selectFrom('school')
      .where('id', '=', id)
      .select(['id', 'name'])
      .forUpdate()
      .executeTakeFirstOrThrow(() => notFound('The school'));
    // Lock order: school, grades, imports, students, classes. The first two locks prevent new grades and classes.
    for (const table of ['grade', 'import_run', 'student', 'class'] as const) {
      const rows = tx.selectFrom(table as 'grade').where('school_id', '=', id);
      await rows.select('id').orderBy('id').forUpdate().execute();
    }
    for (const table of [
      'absence',
      'score_record',
      'term_standing',
      'team_record',
      'team_member',
      'team',
      'promotion_student',
      'promotion_class',
      'promotion',
      'term',
      'seat',
      'student_session',
      'student_event',
      'sign_in_identity',
      'sign_in_flow',
      'sign_in_provider',
      'student',
      'import_run',
      'import_job',
      'template',
      'admin',
      'class',
      'category',
      'grade',
      'idempotency_key',
      'change',
      // Comes before its deliveries, because a transaction that adds deliveries locks the webhook first.
      'webhook',
      'webhook_delivery',
    ] as const) {
      await tx
        .deleteFrom(table as 'grade')
        .where('school_id', '=', id)
        .execute();
    }
    await tx.deleteFrom('school').where('id', '=', id).execute();
    await announceAccessChange(tx, { schoolId: id });
    return school;
  });
}
