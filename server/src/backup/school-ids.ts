import type pg from 'pg';
import type { Tables } from '../database/tables.ts';
import { damagedBackup } from './backup-file.ts';
import { type CatalogueTable, describeTables, quoted, quotedList } from './catalogue.ts';

/** Ids are of the kind of the table that generates them. Ids of a kind are unique in the installation. */
type IdKind = keyof Tables;

const idColumns: Readonly<Record<string, Readonly<Record<string, IdKind>>>> = {
  school: { id: 'school' },
  grade: { id: 'grade' },
  class: { id: 'class', grade_id: 'grade' },
  class_day: { class_id: 'class' },
  category: { id: 'category' },
  class_day_category: { class_id: 'class', category_id: 'category' },
  student_category: { student_id: 'student', category_id: 'category' },
  student: { id: 'student', class_id: 'class' },
  admin: { id: 'admin', grade_id: 'grade', class_id: 'class' },
  teaching: { admin_id: 'admin', class_id: 'class' },
  term: { id: 'term', class_id: 'class', closed_by_id: 'admin' },
  term_standing: { term_id: 'term', student_id: 'student' },
  promotion: { id: 'promotion', admin_id: 'admin', archived_grade_id: 'grade' },
  promotion_class: {
    promotion_id: 'promotion',
    class_id: 'class',
    from_grade_id: 'grade',
    to_grade_id: 'grade',
  },
  promotion_student: { promotion_id: 'promotion', student_id: 'student' },
  score_record: {
    id: 'score_record',
    student_id: 'student',
    term_id: 'term',
    token_id: 'api_token',
    revoked_by_token_id: 'api_token',
    admin_id: 'admin',
    revoked_by_admin_id: 'admin',
    category_id: 'category',
  },
  absence: { id: 'absence', student_id: 'student', admin_id: 'admin' },
  template: { id: 'template', class_id: 'class', category_id: 'category' },
  seat: { id: 'seat', class_id: 'class', student_id: 'student' },
  team: { id: 'team', class_id: 'class' },
  team_member: { team_id: 'team', student_id: 'student' },
  team_record: {
    id: 'team_record',
    team_id: 'team',
    term_id: 'term',
    admin_id: 'admin',
    revoked_by_admin_id: 'admin',
  },
  api_token: { id: 'api_token', scope_grade_id: 'grade', scope_class_id: 'class', issuer_id: 'admin' },
  sign_in_code: { student_id: 'student' },
  student_event: { id: 'student_event', student_id: 'student' },
  sign_in_provider: { id: 'sign_in_provider', create_students_in: 'class' },
  sign_in_identity: {
    id: 'sign_in_identity',
    provider_id: 'sign_in_provider',
    admin_id: 'admin',
    student_id: 'student',
  },
  code_app: { admin_id: 'admin' },
  recovery_code: { admin_id: 'admin' },
  passkey: { id: 'passkey', admin_id: 'admin' },
  activity: { id: 'activity', admin_id: 'admin' },
  audit_record: { id: 'audit_record', token_id: 'api_token' },
  import_run: { id: 'import_run', admin_id: 'admin' },
  import_effect: { import_id: 'import_run', student_id: 'student' },
};

/** Ids shift by a multiple of this, so that people recognise the old id in the last digits. */
const shiftStep = 1_000;

/** The number to add to the ids of each kind. Kinds that are missing keep their ids. */
export type IdShifts = ReadonlyMap<string, number>;

export function idColumnsOf(table: CatalogueTable): [string, string][] {
  const columns = Object.entries<string>(idColumns[table.name] ?? {});
  if (table.columns.includes('school_id')) columns.push(['school_id', 'school']);
  return columns;
}

/** Higher ids are rejected, because no installation has generated them and later ids need room. */
const idMax = 1_000_000_000_000_000;

/** Rejects ids out of bounds and rows of other schools, because digests do not prevent forgery. @throws BackupError */
export async function requireOwnRows(
  client: pg.ClientBase,
  tables: readonly CatalogueTable[],
  from: string,
  school: number,
): Promise<void> {
  for (const table of tables) {
    const place = `${quoted(from)}.${quoted(table.name)}`;
    const owner = table.name === 'school' ? 'id' : 'school_id';
    const foreign = idColumnsOf(table).map(([column]) => `${quoted(column)} NOT BETWEEN 1 AND ${idMax}`);
    if (table.columns.includes(owner)) foreign.push(`${owner} IS DISTINCT FROM ${school}`);
    const { rowCount } = await client.query(`SELECT FROM ${place} WHERE ${foreign.join(' OR ')} LIMIT 1`);
    if (rowCount !== 0) throw damagedBackup(`rows of ${table.name} belong to another school`);
  }
  const { rowCount } = await client.query(`SELECT FROM ${quoted(from)}.school`);
  if (rowCount !== 1) throw damagedBackup('its school is missing');
}

