import { createHash } from 'node:crypto';
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ConnectionWatch, isBroken } from './connection-watch.ts';
import type { Tables } from './tables.ts';
import { DatabaseLostError } from './trouble.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Either: a rule that reads does not care whether it runs inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseConnection {
  readonly db: Database;
  /** For the few places that speak SQL to one connection directly: the audit log and the counts of uses. */
  readonly pool: pg.Pool;
  /**
   * A connection for statements that belong together; it must be released.
   *
   * @throws DatabaseLostError when none can be had
   */
  acquire(): Promise<pg.PoolClient>;
  /** Ends all connections, in a moment even where the network has swallowed them. */
  end(): Promise<void>;
}

/** Enough to keep two cores of a database busy; more only queue inside PostgreSQL. */
const defaultPoolSize = 10;

/** How long a new connection may take, and how long one waits for a connection of the pool. */
const connectWithinMs = 5_000;
/** How often connections are looked at that do not answer; see `ConnectionWatch`. */
const watchEveryMs = 1_000;

/**
 * What a session keeps to in the server, so that nothing stays locked for long when this process or the network
 * is gone without a word: no transaction pauses for a minute, and a peer that acknowledges nothing is given up after
 * half a minute. A statement has no limit of time here: migrations, `verify`, the change of a term and the deletion
 * of a school may take as long as they need.
 */
const sessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  idle_in_transaction_session_timeout: '60s',
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

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
  options: { watchEveryMs?: number } = {},
): DatabaseConnection {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({
    max: defaultPoolSize,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    application_name: 'classledger',
    ...target,
    options: [target.options, ...settings].filter(Boolean).join(' '),
    types: typeParsers,
    // Statements that do not wait for one another's results may be sent together.
    pipeline: true,
  } as pg.PoolConfig);
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  const watch = new ConnectionWatch(target, options.watchEveryMs ?? watchEveryMs);
  pool.on('connect', (client) => {
    // One that breaks while in use tells so twice: the statements under way fail, which is enough, and this event.
    client.on('error', () => {});
    watch.add(client);
  });

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const client = await acquire(pool);
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
    acquire: () => acquire(pool),
    end: async () => {
      await db.destroy();
      // Kysely ends the pool only if it has used it itself.
      if (!pool.ending) await pool.end();
      await watch.allEnded();
    },
  };
}

/** Takes a connection from a pool. @throws DatabaseLostError when none can be had */
export function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw new DatabaseLostError(error);
  });
}

/**
 * Runs one statement on a connection, prepared by name when it has parameters.
 *
 * @throws DatabaseError of pg, with its SQLSTATE in `code`; DatabaseLostError when the connection is gone
 */
export function query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  const name = values.length > 0 ? statementName(text) : undefined;
  return client
    .query<Row>(
      name === undefined
        ? { text, values: values as unknown[] }
        : { name, text, values: values as unknown[] },
    )
    .catch((error: unknown) => {
      const lost = !(error instanceof pg.DatabaseError) && isBroken(client);
      throw lost ? new DatabaseLostError(error) : error;
    });
}
