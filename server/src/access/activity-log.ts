import type { Database } from '../database/connect.ts';
import type { Admin } from './sessions.ts';

/** A change that an administrator made. */
interface Change {
  readonly admin: Admin;
  readonly at: Date;
  /** Id of the operation. */
  readonly action: string;
  /** Null: of no school. */
  readonly schoolId: number | null;
  readonly targetId: number | null;
  readonly targetName: string | null;
}

/** Who changed what: one line for every successful change by an administrator, kept as long as the audit log. */
export class ActivityLog {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async record({ admin, at, action, schoolId, targetId, targetName }: Change): Promise<void> {
    await this.#db
      .insertInto('activity')
      .values({
        school_id: schoolId ?? 0,
        created_at: at,
        admin_id: admin.id,
        username: admin.username,
        action,
        target_id: targetId,
        target_name: targetName,
      })
      .execute();
  }
}
