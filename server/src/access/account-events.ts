import type { AdministratorEvent, StudentEvent, StudentEventKind } from '@classledger/contract';
import { sql } from 'kysely';
import { currentCaller } from '../database/caller.ts';
import type { Database } from '../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../database/page.ts';
import type { Clock } from '../time/clock.ts';
import type { Admin, Device } from './sessions.ts';

export interface Log {
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
}

const noDevice = { ip: null, userAgent: null };

/** Stores account events in the background, so that response times are equal for known and unknown usernames. */
export class AccountEvents {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onError: (error: unknown) => void;
  /** Each write waits for the one before, so that events keep their order. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(db: Database, clock: Clock, log: Log, onError: (error: unknown) => void) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#onError = onError;
  }

  /** Records an event of an administrator. `device` is null when another person caused the event. */
  recordAdminEvent(
    admin: Pick<Admin, 'id' | 'username' | 'schoolId'>,
    event: AdministratorEvent,
    device: Device | null,
  ): void {
    const { ip, userAgent } = device ?? noDevice;
    const schoolId = admin.schoolId ?? 0;
    const at = this.#clock();
    this.#writeLog(event, { adminId: admin.id, schoolId, ip });
    this.#enqueue(() =>
      this.#db
        .insertInto('activity')
        .values({
          school_id: schoolId,
          created_at: at,
          admin_id: admin.id,
          username: admin.username,
          action: event,
          ip,
          user_agent: userAgent,
        })
        .execute(),
    );
  }

  /** Records an event of a student. Pass null for another person's device, because the student can see the event. */
  recordStudentEvent(
    student: { readonly schoolId: number; readonly id: number },
    event: StudentEventKind,
    device: Device | null,
  ): void {
    const { ip, userAgent } = device ?? noDevice;
    this.#writeLog(event, { studentId: student.id, schoolId: student.schoolId, ip });
    const at = this.#clock();
    // Skips the insert when the student was deleted meanwhile, because deletions do not wait for these writes.
    this.#enqueue(() =>
      sql`
        WITH present AS (
          SELECT id FROM student WHERE school_id = ${student.schoolId} AND id = ${student.id} AND erased_at IS NULL
          FOR KEY SHARE)
        INSERT INTO student_event (school_id, created_at, student_id, kind, ip, user_agent)
        SELECT ${student.schoolId}::bigint, ${at.toISOString()}::timestamptz, present.id, ${event}::text, ${ip}::text,
          ${userAgent}::text
        FROM present`.execute(this.#db),
    );
  }

  recordUnknownLogin(role: 'administrator' | 'student', { ip }: Device): void {
    this.#writeLog('signInFailed', { unknown: role, ip });
  }

  async listStudentEvents(
    schoolId: number,
    studentId: number,
    slice: Slice,
  ): Promise<ListResult<StudentEvent>> {
    const events = this.#db
      .selectFrom('student_event as e')
      .where('e.school_id', '=', schoolId)
      .where('e.student_id', '=', studentId)
      .select(['e.id', 'e.created_at as createdAt', 'e.kind', 'e.ip', 'e.user_agent as userAgent'])
      .orderBy('e.created_at', 'desc')
      .orderBy('e.id', 'desc');
    return readPage(events, slice, 'e.id');
  }

  flush(): Promise<void> {
    return this.#lastWrite;
  }

  #writeLog(event: AdministratorEvent | StudentEventKind, about: object): void {
    const failed: readonly string[] = ['signInFailed', 'confirmationFailed', 'passkeyCloned'];
    this.#log[failed.includes(event) ? 'warn' : 'info'](
      { event, ...about, ...currentCaller().logFields },
      'account',
    );
  }

  #enqueue(write: () => Promise<unknown>): void {
    this.#lastWrite = this.#lastWrite.then(write).then(() => {}, this.#onError);
  }
}
