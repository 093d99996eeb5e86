import { type Body, type InternalOperations, SchoolSettings } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { changeTimeZone, resolveTimeZone } from './time-zone.ts';

const fields = columnsOf('school', SchoolSettings);

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
  change: Body<InternalOperations['updateSchoolSettings']>,
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
