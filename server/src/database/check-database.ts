import pg from 'pg';
import {
  citusWorkerError,
  DatabaseUnusableError,
  isUntrustedCertificate,
  untrustedCertificateError,
} from './database-unusable.ts';
import { executedMigrations, migrationNames, migrationNeeded } from './migrate.ts';
import { tableNames } from './tables.ts';
import { transientErrorKind } from './transient-errors.ts';

const oldestMajor = 15;
const createDatabaseHint = `CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'und'`;

/** Checks that this program can use the database; `outdated` needs migrations first. @throws DatabaseUnusableError */
export async function checkDatabase(pool: pg.Pool): Promise<'current' | 'outdated'> {
  const server = await readServerFacts(pool);
  const name = `The database "${server.database}"`;
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnusableError(
      `${name} has the encoding ${server.encoding}, which cannot hold or search every name: use one with the encoding UTF8 (${createDatabaseHint})`,
    );
  }
  if (server.isStandby) {
    throw new DatabaseUnusableError(
      `${name} is on a standby server, which is read-only: use the primary server, or promote this one`,
    );
  }
  if (server.isReadOnly) {
    throw new DatabaseUnusableError(
      `${name} is read-only for the role "${server.role}" (default_transaction_read_only is on): turn that off with ALTER DATABASE, ALTER ROLE or in postgresql.conf`,
    );
  }
  if (server.schema === null) {
    throw new DatabaseUnusableError(
      `The role "${server.role}" may use no schema of the search_path in the database "${server.database}": GRANT USAGE, CREATE ON SCHEMA public TO "${server.role}"`,
    );
  }
  await checkSearch(pool, name);
  await checkListening(pool, name);
  return checkSchema(pool, { ...server, schema: server.schema });
}

interface ServerFacts {
  readonly version: number;
  readonly database: string;
  readonly role: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** Null when the role can use no schema of the search path. */
  readonly schema: string | null;
  readonly mayCreate: boolean;
}

async function readServerFacts(pool: pg.Pool): Promise<ServerFacts> {
  let facts: ServerFacts | undefined;
  try {
    const { rows } = await pool.query<ServerFacts>(
      `SELECT current_setting('server_version_num')::int AS version, current_database() AS database,
              current_user AS role, current_setting('server_encoding') AS encoding,
              pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
              current_schema() AS schema,
              coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate"`,
    );
    facts = rows[0];
  } catch (error) {
    if (isUntrustedCertificate(error)) throw untrustedCertificateError(error);
    const { message, code } = error as Error & { readonly code?: string };
    const reason = message || code || 'nobody answers';
    throw new DatabaseUnusableError(`The database cannot be reached: ${reason}`, { cause: error });
  }
  if (facts === undefined || facts.version < oldestMajor * 10_000) {
    throw new DatabaseUnusableError(
      `PostgreSQL ${oldestMajor} or newer is needed; DATABASE_URL names an older one`,
    );
  }
  return facts;
}

/** Checks that ILIKE ignores case beyond ASCII, for the search of students. Nothing else depends on the locale. */
async function checkSearch(pool: pg.Pool, name: string): Promise<void> {
  const { rows } = await pool.query<{ finds: boolean }>(`SELECT 'É' ILIKE 'é' AND 'Ж' ILIKE 'ж' AS finds`);
  if (rows[0]?.finds) return;
  throw new DatabaseUnusableError(
    `${name} has a locale such as C that knows no small and capital letters beyond a to z, so names would not be found: use one with another locale (${createDatabaseHint})`,
  );
}

/** Checks that LISTEN is allowed, and rolls it back, so that this connection receives no access changes. */
async function checkListening(pool: pg.Pool, name: string): Promise<void> {
  try {
    await pool.query('BEGIN; LISTEN classledger_access; ROLLBACK');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || transientErrorKind(error) !== null) throw error;
    throw new DatabaseUnusableError(
      `${name} does not allow LISTEN (${error.message}), which processes need to receive access changes: use a PostgreSQL server that does`,
      { cause: error },
    );
  }
}

