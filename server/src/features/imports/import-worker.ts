import { mayDo } from '@classledger/contract';
import { sql } from 'kysely';
import type { InitialPasswords } from '../../access/initial-passwords.ts';
import { adminRange } from '../../access/range.ts';
import { SchoolData } from '../../access/school-data.ts';
import type { Sealing } from '../../access/sealing.ts';
import { type Admin, findUsableAdmin } from '../../access/sessions.ts';
import { runAs } from '../../database/caller.ts';
import type { Database } from '../../database/connect.ts';
import { LeasedWork } from '../../database/leased-work.ts';
import type { Clock, Monotonic } from '../../time/clock.ts';
import { lockRun, removeJob, rowsExpireBefore } from './import-runs.ts';
import { applyPart, type PartRow } from './import-students.ts';
import { undoNextPart } from './undo-import.ts';

export interface ImportWorkerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly monotonic: Monotonic;
  readonly databaseClock: Clock | null;
  readonly sealing: Sealing;
  readonly passwords: InitialPasswords;
  readonly report: (error: unknown) => void;
}

/** Another process has done the part, or an undo has begun. */
class PartGoneError extends Error {}

/** Applies imports and undoes them, part by part. All state is in the database, so it continues after a kill. */
export class ImportWorker {
  readonly #options: ImportWorkerOptions;
  readonly #work: LeasedWork;

  constructor(options: ImportWorkerOptions) {
    this.#options = options;
    this.#work = new LeasedWork({
      ...options,
      ...{ table: 'import_job', needsWork: sql`true`, leaseMs: 30_000, parallel: { atOnce: 4, perKey: 1 } },
      run: (id, schoolId) =>
        runAs(schoolId, 'import', async () => {
          while (this.#work.mayContinue() && (await this.#doNextPart(id)));
        }),
    });
  }

  start(): void {
    this.#work.start();
  }

  wake(): void {
    this.#work.wake();
  }

  /** Works on all runs, until none is left for this process. */
  round(): Promise<void> {
    return this.#work.round();
  }

  /** Finishes the parts that have begun. Other processes, or the next one, continue. */
  end(): Promise<void> {
    return this.#work.end();
  }

  /** Returns whether more may be left. Stops the run of an administrator who may no longer change the school. */
  async #doNextPart(jobId: number): Promise<boolean> {
    const { db, clock } = this.#options;
    const job = await db
      .selectFrom('import_job')
      .where('id', '=', jobId)
      .where('owner', '=', this.#work.owner)
      .select(['school_id as schoolId', 'import_id as importId', 'admin_id as adminId'])
      .executeTakeFirst();
    if (!job) return false;
    const { importId } = job;
    const at = clock();
    const admin = await findUsableAdmin(db, job.adminId);
    const data = admin && dataOf(db, admin, job.schoolId);
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
      await removeJob(new SchoolData(db, { ...wholeSchool, schoolId: job.schoolId }), importId);
      return false;
    }
    if (run.undoBegunAt !== null) return undoNextPart(data, admin, importId, at);
    const isExpired = Date.parse(run.createdAt) < rowsExpireBefore(at).getTime();
    if (run.parts < run.partCount && !isExpired) {
      await this.#applyPart(data, importId, run.parts + 1, at);
      return true;
    }
    return data.transaction(async (own) => {
      const { undoBegunAt } = await lockRun(own, importId);
      // An undo that has begun meanwhile needs the job.
      if (undoBegunAt === null) await removeJob(own, importId);
      return undoBegunAt !== null;
    });
  }

  async #applyPart(data: SchoolData, importId: number, part: number, at: Date): Promise<void> {
    const rows: PartRow[] = await data
      .importRows(importId)
      .where('w.part', '=', part)
      .select(['w.position', 'w.entry'])
      .orderBy('w.position')
      .execute();
    const requireNext = async (own: SchoolData) => {
      const { parts, undoBegunAt } = await lockRun(own, importId);
      if (parts !== part - 1 || undoBegunAt !== null) throw new PartGoneError();
    };
    try {
      await applyPart(this.#options, data, at, { importId, part, rows, lockRun: requireNext });
    } catch (error) {
      if (!(error instanceof PartGoneError)) throw error;
    }
  }
}

const wholeSchool = { gradeId: null, classId: null };

function dataOf(db: Database, admin: Admin, schoolId: number): SchoolData | null {
  const range = adminRange(admin);
  if (range === 'everything') return new SchoolData(db, { ...wholeSchool, schoolId });
  return range?.schoolId === schoolId && mayDo(admin.role, 'manageStudents')
    ? new SchoolData(db, range)
    : null;
}
