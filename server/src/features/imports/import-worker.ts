import { isDeepStrictEqual } from 'node:util';
import { mayDo } from '@classledger/contract';
import { sql } from 'kysely';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import { adminRange } from '../../access/range.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import { findUsableAdmin } from '../../access/sessions.ts';
import { runAs } from '../../database/caller.ts';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { LeasedWork, type LeasedWorkServices } from '../../database/leased-work.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Clock } from '../../time/clock.ts';
import { lockRun, removeJob, rowsExpireBefore } from './import-runs.ts';
import { applyPart, type PartRow } from './import-students.ts';
import { undoNextPart } from './undo-import.ts';

export interface ImportWorkerOptions extends LeasedWorkServices {
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly passwords: InitialPasswords;
}

/** After this many failures a run stops. Its administrator can import the rest, or request the undo again. */
const failuresMax = 10;

/** Another process has applied the part, an undo has begun, or the administrator's rights have changed. */
class PartGoneError extends Error {}

/** Applies and undoes imports in parts. All state is in the database, so another process can continue after a kill. */
export function createImportWorker(options: ImportWorkerOptions): LeasedWork {
  const { db } = options;
  const work = new LeasedWork({
    ...options,
    ...{ table: 'import_job', needsWork: sql`true`, leaseMs: 30_000 },
    parallel: { concurrency: 4, perKey: 1 },
    onFailure: async (id, failures) => {
      if (failures >= failuresMax) await db.deleteFrom('import_job').where('id', '=', id).execute();
    },
    run: (id, schoolId) =>
      runAs(schoolId, 'import', async () => {
        try {
          return await doNextPart(options, work.owner, id);
        } catch (error) {
          // Ends quietly when the school was deleted meanwhile, with its imports.
          if (error instanceof AppError && error.kind === 'not_found') return false;
          throw error;
        }
      }),
  });
  return work;
}

/** Returns false when nothing is left. Stops the run of an administrator who lost the right to change the school. */
async function doNextPart(options: ImportWorkerOptions, owner: string, jobId: number): Promise<boolean> {
  const { db, clock } = options;
  const job = await db
    .selectFrom('import_job')
    .where('id', '=', jobId)
    .where('owner', '=', owner)
    .select(['school_id as schoolId', 'import_id as importId', 'admin_id as adminId'])
    .executeTakeFirst();
  if (!job) return false;
  const { importId } = job;
  const at = clock();
  const { admin, data } = await readRights(db, job);
  const run = await data
    ?.imports()
    .where('i.id', '=', importId)
    .select([
      'i.parts',
      'i.part_count as partCount',
      'i.created_at as createdAt',
      'i.undo_begun_at as undoBegunAt',
    ])
    .executeTakeFirst();
  if (!admin || !data || !run) {
    // Does not delete a job that another administrator has taken over meanwhile, to undo the import.
    await db
      .deleteFrom('import_job')
      .where('school_id', '=', job.schoolId)
      .where('id', '=', jobId)
      .where('admin_id', '=', job.adminId)
      .where('owner', '=', owner)
      .execute();
    return false;
  }
  if (run.undoBegunAt !== null) return undoNextPart(data, admin, importId, at);
  const isExpired = Date.parse(run.createdAt) < rowsExpireBefore(at).getTime();
  if (run.parts < run.partCount && !isExpired) {
    await applyNextPart(options, data, job, run.parts + 1, at);
    return true;
  }
  return data.transaction(async (own) => {
    const { undoBegunAt } = await lockRun(own, importId);
    // Keeps the job if an undo has begun meanwhile, because the undo needs the job.
    if (undoBegunAt === null) await removeJob(own, importId);
    return undoBegunAt !== null;
  });
}

async function applyNextPart(
  options: ImportWorkerOptions,
  data: SchoolData,
  job: Job,
  part: number,
  at: Date,
) {
  const { importId } = job;
  const rows: PartRow[] = await data
    .importRows(importId)
    .where('w.part', '=', part)
    .select(['w.position', 'w.entry'])
    .orderBy('w.position')
    .execute();
  const requireNext = async (own: SchoolData, tx: Transaction) => {
    const { parts, undoBegunAt } = await lockRun(own, importId);
    if (parts !== part - 1 || undoBegunAt !== null) throw new PartGoneError();
    // Checks the rights again, because they can change while passwords are hashed.
    const now = await readRights(tx, job);
    if (!isDeepStrictEqual(now.data?.range, data.range)) throw new PartGoneError();
  };
  try {
    await applyPart(options, data, at, { importId, part, rows, lockRun: requireNext });
  } catch (error) {
    if (!(error instanceof PartGoneError)) throw error;
  }
}

interface Job {
  readonly schoolId: number;
  readonly importId: number;
  readonly adminId: number;
}

async function readRights(db: Queryable, { adminId, schoolId }: Job) {
  const admin = await findUsableAdmin(db, adminId);
  const own = admin && adminRange(admin);
  const range = own === 'everything' ? { schoolId, gradeId: null, classId: null } : own;
  const mayImport = range?.schoolId === schoolId && admin !== null && mayDo(admin.role, 'manageStudents');
  return { admin, data: mayImport ? new SchoolData(db, range) : null };
}
