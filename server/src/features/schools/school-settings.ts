import { type Body, canonicalTimeZone, type InternalOperations, SchoolSettings } from '@classledger/contract';
import { sql } from 'kysely';
import pg from 'pg';
import type { SchoolData } from '../../access/school-data.ts';
import type { Database } from '../../database/connect.ts';
import { invalidValue, notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { recountDays } from '../scores/ledger/totals.ts';

const fields = columnsOf('school', SchoolSettings);

/** @throws AppError not_found */
export async function readSettings(db: Database, { schoolId }: SchoolData): Promise<SchoolSettings> {
  const found = db.selectFrom('school').where('id', '=', schoolId).select(fields);
  return found.executeTakeFirstOrThrow(() => notFound('The school'));
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
        point_givers: change.pointGivers,
        erase_leavers_after_days: change.eraseLeaversAfterDays,
        switched_off_tools: change.switchedOffTools && [...change.switchedOffTools],
        time_zone: known,
      })
      .returning(fields)
      .executeTakeFirstOrThrow(() => notFound('The school'));
  });
}

/** Returns the canonical name. @throws AppError invalid_value for a name that Node.js or PostgreSQL does not know */
export async function resolveTimeZone(db: Database, name: string): Promise<string> {
  const known = canonicalTimeZone(name);
  const isKnown = known !== null && (known === 'UTC' || (await isInDatabase(db, known)));
  if (!isKnown) throw invalidValue('timeZone must be an IANA time zone such as Asia/Shanghai');
  return known;
}

/** @param db a pool, because an unknown name would abort a transaction */
async function isInDatabase(db: Database, name: string): Promise<boolean> {
  try {
    await sql`SELECT now() AT TIME ZONE ${name}::text`.execute(db);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '22023') return false;
    throw error;
  }
}

/**
 * Recalculates the daily sums of all classes; the caller changes the school's row in the same transaction.
 * Writes of points read the time zone under the lock of the class, so concurrent writes use the right day.
 */
export async function changeTimeZone(data: SchoolData, timeZone: string): Promise<void> {
  const { schoolId } = data;
  await data.execute(sql`SELECT 1 FROM school WHERE id = ${schoolId} FOR UPDATE`);
  await data.execute(sql`SELECT 1 FROM grade WHERE school_id = ${schoolId} ORDER BY id FOR UPDATE`);
  await data.execute(sql`SELECT 1 FROM class WHERE school_id = ${schoolId} ORDER BY id FOR NO KEY UPDATE`);
  await recountDays(data, timeZone);
  await data.announceAccessChange();
}
