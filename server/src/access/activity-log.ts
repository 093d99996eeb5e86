import { type ActivityLine, type InternalOperation, kinds } from '@classledger/contract';
import type { Database } from '../database/connect.ts';
import type { Admin } from './sessions.ts';

/** A call by which an administrator changed something. */
interface Change {
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

/** Who changed what: one line for every successful change by an administrator, kept as long as the audit log. */
export class ActivityLog {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The operation declares its subject; the id stands where its target says, or in the answer. */
  async record({ admin, at, operation, line, schoolId, params, body, answer }: Change): Promise<void> {
    const { subject } = line;
    const told = fieldsOf(answer);
    const [part, field = 'id'] = operation.target?.[subject]?.split('.') ?? [];
    const id = (part === 'path' ? fieldsOf(params) : part === 'body' ? fieldsOf(body) : told)[field];
    const name = told[kinds[subject] ?? ''];
    const targetId = typeof id === 'number' ? id : null;
    // A super admin has no school: the change is in the one that was chosen, that is changed, or that has the target.
    const ofTarget = subject === 'school' ? targetId : told.schoolId;
    await this.#db
      .insertInto('activity')
      .values({
        school_id: admin.schoolId ?? schoolId ?? (typeof ofTarget === 'number' ? ofTarget : 0),
        created_at: at,
        admin_id: admin.id,
        username: admin.username,
        action: operation.id,
        target_id: targetId,
        target_name: typeof name === 'string' ? name : null,
      })
      .execute();
  }
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
