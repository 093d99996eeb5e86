import pg from 'pg';
import { tablesOfBackup } from '../database/tables.ts';
import { BackupError } from './backup-error.ts';
import { describeTables } from './catalogue.ts';
import type { Manifest } from './manifest.ts';
import {
  checkBackupCompatibility,
  fillSchema,
  inOneTransaction,
  type Restored,
  type RestoreOptions,
} from './restore-backup.ts';
import { chooseIdShifts, copyRowsShifted, type IdShifts, requireOwnRows } from './school-ids.ts';

export interface SchoolRestored extends Restored {
  readonly schoolId: number;
  readonly shifts: IdShifts;
}

/** Schema that holds the school until its totals are verified. */
const scratchSchema = 'classledger_incoming';

/** Restores a school beside others, after verifying it in a scratch schema. @throws BackupError, or an error of pg */
export async function restoreSchool(options: RestoreOptions): Promise<SchoolRestored> {
  const manifest = await options.backup.begin();
  checkBackupCompatibility(manifest);
  const { school } = manifest;
  if (school === null) {
    throw new BackupError(
      'The backup holds a whole installation: restore it without --school, into an empty database',
    );
  }
  return inOneTransaction(options, async (client, tx) => {
    const { rows: paths } = await client.query<{ path: string }>(
      `SELECT current_setting('search_path') AS path`,
    );
    await requireNewSchool(client, school);
    const setSearchPath = (path: string | undefined) =>
      client.query(`SELECT set_config('search_path', $1, true)`, [path]);
    await client.query(`CREATE SCHEMA ${scratchSchema}`);
    await setSearchPath(scratchSchema);
    const rows = await fillSchema(client, tx, manifest, options, scratchSchema);
    await setSearchPath(paths[0]?.path);
    const shifts = await moveToRealTables(client, school.id);
    await client.query(`DROP SCHEMA ${scratchSchema} CASCADE`);
    return { manifest, rows, schoolId: school.id + (shifts.get('school') ?? 0), shifts };
  });
}

async function moveToRealTables(client: pg.ClientBase, school: number): Promise<IdShifts> {
  const names = tablesOfBackup(school).map(({ name }) => name);
  const here = await describeTables(client, names);
  const tables = names.flatMap((name) => here.get(name) ?? []);
  await requireOwnRows(client, tables, scratchSchema, school);
  await requireNoDuplicates(client);
  const shifts = await chooseIdShifts(client, tables, scratchSchema);
  try {
    for (const table of tables) await copyRowsShifted(client, table, scratchSchema, shifts);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '23505')) throw error;
    throw new BackupError(
      `Data of the school was added here meanwhile (${error.constraint}): start the restore again`,
      { cause: error },
    );
  }
  return shifts;
}

const schoolExistsError = (name: string) => new BackupError(`This school already exists here, as "${name}"`);

/** Rejects a school that is already here, by its name and creation time in the manifest. @throws BackupError */
async function requireNewSchool(
  client: pg.ClientBase,
  { name, createdAt }: NonNullable<Manifest['school']>,
): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM school WHERE name = $1 AND created_at = $2', [
    name,
    createdAt,
  ]);
  if (rowCount) throw schoolExistsError(name);
}

/** Rejects a school that is already here, and administrators with usernames in use. @throws BackupError */
async function requireNoDuplicates(client: pg.ClientBase): Promise<void> {
  const { rows: known } = await client.query<{ name: string }>(
    `SELECT s.name FROM api_token t JOIN ${scratchSchema}.api_token i ON i.token_hash = t.token_hash
       LEFT JOIN school s ON s.id = t.school_id LIMIT 1`,
  );
  if (known[0]) {
    throw new BackupError(
      `This school already exists here${known[0].name ? `, as "${known[0].name}"` : ''}: its credentials do`,
    );
  }
  // A school may have no credentials, so its name and creation time are compared too.
  const { rows: same } = await client.query<{ name: string }>(
    `SELECT s.name FROM school s JOIN ${scratchSchema}.school i USING (name, created_at) LIMIT 1`,
  );
  if (same[0]) throw schoolExistsError(same[0].name);
  const { rows: taken } = await client.query<{ username: string }>(
    `SELECT a.username FROM admin a JOIN ${scratchSchema}.admin i USING (username) ORDER BY 1 LIMIT 10`,
  );
  if (taken.length > 0) {
    const names = taken.map(({ username }) => username).join(', ');
    throw new BackupError(
      `Administrators here have the same usernames as those of the school (${names}): rename either, and back the school up again if it was there`,
    );
  }
}
