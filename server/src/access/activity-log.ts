import {
  type ActivityLine,
  type InternalOperation,
  type ResourceKind,
  resourceKinds,
} from '@classledger/contract';
import { type Insertable, sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import type { Log } from './account-events.ts';
import type { Admin, Device } from './sessions.ts';

interface Change extends Device {
  readonly admin: Admin;
  readonly at: Date;
  readonly operation: Pick<InternalOperation, 'id' | 'target'>;
  readonly line: ActivityLine;
  readonly schoolId: number | null;
  readonly params: object;
  readonly body: unknown;
  readonly answer: unknown;
  readonly logFields: object | undefined;
}

/** Changes of these kinds also go to the server's log, because they decide who can sign in or use the external API. */
const accountKinds: readonly ResourceKind[] = [
  'administrator',
  'secondFactor',
  'credential',
  'signInProvider',
];

/**
 * Records who changed what: one line per successful change by an administrator, kept as long as the audit log. Changes of
 * `accountKinds` also go to the server's log. Ignores dry runs.
 */
export async function recordActivity(db: Database, log: Log, change: Change): Promise<void> {
  const { admin, at, ip, userAgent, operation, line, schoolId, params, body, answer, logFields } = change;
  const { subject } = line;
  const answerFields = fieldsOf(answer);
  if (answerFields.dryRun === true) return;
  const [part, field = 'id'] = operation.target?.[subject]?.split('.') ?? [];
  const id = (part === 'path' ? fieldsOf(params) : part === 'body' ? fieldsOf(body) : answerFields)[field];
  const name = answerFields[resourceKinds[subject] ?? ''];
  const targetId = typeof id === 'number' ? id : null;
  // A super admin has no school: use the chosen school, the changed school, or the school of the target.
  const ofTarget = subject === 'school' ? targetId : answerFields.schoolId;
  const ofSchool = admin.schoolId ?? schoolId ?? (typeof ofTarget === 'number' ? ofTarget : 0);
  if (accountKinds.includes(subject)) {
    const about = {
      event: operation.id,
      adminId: admin.id,
      targetId,
      schoolId: ofSchool,
      ip,
      ...logFields,
    };
    log.info(about, 'account');
  }
  const student = subject === 'student' ? targetId : null;
  const row = {
    school_id: ofSchool,
    created_at: at.toISOString(),
    admin_id: admin.id,
    username: admin.username,
    action: operation.id,
    target_id: targetId,
    target_name: typeof name === 'string' ? name : null,
    ip,
    user_agent: userAgent,
  };
  if (student === null || row.target_name === null) {
    await db.insertInto('activity').values(row).execute();
  } else {
    await recordStudent(db, row, student);
  }
}

/** Locks the student first, so that a running erasure ends. The name of an erased student is not stored. */
async function recordStudent(
  db: Database,
  row: Insertable<Tables['activity']>,
  studentId: number,
): Promise<void> {
  await sql`
    WITH locked AS MATERIALIZED (
      SELECT username, erased_at FROM student
      WHERE school_id = ${row.school_id} AND id = ${studentId} FOR SHARE
    )
    INSERT INTO activity (school_id, created_at, admin_id, username, action, target_id, target_name, ip, user_agent)
    SELECT ${row.school_id}::bigint, ${row.created_at}::timestamptz, ${row.admin_id}::bigint, ${row.username}::text,
      ${row.action}::text, ${row.target_id}::bigint,
      coalesce((SELECT username FROM locked WHERE erased_at IS NOT NULL), ${row.target_name}::text), ${row.ip}::text,
      ${row.user_agent}::text`.execute(db);
}

const fieldsOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
