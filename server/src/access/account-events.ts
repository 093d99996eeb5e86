import type { AdministratorEvent, StudentEvent, StudentEventKind } from '@classledger/contract';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { type Listed, readPage, type Slice } from '../database/page.ts';
import { presentTurn } from '../database/turns.ts';
import type { Admin, Device } from './sessions.ts';

/** The server's log. */
export interface Log {
  info(about: object, text: string): void;
  warn(about: object, text: string): void;
}

const nowhere = { ip: null, userAgent: null };

/**
 * What happens to accounts: sign-ins, failures, sessions, passwords. Of administrators it is a line of the activity
 * log, of students a list of their own, and one line of the server's log each: failures as warnings, nobody by name, no
 * secret. What someone typed who has no account is nowhere. Attempts that a throttle refuses are none, so a flood of
 * them leaves nothing.
 *
 * Written behind the answer: an answer to a wrong password of somebody takes as long as that to an unknown name.
 */
export class AccountEvents {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #failed: (error: unknown) => void;
  /** One at a time, so that they are stored in the order in which they happened. */
  #written: Promise<void> = Promise.resolve();

  /** @param failed told of events that could not be stored */
  constructor(db: Database, clock: Clock, log: Log, failed: (error: unknown) => void) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#failed = failed;
  }

  /**
   * Something happened to the account of an administrator.
   *
   * @param device null where somebody else did it: a line of their own says from where
   */
  ofAdmin(
    admin: Pick<Admin, 'id' | 'username' | 'schoolId'>,
    event: AdministratorEvent,
    device: Device | null,
  ): void {
    const { ip, userAgent } = device ?? nowhere;
    const schoolId = admin.schoolId ?? 0;
    const at = this.#clock();
    this.#tell(event, { adminId: admin.id, schoolId, ip });
    this.#write(() =>
      this.#db
        .insertInto('activity')
        .values({
          school_id: schoolId,
          created_at: at,
          admin_id: admin.id,
          username: admin.username,
          action: event,
          target_id: null,
          target_name: null,
          ip,
          user_agent: userAgent,
        })
        .execute(),
    );
  }

  /**
   * Something happened to the account of a student.
   *
   * @param device null where somebody else did it, whose device is not the student's to see
   */
  ofStudent(
    student: { readonly schoolId: number; readonly id: number },
    event: StudentEventKind,
    device: Device | null,
  ): void {
    const { ip, userAgent } = device ?? nowhere;
    this.#tell(event, { studentId: student.id, schoolId: student.schoolId, ip });
    const at = this.#clock();
    this.#write(() =>
      this.#db
        // Only of a student who is there still: deleting one waits for nobody's sign-in.
        .with('present', (db) =>
          db
            .selectFrom('student')
            .where('school_id', '=', student.schoolId)
            .where('id', '=', student.id)
            // Nothing is kept any more about whoever is erased.
            .where('erased_at', 'is', null)
            .select('id')
            .forKeyShare(),
        )
        .insertInto('student_event')
        .columns(['school_id', 'created_at', 'student_id', 'kind', 'ip', 'user_agent'])
        .expression((from) =>
          from
            .selectFrom('present')
            .select((is) => [
              is.cast<number>(is.val(student.schoolId), 'bigint').as('school'),
              is.cast<string>(is.val(at.toISOString()), 'timestamptz').as('at'),
              'present.id',
              is.cast<StudentEventKind>(is.val(event), 'text').as('kind'),
              is.cast<string | null>(is.val(ip), 'text').as('ip'),
              is.cast<string | null>(is.val(userAgent), 'text').as('user_agent'),
            ]),
        )
        .execute(),
    );
  }

  /** Somebody tried to sign in under a name that no account has: a line of the log without that name. */
  ofStranger(role: 'administrator' | 'student', { ip }: Device): void {
    this.#tell('signInFailed', { unknown: role, ip });
  }

  /** What happened to the account of a student, newest first. */
  async listOfStudent(schoolId: number, studentId: number, slice: Slice): Promise<Listed<StudentEvent>> {
    const own = this.#db
      .selectFrom('student_event as e')
      .where('e.school_id', '=', schoolId)
      .where('e.student_id', '=', studentId);
    return readPage(
      own
        .select(['e.id', 'e.created_at as createdAt', 'e.kind', 'e.ip', 'e.user_agent as userAgent'])
        .orderBy('e.created_at', 'desc')
        .orderBy('e.id', 'desc'),
      own.select(sql<number>`count(*)`.as('total')),
      slice,
      'e.id',
    );
  }

  /** Resolves when everything that has happened until now is stored, or could not be. */
  settle(): Promise<void> {
    return this.#written;
  }

  #tell(event: AdministratorEvent | StudentEventKind, about: object): void {
    const failed: readonly string[] = ['signInFailed', 'confirmationFailed', 'passkeyCloned'];
    this.#log[failed.includes(event) ? 'warn' : 'info'](
      { event, ...about, ...presentTurn().inLog },
      'account',
    );
  }

  #write(write: () => Promise<unknown>): void {
    this.#written = this.#written.then(write).then(() => {}, this.#failed);
  }
}
