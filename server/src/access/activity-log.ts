import { type ActivityLine, type InternalOperation, type Kind, kinds } from '@classledger/contract';
import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import type { Log } from './account-events.ts';
import type { Admin, Device } from './sessions.ts';

/** A call by which an administrator changed something. */
interface Change extends Device {
  readonly admin: Admin;
  readonly at: Date;
  readonly operation: Pick<InternalOperation, 'id' | 'target'>;
  readonly line: ActivityLine;
  /** The school that was chosen; null where none was. */
  readonly schoolId: number | null;
  readonly params: object;
  readonly body: unknown;
  readonly answer: unknown;
}

/** Who may sign in or use the external API, and how: the server's log has a line about it too. */
const accounts: readonly Kind[] = ['administrator', 'secondFactor', 'credential', 'signInProvider'];

/** Who changed what: one line for every successful change by an administrator, kept as long as the audit log. */
export class ActivityLog {
  readonly #db: Database;
  readonly #log: Log;

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  /** The operation declares its subject; the id stands where its target says, or in the answer. */
  async record(change: Change): Promise<void> {
    const { admin, at, ip, userAgent, operation, line, schoolId, params, body, answer } = change;
    const { subject } = line;
    const told = fieldsOf(answer);
    const [part, field = 'id'] = operation.target?.[subject]?.split('.') ?? [];
    const id = (part === 'path' ? fieldsOf(params) : part === 'body' ? fieldsOf(body) : told)[field];
    const name = told[kinds[subject] ?? ''];
    const targetId = typeof id === 'number' ? id : null;
    // A super admin has no school: the change is in the one that was chosen, that is changed, or that has the target.
    const ofTarget = subject === 'school' ? targetId : told.schoolId;
    const ofSchool = admin.schoolId ?? schoolId ?? (typeof ofTarget === 'number' ? ofTarget : 0);
    if (accounts.includes(subject)) {
      const about = { event: operation.id, adminId: admin.id, targetId, schoolId: ofSchool, ip };
      this.#log.info(about, 'account');
    }
    const student = subject === 'student' ? targetId : null;
    await this.#db
      .insertInto('activity')
      .values({
        school_id: ofSchool,
        created_at: at,
        admin_id: admin.id,
        username: admin.username,
        action: operation.id,
        target_id: targetId,
        target_name: typeof name === 'string' ? nameNow(ofSchool, student, name) : null,
        ip,
        user_agent: userAgent,
      })
      .execute();
  }
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;

/** The change is over and the student may have been erased since: the lock waits for whoever is just doing that. */
const nameNow = (schoolId: number, studentId: number | null, name: string) =>
  studentId === null
    ? name
    : sql<string>`coalesce((
        WITH student AS (
          SELECT username FROM student
          WHERE school_id = ${schoolId} AND id = ${studentId} AND erased_at IS NOT NULL FOR SHARE
        ) SELECT username FROM student), ${name}::text)`;
