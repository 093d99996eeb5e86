import type { SchoolSettings } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { notFound } from '../../app-error.ts';
import type { Database } from '../../database/connect.ts';

const fields = ['id', 'name', 'classmates', 'erase_leavers_after_days as eraseLeaversAfterDays'] as const;

/** What a school decides about the data of its students. @throws AppError not_found */
export async function readSettings(db: Database, { schoolId }: SchoolData): Promise<SchoolSettings> {
  const found = await db.selectFrom('school').where('id', '=', schoolId).select(fields).executeTakeFirst();
  if (!found) throw notFound('The school');
  return found;
}

/** @param change what is undefined stays as it is @throws AppError not_found */
export async function changeSettings(
  db: Database,
  { schoolId }: SchoolData,
  change: {
    readonly classmates?: SchoolSettings['classmates'] | undefined;
    readonly eraseLeaversAfterDays?: number | null | undefined;
  },
): Promise<SchoolSettings> {
  const changed = await db
    .updateTable('school')
    .where('id', '=', schoolId)
    .set({ classmates: change.classmates, erase_leavers_after_days: change.eraseLeaversAfterDays })
    .returning(fields)
    .executeTakeFirst();
  if (!changed) throw notFound('The school');
  return changed;
}
