import type { ClassroomTool, SchoolSettings } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { notFound } from '../../errors/app-error.ts';
import { changeTimeZone, resolveTimeZone } from './time-zone.ts';

const fields = [
  'id',
  'name',
  'classmates',
  'erase_leavers_after_days as eraseLeaversAfterDays',
  'time_zone as timeZone',
  'switched_off_tools as switchedOffTools',
] as const;

/** @throws AppError not_found */
export async function readSettings(db: Database, { schoolId }: SchoolData): Promise<SchoolSettings> {
  const found = await db.selectFrom('school').where('id', '=', schoolId).select(fields).executeTakeFirst();
  if (!found) throw notFound('The school');
  return found;
}

/** @throws AppError not_found, invalid_value */
export async function changeSettings(
  db: Database,
  data: SchoolData,
  change: {
    readonly classmates?: SchoolSettings['classmates'] | undefined;
    readonly eraseLeaversAfterDays?: number | null | undefined;
    readonly switchedOffTools?: readonly ClassroomTool[] | undefined;
    readonly timeZone?: string | undefined;
  },
): Promise<SchoolSettings> {
  const { timeZone } = change;
  const known = timeZone === undefined ? undefined : await resolveTimeZone(db, timeZone);
  return data.transaction(async (own, tx) => {
    if (known !== undefined) await changeTimeZone(own, known);
    return tx
      .updateTable('school')
      .where('id', '=', data.schoolId)
      .set({
        classmates: change.classmates,
        erase_leavers_after_days: change.eraseLeaversAfterDays,
        switched_off_tools: change.switchedOffTools && [...change.switchedOffTools],
        time_zone: known,
      })
      .returning(fields)
      .executeTakeFirstOrThrow(() => notFound('The school'));
  });
}
