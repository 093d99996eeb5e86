import type { Tables } from '../database/tables.ts';

/** Returns the condition for rows of a school; null for tables of the installation. */
type SchoolCondition = ((school: number) => string) | null;

const bySchool = (school: number) => `school_id = ${school}`;
const byAdmin = (school: number) => `admin_id IN (SELECT id FROM admin WHERE school_id = ${school})`;

/** Lists each table after those that it refers to. Leaves out sessions, because restored ones would undo sign-outs. */
const rules: Record<keyof Tables, { readonly ofSchool: SchoolCondition } | 'left out'> = {
  school: { ofSchool: (school) => `id = ${school}` },
  grade: { ofSchool: bySchool },
  class: { ofSchool: bySchool },
  class_day: { ofSchool: bySchool },
  student: { ofSchool: bySchool },
  admin: { ofSchool: bySchool },
  term: { ofSchool: bySchool },
  term_standing: { ofSchool: bySchool },
  promotion: { ofSchool: bySchool },
  promotion_class: { ofSchool: bySchool },
  promotion_student: { ofSchool: bySchool },
  score_record: { ofSchool: bySchool },
  absence: { ofSchool: bySchool },
  template: { ofSchool: bySchool },
  seat: { ofSchool: bySchool },
  team: { ofSchool: bySchool },
  team_member: { ofSchool: bySchool },
  team_record: { ofSchool: bySchool },
  api_token: { ofSchool: bySchool },
  // Kept, so that a call that is repeated after a restore does nothing twice.
  idempotency_key: { ofSchool: bySchool },
  // Kept, because schools have handed out these codes on paper.
  sign_in_code: { ofSchool: bySchool },
  student_event: { ofSchool: bySchool },
  sign_in_provider: { ofSchool: bySchool },
  sign_in_identity: { ofSchool: bySchool },
  code_app: { ofSchool: byAdmin },
  recovery_code: { ofSchool: byAdmin },
  passkey: { ofSchool: byAdmin },
  activity: { ofSchool: bySchool },
  import_run: { ofSchool: bySchool },
  import_effect: { ofSchool: bySchool },
  audit_record: { ofSchool: bySchool },
  announcement: { ofSchool: null },
  application: { ofSchool: null },
  second_factor_role: { ofSchool: null },
  // Not part of a school's backup, because webhooks are encrypted with the secret of the installation.
  webhook: { ofSchool: null },
  // Kept, so that nobody can answer a passkey challenge again after a restore.
  spent_challenge: { ofSchool: null },
  // Left out, because a restore stops imports that were running.
  import_row: 'left out',
  import_job: 'left out',
  // Left out, because cursors depend on the transaction order of one database; readers start again after a restore.
  change: 'left out',
  admin_session: 'left out',
  student_session: 'left out',
  sign_in_flow: 'left out',
  batch_writer: 'left out',
  rate_limit_window: 'left out',
  counted_event: 'left out',
  // Left out, because webhooks tell their receivers after a restore that changes are missing.
  webhook_delivery: 'left out',
};

export interface BackupTable {
  readonly name: string;
  /** Undefined means all rows. */
  readonly condition: string | undefined;
}

/** Returns the tables of a backup, of a school or the installation, in the order in which they are restored. */
export function tablesOfBackup(school: number | null): readonly BackupTable[] {
  const tables: BackupTable[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    if (rule === 'left out') continue;
    if (school === null) tables.push({ name, condition: undefined });
    // COPY takes no parameters, so the number becomes part of the statement and must be an integer.
    else if (rule.ofSchool !== null && Number.isSafeInteger(school)) {
      tables.push({ name, condition: rule.ofSchool(school) });
    }
  }
  return tables;
}