/** Returns true on a Citus worker, which has copies of our tables, but not of the migrations table. */
async function isCitusWorker(pool: pg.Pool): Promise<boolean> {
  const { rows: tables } = await pool.query<{ hasCitus: boolean }>(
    `SELECT to_regclass('pg_dist_local_group') IS NOT NULL AS "hasCitus"`,
  );
  if (!tables[0]?.hasCitus) return false;
  const { rows } = await pool.query<{ groupid: number }>('SELECT groupid FROM pg_dist_local_group');
  return rows[0]?.groupid !== 0;
}

interface TableFacts {
  readonly name: string;
  readonly isThere: boolean;
  readonly isOwn: boolean;
  readonly mayUse: boolean;
}

async function readTableFacts(pool: pg.Pool): Promise<TableFacts[]> {
  const { rows } = await pool.query<TableFacts>(
    `SELECT name, c.oid IS NOT NULL AS "isThere", coalesce(pg_has_role(c.relowner, 'USAGE'), false) AS "isOwn",
            coalesce(has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
              AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'), false) AS "mayUse"
       FROM unnest($1::text[]) AS name LEFT JOIN pg_class c ON c.oid = to_regclass(quote_ident(name))`,
    [tableNames],
  );
  return rows;
}

async function checkSchema(
  pool: pg.Pool,
  { database, role, schema, mayCreate }: ServerFacts & { schema: string },
): Promise<'current' | 'outdated'> {
  const name = `The database "${database}"`;
  let executed = await executedMigrations(pool);
  const tables = await readTableFacts(pool);
  // Reads again, because another process may have created the tables between the two queries.
  if (executed.length === 0 && tables.some(({ isThere }) => isThere))
    executed = await executedMigrations(pool);

  const unknown = executed.filter((migration) => !migrationNames.includes(migration));
  const isOurs = migrationNames.some((migration) => executed.includes(migration));
  // Accepts the schema of a newer release that only added to it, because then the needed migration is known here.
  if (unknown.length > 0 && isOurs && !migrationNames.includes((await migrationNeeded(pool)) ?? '')) {
    throw new DatabaseUnusableError(
      `${name} has the schema of a newer Classledger (${unknown.join(', ')}): run that release, or restore a backup from before it`,
    );
  }
  const there = tables.filter(({ isThere }) => isThere);
  if (!isOurs && (there.length > 0 || unknown.length > 0)) {
    if (await isCitusWorker(pool)) throw citusWorkerError();
    const foreign = there.length > 0 ? there.map((table) => table.name) : ['kysely_migration'];
    throw new DatabaseUnusableError(
      `${name} holds tables of another program (${listFirstThree(foreign)}): give Classledger a database, or a schema, of its own`,
    );
  }
  if (migrationNames.some((migration) => !executed.includes(migration))) {
    const others = there.filter(({ isOwn }) => !isOwn).map((table) => table.name);
    if (!mayCreate) {
      throw new DatabaseUnusableError(
        `The role "${role}" may not create tables in the schema "${schema}" of the database "${database}": GRANT CREATE ON SCHEMA "${schema}" TO "${role}", or start once with a role that may`,
      );
    }
    if (others.length > 0) {
      throw new DatabaseUnusableError(
        `The role "${role}" may not change tables of another role (${listFirstThree(others)}) to the current schema: start once with the role that owns them`,
      );
    }
    return 'outdated';
  }
  const lost = tables.filter(({ isThere }) => !isThere).map((table) => table.name);
  if (lost.length > 0) {
    throw new DatabaseUnusableError(
      `${name} lacks tables that it had (${listFirstThree(lost)}): restore it from a backup; if they are in another schema, let the search_path name it`,
    );
  }
  const closed = tables.filter(({ mayUse }) => !mayUse).map((table) => table.name);
  if (closed.length > 0) {
    throw new DatabaseUnusableError(
      `The role "${role}" may not read and change the tables of the database "${database}" (${listFirstThree(closed)}): GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`,
    );
  }
  return 'current';
}

function listFirstThree(names: readonly string[]): string {
  return names.length <= 3
    ? names.join(', ')
    : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}