/**
 * Chooses which ids of a restored school change, and moves the sequences past all of them. Ids of a kind stay if all
 * are higher than the last id generated here. Changed ids lie at least `shiftStep` above the last id, out of reach of
 * concurrent writers. Kept ids may collide with rows of such writers; then the restore fails.
 */
export async function chooseIdShifts(
  client: pg.ClientBase,
  tables: readonly CatalogueTable[],
  from: string,
): Promise<IdShifts> {
  const places = new Map<string, string[]>();
  for (const table of tables) {
    for (const [column, kind] of idColumnsOf(table)) {
      const place = `SELECT min(${quoted(column)}), max(${quoted(column)}) FROM ${quoted(from)}.${quoted(table.name)}`;
      places.set(kind, [...(places.get(kind) ?? []), place]);
    }
  }
  const here = await describeTables(client, [...places.keys()]);
  const shifts = new Map<string, number>();
  for (const [kind, selects] of places) {
    const { rows } = await client.query<{ lowest: number | null; highest: number }>(
      `SELECT min(ids.min) AS lowest, max(ids.max) AS highest FROM (${selects.join(' UNION ALL ')}) AS ids`,
    );
    const { lowest, highest } = rows[0] ?? { lowest: null, highest: 0 };
    if (lowest === null) continue;
    const { column, last } = here.get(kind)?.identity ?? { column: 'id', last: null };
    const shift = lowest > (last ?? 0) ? 0 : Math.ceil((last ?? 0) / shiftStep + 1) * shiftStep;
    // Never lowers the sequence, because concurrent writers may have generated more ids.
    const sequence = 'pg_get_serial_sequence(quote_ident($1), $2)::regclass';
    await client.query(
      `SELECT setval(${sequence}, greatest($3::bigint, pg_sequence_last_value(${sequence})))`,
      [kind, column, highest + shift],
    );
    if (shift > 0) shifts.set(kind, shift);
  }
  return shifts;
}

export async function copyRowsShifted(
  client: pg.ClientBase,
  table: CatalogueTable,
  from: string,
  shifts: IdShifts,
): Promise<void> {
  const kinds = new Map(idColumnsOf(table));
  const columns = table.columns.map((column) => {
    const shift = shifts.get(kinds.get(column) ?? '') ?? 0;
    if (shift > 0) return `${quoted(column)} + ${shift}`;
    if (table.name === 'idempotency_key' && column === 'owner') return shiftedOwner(shifts);
    if (table.name === 'idempotency_key' && column === 'key') return shiftedKey(shifts);
    if (table.name === 'import_effect' && (column === 'before' || column === 'after'))
      return shiftedImportFields(column, shifts);
    // The target of a log entry may be of any kind, so its id is dropped; its name stays.
    if (table.name === 'activity' && column === 'target_id' && shifts.size > 0) return 'NULL';
    return quoted(column);
  });
  // The comment in this statement tells the trigger `refuse_stored` not to search for stored idempotency keys.
  await client.query(
    `INSERT INTO ${quoted(table.name)} (${quotedList(table.columns)}) OVERRIDING SYSTEM VALUE /* not stored yet */
     SELECT ${columns.join(', ')} FROM ${quoted(from)}.${quoted(table.name)}`,
  );
}

const shiftedImportFields = (column: string, shifts: IdShifts) =>
  `CASE WHEN ${column} ? 'classId' THEN jsonb_set(${column}, '{classId}',
    to_jsonb((${column} ->> 'classId')::bigint + ${shifts.get('class') ?? 0})) ELSE ${column} END`;

/** Shifts the student id in keys of attendance points, which consist of a day and a student. */
const shiftedKey = (shifts: IdShifts) =>
  `CASE WHEN owner = 'attendance' AND key ~ '^\\S+ \\d{1,15}$' THEN split_part(key, ' ', 1) || ' ' ||
    (split_part(key, ' ', 2)::bigint + ${shifts.get('student') ?? 0}) ELSE key END`;

/** Shifts the id in owners such as `token 7` or `admin 7`. */
function shiftedOwner(shifts: IdShifts): string {
  const whenOwner = (word: string, kind: string) =>
    `WHEN owner ~ '^${word} \\d+$' THEN '${word} ' || substr(owner, 7)::bigint + ${shifts.get(kind) ?? 0}`;
  return `CASE ${whenOwner('token', 'api_token')} ${whenOwner('admin', 'admin')} ELSE owner END`;
}
