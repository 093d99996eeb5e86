import type { Body, InternalOperations, TaughtClass } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { requireOpenClass } from '../../access/targets.ts';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict } from '../../errors/app-error.ts';

export type TaughtClasses = NonNullable<Body<InternalOperations['updateAdministrator']>['teaches']>;

/**
 * Replaces the classes that an administrator teaches, but keeps those outside the manager's range and those that a
 * promotion ended. The caller has locked the classes. @throws AppError not_found, out_of_range, conflict (archived class, or named twice)
 */
export async function replaceTaughtClasses(
  tx: Transaction,
  manager: SchoolData,
  adminId: number,
  wanted: TaughtClasses,
  at: Date,
): Promise<void> {
  const classIds = wanted.map(({ classId }) => classId);
  if (new Set(classIds).size < classIds.length) throw conflict('`teaches` names a class twice');
  for (const classId of classIds) await requireOpenClass(manager, classId);
  const inRange = await manager.classesUnjoined().select('c.id').execute();
  await tx
    .deleteFrom('teaching')
    .where('admin_id', '=', adminId)
    .where('class_id', '=', anyOf(inRange.map(({ id }) => id)))
    .where('promotion_id', 'is', null)
    .execute();
  for (const { classId, subject = null } of wanted)
    await storeTaughtClass(tx, { adminId, schoolId: manager.schoolId, classId, subject, at });
}

interface TaughtRow {
  readonly adminId: number;
  readonly schoolId: number;
  readonly classId: number;
  readonly subject: string | null;
  readonly at: Date;
}

export async function storeTaughtClass(
  tx: Transaction,
  { adminId, schoolId, classId, subject, at }: TaughtRow,
): Promise<void> {
  await tx
    .insertInto('teaching')
    .values({
      admin_id: adminId,
      school_id: schoolId,
      class_id: classId,
      subject: subject || null,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['admin_id', 'class_id']).doUpdateSet(({ ref }) => ({
        subject: ref('excluded.subject'),
        created_at: ref('excluded.created_at'),
        promotion_id: null,
      })),
    )
    .execute();
}

/** Returns the taught classes of administrators, sorted by grade and class. */
export async function readTaughtClasses(
  db: Queryable,
  adminIds: readonly number[],
): Promise<ReadonlyMap<number, TaughtClass[]>> {
  const rows = await db
    .selectFrom('teaching')
    .where('admin_id', '=', anyOf(adminIds))
    .where('promotion_id', 'is', null)
    .select(['admin_id as adminId', 'school_id as schoolId', 'class_id as classId', 'subject'])
    .execute();
  if (rows.length === 0) return new Map();
  const schools = [...new Set(rows.map(({ schoolId }) => schoolId))];
  const inSchools =
    schools.length === 1 ? sql`c.school_id = ${schools[0]}` : sql`c.school_id = ${anyOf(schools)}`;
  // In a separate query, because classes can be on another database node.
  const { rows: classes } = await sql<Omit<TaughtClass, 'subject'>>`
    SELECT c.id AS "classId", c.name AS "className", g.name AS "gradeName"
    FROM class c JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
    WHERE ${inSchools} AND c.id = ${anyOf(rows.map(({ classId }) => classId))}
    ORDER BY g.id, c.id`.execute(db);
  return Map.groupBy(
    classes.flatMap(({ classId, ...names }) =>
      rows
        .filter((row) => row.classId === classId)
        .map(({ adminId, subject }) => ({ adminId, classId, ...names, subject })),
    ),
    ({ adminId }) => adminId,
  );
}

/** Returns the stored subjects under `ADMIN_ID CLASS_ID`. */
export async function readSubjects(tx: Transaction, adminIds: readonly number[]) {
  const rows = await tx
    .selectFrom('teaching')
    .where('admin_id', '=', anyOf(adminIds))
    .where('promotion_id', 'is', null)
    .select(['admin_id as adminId', 'class_id as classId', 'subject'])
    .execute();
  return new Map(rows.map(({ adminId, classId, subject }) => [`${adminId} ${classId}`, subject]));
}

export async function countTeaching(data: SchoolData, classIds: readonly number[]): Promise<number> {
  const { count } = await data
    .selectFrom('teaching')
    .where('class_id', '=', anyOf(classIds))
    .where('promotion_id', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends the assignments to classes, so that the undo of the promotion can restore them. */
export async function endTeaching(
  data: SchoolData,
  promotionId: number,
  classIds: readonly number[],
): Promise<void> {
  await data
    .updateTable('teaching')
    .where('class_id', '=', anyOf(classIds))
    .where('promotion_id', 'is', null)
    .set({ promotion_id: promotionId })
    .execute();
}

export async function restoreTeaching(data: SchoolData, promotionId: number, at: Date): Promise<void> {
  await data
    .updateTable('teaching')
    .where('promotion_id', '=', promotionId)
    .set({ promotion_id: null, created_at: at })
    .execute();
}
