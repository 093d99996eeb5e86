import { createHash } from 'node:crypto';
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Either: a rule that reads does not care whether it runs inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseConnection {
  readonly db: Database;
  /** For the few places that speak SQL to one connection directly: the ledger, the audit log, LISTEN. */
  readonly pool: pg.Pool;
  end(): Promise<void>;
}

/** Enough to keep two cores of a database busy; more only queue inside PostgreSQL. */
const defaultPoolSize = 10;

/** A statement is worth keeping on every connection once it has come this often. */
const namedAfterUses = 20;
/** Each connection keeps a plan of every named statement, some 80 kB each. */
const namedStatementsMax = 100;
/** Texts that are counted at the same time; past that, counting begins anew. */
const countedTextsMax = 2_000;

const usesByText = new Map<string, number>();
const namesByText = new Map<string, string>();

/** A name for a statement that comes often, so that each connection parses and plans it once; or undefined. */
function statementName(text: string): string | undefined {
  const known = namesByText.get(text);
  if (known !== undefined || namesByText.size >= namedStatementsMax) return known;
  const uses = (usesByText.get(text) ?? 0) + 1;
  if (uses < namedAfterUses) {
    if (usesByText.size >= countedTextsMax) usesByText.clear();
    usesByText.set(text, uses);
    return undefined;
  }
  usesByText.delete(text);
  const name = createHash('sha1').update(text).digest('base64url');
  namesByText.set(text, name);
  return name;
}

/** `2026-09-01 08:00:00.12+00`, as PostgreSQL prints it in UTC, becomes `2026-09-01T08:00:00.120Z`. */
function parseTimestamp(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, text.length - 3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      // Ids, counts and sums stay far below 2^53.
      if (oid === pg.types.builtins.INT8) return Number;
      if (oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
      if (oid === pg.types.builtins.DATE) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid as never, format as never);
  },
} as pg.CustomTypesConfig;

/**
 * Opens a pool on a PostgreSQL server. Nothing is connected before the first query.
 *
 * Kysely does not name its statements; here every statement with parameters that comes often is prepared under
 * a name made from its text, which halves its cost for the server.
 */
export function connectDatabase(
  target: pg.PoolConfig,
  options: { poolSize?: number; onIdleError?: (error: Error) => void } = {},
): DatabaseConnection {
  const pool = new pg.Pool({
    max: options.poolSize ?? defaultPoolSize,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'classledger',
    ...target,
    options: [target.options, '-c timezone=UTC -c datestyle=ISO'].filter(Boolean).join(' '),
    types: typeParsers,
    // Statements that do not wait for one another's results may be sent together.
    pipeline: true,
  } as pg.PoolConfig);
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => options.onIdleError?.(error));
  // One that breaks while in use tells so twice: the statements under way fail, which is enough, and this event.
  pool.on('connect', (client) => client.on('error', () => {}));

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const client = await pool.connect();
          return {
            query: (text: string, values: readonly unknown[]) => query(client, text, values),
            release: () => client.release(),
          } as never;
        },
        end: () => pool.end(),
        options: pool.options,
      } as never,
    }),
  });
  return {
    db,
    pool,
    end: async () => {
      await db.destroy();
      // Kysely ends the pool only if it has used it itself.
      if (!pool.ending) await pool.end();
    },
  };
}

/**
 * Runs one statement on a connection or the pool, prepared by name when it has parameters.
 *
 * @throws DatabaseError of pg, with its SQLSTATE in `code`
 */
export function query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  client: pg.ClientBase | pg.Pool,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const name = values.length > 0 ? statementName(text) : undefined;
  return client.query<Row>(
    name === undefined ? { text, values: values as unknown[] } : { name, text, values: values as unknown[] },
  );
}
