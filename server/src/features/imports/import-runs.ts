import type {
  Body,
  ImportEffect,
  ImportRun,
  InternalOperations,
  Query,
  StudentExport,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { type Listed, readPage, type Slice } from '../../database/page.ts';
import { conflict, notFound, outOfRange, schoolGone } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOnce } from '../../idempotency/idempotency-keys.ts';

const fields = [
  'i.id',
  'i.name',
  'i.source',
  'i.admin_id as adminId',
  'i.username',
  'i.created_at as createdAt',
  'i.created_count as createdCount',
  'i.changed_count as changedCount',
  'i.missing_count as missingCount',
  'i.undo_begun_at as undoBegunAt',
  'i.undone_at as undoneAt',
  'i.undone_by as undoneBy',
  'i.restored_count as restoredCount',
  'i.kept_count as keptCount',
] as const;

/** @throws AppError school_disabled when another call deletes the school meanwhile */
export function startImport(
  call: KeyedCall & { readonly admin: Admin; readonly body: Body<InternalOperations['startImport']> },
): Promise<ImportRun | ReplayedAnswer> {
  const { admin, at, body } = call;
  return runOnce(call, async (own) => {
    if (!(await own.preventSchoolDeletion())) throw schoolGone();
    const [inserted] = await own.execute(sql<{ id: number }>`
      INSERT INTO import_run (school_id, name, source, admin_id, username, created_at)
      VALUES (${own.schoolId}, ${body.name ?? null}, ${body.source}, ${admin.id}, ${admin.username},
        ${at.toISOString()}::timestamptz)
      RETURNING id`);
    return readImport(own, admin, (inserted as { id: number }).id);
  });
}

const seesAllImports = ({ range }: SchoolData) => range.gradeId === null && range.classId === null;

export function listImports(data: SchoolData, admin: Admin, slice: Slice): Promise<Listed<ImportRun>> {
  const seen = () => {
    const runs = data.imports();
    return seesAllImports(data) ? runs : runs.where('i.admin_id', '=', admin.id);
  };
  const total = seen().select(sql<number>`count(*)`.as('total'));
  return readPage(seen().select(fields).orderBy('i.id', 'desc'), total, slice, 'i.id', { order: 'desc' });
}

/** @throws AppError not_found, out_of_range (another administrator's run) */
export async function readImport(data: SchoolData, admin: Admin, id: number): Promise<ImportRun> {
  const run = await data.imports().where('i.id', '=', id).select(fields).executeTakeFirst();
  if (!run) throw notFound('The import');
  if (!seesAllImports(data) && run.adminId !== admin.id) throw outOfRange('The import');
  return run;
}

/** Locks before students and classes, so parts and undo run one at a time. @throws AppError as `readImport` */
export async function lockImport(data: SchoolData, admin: Admin, id: number): Promise<ImportRun> {
  await data.execute(
    sql`SELECT 1 FROM import_run WHERE school_id = ${data.schoolId} AND id = ${id} FOR NO KEY UPDATE`,
  );
  return readImport(data, admin, id);
}

/** @throws AppError conflict */
export function requireNotUndone({ undoBegunAt }: ImportRun): void {
  if (undoBegunAt !== null) throw conflict('The import has been undone');
}

type EffectFilter = Query<InternalOperations['listImportEffects']>;

/** Lists only students in the range. @throws AppError not_found, out_of_range (another administrator's run) */
export async function listEffects(
  data: SchoolData,
  admin: Admin,
  id: number,
  { action }: EffectFilter,
  slice: Slice,
): Promise<Listed<ImportEffect>> {
  await readImport(data, admin, id);
  const seen = () => {
    const effects = data.importEffects().where('e.import_id', '=', id);
    if (action === undefined) return effects;
    return action === 'kept'
      ? effects.where('e.kept', 'is not', null)
      : effects.where('e.action', '=', action);
  };
  const total = seen().select(sql<number>`count(*)`.as('total'));
  const rows = seen()
    .select([
      's.id as userId',
      's.username',
      's.actual_name as actualName',
      'c.name as className',
      'g.name as gradeName',
      'e.part',
      'e.action',
      'e.before',
      'e.after',
      'e.undone_at as undoneAt',
      'e.kept',
    ])
    .orderBy('e.part')
    .orderBy('e.student_id');
  const page = await readPage(rows, total, slice, 'e.student_id');
  return page.map(({ kept, ...effect }) => ({
    ...effect,
    kept: Object.entries(kept ?? {}).map(([field, because]) => ({
      field: field as ImportEffect['kept'][number]['field'],
      because,
    })),
  }));
}

export const readImportsOfStudent = (
  data: SchoolData,
  studentId: number,
): Promise<StudentExport['imports']> =>
  data.execute(sql<StudentExport['imports'][number]>`
    SELECT i.created_at AS "createdAt", i.username, e.action, e.before, e.after
    FROM import_effect e JOIN import_run i ON i.school_id = e.school_id AND i.id = e.import_id
    WHERE e.school_id = ${data.schoolId} AND e.student_id = ${studentId} ORDER BY i.id, e.part`);
