import pg from 'pg';
import { BackupError } from './backup-error.ts';
import { tablesOfBackup } from './backup-tables.ts';
import { describeTables } from './catalogue.ts';
import type { Manifest } from './manifest.ts';
import {
  checkOrigin,
  fillSchema,
  inOneTransaction,
  type Restored,
  type RestoreOrder,
} from './restore-backup.ts';
import { bringIn, chooseShifts, refuseForeignRows, type Shifts } from './school-ids.ts';

export interface SchoolRestored extends Restored {
  readonly schoolId: number;
  readonly shifts: Shifts;
}

/** Schema that holds the incoming school until it is proven. */
const scratch = 'classledger_incoming';

/**
 * Restores the backup of a school beside other data, in one transaction; servers may keep running. A scratch schema
 * takes the rows, migrates them and proves the ledger. Then the rows move to the real tables.
 *
 * @throws BackupError, or an error of pg
 */
export async function restoreSchool(order: RestoreOrder): Promise<SchoolRestored> {
  const manifest = await order.backup.begin();
  checkOrigin(manifest);
  const { school } = manifest;
  if (school === null) {
    throw new BackupError(
      'The backup holds a whole installation: restore it without --school, into an empty database',
    );
  }
  return inOneTransaction(order, async (client, tx) => {
    const { rows: paths } = await client.query<{ path: string }>(
      `SELECT current_setting('search_path') AS path`,
    );
    await refuseSameSchool(client, school);
    const go = (path: string | undefined) =>
      client.query(`SELECT set_config('search_path', $1, true)`, [path]);
    await client.query(`CREATE SCHEMA ${scratch}`);
    await go(scratch);
    const rows = await fillSchema(client, tx, manifest, order, scratch);
    await go(paths[0]?.path);
    const shifts = await moveOver(client, school.id);
    await client.query(`DROP SCHEMA ${scratch} CASCADE`);
    return { manifest, rows, schoolId: school.id + (shifts.get('school') ?? 0), shifts };
  });
}

async function moveOver(client: pg.ClientBase, school: number): Promise<Shifts> {
  const names = tablesOfBackup(school).map(({ name }) => name);
  const here = await describeTables(client, names);
  const tables = names.flatMap((name) => here.get(name) ?? []);
  await refuseForeignRows(client, tables, scratch, school);
  await refuseTwins(client);
  const shifts = await chooseShifts(client, tables, scratch);
  try {
    for (const table of tables) await bringIn(client, table, scratch, shifts);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '23505')) throw error;
    throw new BackupError(
      `Something of the school has come to be here meanwhile (${error.constraint}): start the restore again`,
      { cause: error },
    );
  }
  return shifts;
}

const isHereAs = (name: string) => new BackupError(`This school is here already, as "${name}"`);

/** Rejects a school that is already here, by its name and creation time in the manifest. @throws BackupError */
async function refuseSameSchool(
  client: pg.ClientBase,
  { name, createdAt }: NonNullable<Manifest['school']>,
): Promise<void> {
  if (createdAt === undefined) return;
  const { rowCount } = await client.query('SELECT 1 FROM school WHERE name = $1 AND created_at = $2', [
    name,
    createdAt,
  ]);
  if (rowCount) throw isHereAs(name);
}

/** Rejects a school that is already here, and administrators with usernames in use. @throws BackupError */
async function refuseTwins(client: pg.ClientBase): Promise<void> {
  const { rows: known } = await client.query<{ name: string }>(
    `SELECT s.name FROM api_token t JOIN ${scratch}.api_token i ON i.token_hash = t.token_hash
       LEFT JOIN school s ON s.id = t.school_id LIMIT 1`,
  );
  if (known[0]) {
    throw new BackupError(
      `This school is here already${known[0].name ? `, as "${known[0].name}"` : ''}: its credentials are`,
    );
  }
  // A school without credentials is recognised by its name and creation time.
  const { rows: same } = await client.query<{ name: string }>(
    `SELECT s.name FROM school s JOIN ${scratch}.school i USING (name, created_at) LIMIT 1`,
  );
  if (same[0]) throw isHereAs(same[0].name);
  const { rows: taken } = await client.query<{ username: string }>(
    `SELECT a.username FROM admin a JOIN ${scratch}.admin i USING (username) ORDER BY 1 LIMIT 10`,
  );
  if (taken.length > 0) {
    const names = taken.map(({ username }) => username).join(', ');
    throw new BackupError(
      `Administrators here have the same usernames as those of the school (${names}): rename either, and back the school up again if it was there`,
    );
  }
}
