import type { Tables } from '../database/tables.ts';

/** How one finds the rows of a school in a table; null: the table belongs to the installation. */
type RowsOfSchool = ((school: number) => string) | null;

const bySchool = (school: number) => `school_id = ${school}`;
const byAdmin = (school: number) => `admin_id IN (SELECT id FROM admin WHERE school_id = ${school})`;

/**
 * What a backup holds of each table, in an order in which no row comes before one that it refers to.
 *
 * `left out` is what nobody misses after a restore: sign-ins (they would open again what was signed out since), what is
 * under way, and what processes keep for themselves.
 */
const rules: Record<keyof Tables, { readonly ofSchool: RowsOfSchool } | 'left out'> = {
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
  // So that a call which is repeated after a restore does nothing twice.
  idempotency_key: { ofSchool: bySchool },
  // Codes on paper that was handed out.
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
  // They are sealed under the secret of the installation, and a school that moves is told of by another.
  webhook: { ofSchool: null },
  // They may not be answered again in the few minutes for which they last.
  spent_challenge: { ofSchool: null },
  // Cursors count on one database's order of transactions: after a restore, readers begin anew.
  change: 'left out',
  admin_session: 'left out',
  student_session: 'left out',
  sign_in_flow: 'left out',
  batch_writer: 'left out',
  rate_limit_window: 'left out',
  counted_event: 'left out',
  // After a restore the changes begin anew, and webhooks tell that they have missed some.
  webhook_delivery: 'left out',
};

export interface BackupTable {
  readonly name: string;
  /** A condition for the rows of the school; undefined: all rows. */
  readonly condition: string | undefined;
}

/** The tables of a backup in the order in which they are restored: of one school, or of the installation. */
export function tablesOfBackup(school: number | null): readonly BackupTable[] {
  const tables: BackupTable[] = [];
  for (const [name, rule] of Object.entries(rules)) {
    if (rule === 'left out') continue;
    if (school === null) tables.push({ name, condition: undefined });
    // COPY takes no parameters.
    else if (rule.ofSchool !== null && Number.isSafeInteger(school)) {
      tables.push({ name, condition: rule.ofSchool(school) });
    }
  }
  return tables;
}
