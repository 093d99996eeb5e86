import {
  type Body,
  ImportEffect,
  type ImportRow,
  ImportRun,
  type InternalOperations,
  type Query,
  type SkippedRow,
  type StudentExport,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin } from '../../access/sessions.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { importRowHours } from '../../database/retention.ts';
import type { StoredEntry } from '../../database/tables.ts';
import { invalidValue, notFound, outOfRange, schoolGone } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { type KeyedCall, type ReplayedAnswer, runOnce } from '../../idempotency/idempotency-keys.ts';
import { planList, secretsContext } from './import-students.ts';

const fields = [...columnsOf('i', ImportRun, ['state']), 'i.part_count as partCount', 'i.parts'] as const;

type StartCall = KeyedCall & {
  readonly admin: Admin;
  readonly body: Body<InternalOperations['startImport']>;
};

/** Stores the list as a run, which the import worker applies later. @throws AppError school_disabled */
export async function startImport(call: StartCall): Promise<ImportRun | ReplayedAnswer> {
  const { data, admin, at, body } = call;
  const parts = await cutIntoParts(data, body.batch);
  parts.rows.push(...(body.skipped ?? []).map((row, i) => toSkipped(row, body.batch.length + i)));
  return runOnce(call, async (own) => {
    if (!(await own.preventSchoolDeletion())) throw schoolGone();
    const { schoolId } = own;
    const instant = sql`${at.toISOString()}::timestamptz`;
    const failedCount = parts.rows.filter(({ code }) => code !== null).length;
    const { id } = await own
      .insertInto('import_run')
      .values({
        school_id: schoolId,
        name: body.name ?? null,
        source: body.source,
        admin_id: admin.id,
        username: admin.username,
        created_at: at,
        part_count: parts.count,
        total_count: parts.rows.length,
        done_count: failedCount,
        failed_count: failedCount,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await own.execute(sql`
      INSERT INTO import_row (school_id, import_id, created_at, part, position, entry, code, reason)
      SELECT ${schoolId}, ${id}, ${instant}, n.part, n.position, n.entry::jsonb, n.code, n.reason
      FROM unnest(${parts.rows.map(({ part }) => part)}::int[], ${parts.rows.map(({ position }) => position)}::int[],
        ${parts.rows.map(({ entry }) => JSON.stringify(entry))}::text[], ${parts.rows.map(({ code }) => code)}::int[],
        ${parts.rows.map(({ reason }) => reason)}::text[]) AS n (part, position, entry, code, reason)`);
    const job = { school_id: schoolId, import_id: id, admin_id: admin.id };
    await own.insertInto('import_job').values(job).execute();
    return readImport(own, admin, id);
  });
}

interface RowToStore {
  readonly part: number;
  readonly position: number;
  readonly entry: StoredEntry;
  readonly code: number | null;
  readonly reason: string | null;
}

function toSkipped({ line, username, actualName, reason }: SkippedRow, position: number): RowToStore {
  const names = { ...(username && { username }), ...(actualName && { actualName }) };
  return {
    part: 0,
    position,
    entry: { line, skipped: true, ...names },
    code: invalidValue(reason).code,
    reason,
  };
}

/** Stores faulty entries as failed, with only the username, and only if the database can store it. */
async function cutIntoParts(data: SchoolData, batch: StartCall['body']['batch']) {
  const { failed, parts } = await planList(data, batch);
  const rows = failed.map(({ index: position, username, code, reason }): RowToStore => {
    const given = batch[position] as StartCall['body']['batch'][number];
    const isStorable = username?.isWellFormed() && !username.includes('\0');
    const named = username && isStorable ? { username } : {};
    return { part: 0, position, entry: given.fault ? named : given.value, code, reason };
  });
  for (const [i, part] of parts.entries()) {
    for (const row of part) rows.push({ part: i + 1, ...row, code: null, reason: null });
  }
  return { rows, count: parts.length };
}

export async function listImports(
  data: SchoolData,
  admin: Admin,
  slice: Slice,
): Promise<ListResult<ImportRun>> {
  let runs = data.imports();
  if (!data.isWholeSchool) runs = runs.where('i.admin_id', '=', admin.id);
  const active = await readActive(data);
  const page = await readPage(runs.select(fields).orderBy('i.id', 'desc'), slice, 'i.id', { order: 'desc' });
  return page.map((run) => withState(run, active));
}

/** @throws AppError not_found, out_of_range (another administrator's run) */
export async function readImport(data: SchoolData, admin: Admin, id: number): Promise<ImportRun> {
  const active = await readActive(data);
  const run = await data.imports().where('i.id', '=', id).select(fields).executeTakeFirst();
  if (!run) throw notFound('The import');
  if (!data.isWholeSchool && run.adminId !== admin.id) throw outOfRange('The import');
  return withState(run, active);
}

/** Rows of imports that began before this time have expired. */
export const rowsExpireBefore = (at: Date) => new Date(at.getTime() - importRowHours * 3_600_000);

/** Locks a run; call it before locking students and classes. @throws AppError not_found */
export async function lockRun(data: SchoolData, id: number) {
  return data
    .imports()
    .where('i.id', '=', id)
    .select(['i.parts', 'i.undo_begun_at as undoBegunAt', 'i.undone_at as undoneAt'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('The import'));
}

export async function removeJob(data: SchoolData, id: number): Promise<void> {
  await data.deleteFrom('import_job').where('import_id', '=', id).execute();
}

type StoredRun = Omit<ImportRun, 'state'> & { readonly parts: number; readonly partCount: number };

/** Returns the runs that have a job. Call it before reading a run, or a run that ends in between seems stopped. */
async function readActive(data: SchoolData): Promise<ReadonlySet<number>> {
  const jobs = await data.selectFrom('import_job').select('import_id').execute();
  return new Set(jobs.map((job) => job.import_id));
}

function withState({ parts, partCount, ...run }: StoredRun, active: ReadonlySet<number>): ImportRun {
  const isUndoing = run.undoBegunAt !== null;
  if (active.has(run.id)) return { ...run, state: isUndoing ? 'undoing' : 'running' };
  if (run.undoneAt !== null) return { ...run, state: 'undone' };
  return { ...run, state: isUndoing || parts < partCount ? 'stopped' : 'finished' };
}

/** Lists only students in the range. @throws AppError not_found, out_of_range (another administrator's run) */
export async function listEffects(
  data: SchoolData,
  admin: Admin,
  id: number,
  { action }: Query<InternalOperations['listImportEffects']>,
  slice: Slice,
): Promise<ListResult<ImportEffect>> {
  await readImport(data, admin, id);
  let effects = data.importEffects().where('e.import_id', '=', id);
  if (action === 'kept') effects = effects.where('e.kept', 'is not', null);
  else if (action !== undefined) effects = effects.where('e.action', '=', action);
  const rows = effects
    .select(['s.id as userId', 's.username', 's.actual_name as actualName'])
    .select(['c.name as className', 'g.name as gradeName'])
    .select(columnsOf('e', ImportEffect, ['userId', 'username', 'actualName', 'className', 'gradeName']))
    .orderBy('e.part')
    .orderBy('e.student_id');
  const page = await readPage(rows, slice, 'e.student_id');
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
  data
    .imports()
    .innerJoin('import_effect as e', (join) =>
      join.onRef('e.school_id', '=', 'i.school_id').onRef('e.import_id', '=', 'i.id'),
    )
    .where('e.student_id', '=', studentId)
    .select(['i.created_at as createdAt', 'i.username', 'e.action', 'e.before', 'e.after'])
    .orderBy('i.id')
    .orderBy('e.part')
    .execute();

/**
 * Lists rows of a run. Only the administrator who started the run gets passwords, and only of students in their range
 * who have not used them. @throws AppError not_found, out_of_range
 */
export async function listRows(
  data: SchoolData,
  sealing: Sealing,
  { admin, id, at }: { readonly admin: Admin; readonly id: number; readonly at: Date },
  slice: Slice,
): Promise<ListResult<ImportRow>> {
  const { adminId } = await readImport(data, admin, id);
  const unused = data
    .students()
    .where('s.password_is_initial', '=', true)
    .where('s.password_is_used', '=', false)
    .select('s.id');
  const rows = data
    .importRows(id)
    .where('w.created_at', '>=', rowsExpireBefore(at).toISOString())
    .select(['w.position', 'w.entry', 'w.student_id as userId', 'w.action', 'w.code', 'w.reason'])
    .select((is) =>
      is.case().when('w.student_id', 'in', unused).then(is.ref('w.secrets')).end().as('secrets'),
    )
    .orderBy('w.position');
  const page = await readPage(rows, slice, 'w.position');
  return page.map(({ position, entry, secrets, ...row }) => {
    const {
      line = null,
      missing = false,
      skipped = false,
      username = null,
      actualName = null,
      classId = null,
    } = entry;
    const opened =
      secrets && adminId === admin.id
        ? sealing.unseal('imported passwords', secretsContext(data.schoolId, id, position), secrets)
        : null;
    const slip: Partial<ImportRow> = opened === null ? {} : JSON.parse(opened);
    return { index: position, line, missing, skipped, username, actualName, classId, ...row, ...slip };
  });
}
