import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from './client.ts';
import { ConnectionWatch, cut, endWithin, isBroken, isInTransaction } from './connection-watch.ts';
import { FairPlaces, type PlaceRules } from './fair-places.ts';
import { placesOf } from './places.ts';
import { readPagesBy } from './shared-reads/json-list.ts';
import { PageClient, SharedReads } from './shared-reads/shared-reads.ts';
import { StatementNames } from './statement-names.ts';
import type { Tables } from './tables.ts';
import { DatabaseLostError, troubleOf } from './trouble.ts';
import { presentTurn } from './turns.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Either: a rule that reads does not care whether it runs inside a transaction. */
export type Queryable = Database | Transaction;

/** How the connections of one pool are used at this moment. */
export interface PoolUse {
  readonly pool: 'main' | 'shared' | 'slow' | 'behind';
  /** So many may be open. */
  readonly max: number;
  readonly open: number;
  readonly used: number;
  /** Work that waits for a connection. */
  readonly waiting: number;
}

export interface DatabaseConnection {
  readonly db: Database;
  /** The connections behind `db`, out of turn. */
  readonly pool: pg.Pool;
  /** Others for what is written behind requests, which may hold all of those above even for ever. */
  readonly behind: pg.Pool;
  /** One for beats alone: they go in time whatever waits (`AccessChangeListener`). */
  readonly beats: pg.Pool;
  /**
   * A connection for a write, which must be released.
   *
   * @param urgent goes before all reads, as the ledger does, unless false
   * @throws DatabaseLostError when none can be had; DatabaseBusyError when none was free in time
   */
  acquire(urgent?: boolean): Promise<pg.PoolClient>;
  /** So many writes may wait at once for rows that somebody else keeps locked, each on a connection. */
  readonly blockedWritesMax: number;
  /** How the connections are used at this moment. */
  usage(): PoolUse[];
  /** Ends all connections, in a moment even where the network has swallowed them. */
  end(): Promise<void>;
}

/** A read that takes longer is ended. */
const slowReadMs = 15_000;

/** How long a new connection may take. */
const connectWithinMs = 5_000;
/** How often connections are looked at that do not answer; see `ConnectionWatch`. */
const watchEveryMs = 1_000;

/**
 * What a session keeps to besides, sent ahead of its first statement, so that nothing stays locked for long when this process or the network
 * is gone without a word: no transaction pauses for a minute, and a peer that acknowledges nothing is given up after
 * half a minute. A statement has no limit of time here: migrations, `verify`, the change of a term and the deletion
 * of a school may take as long as they need.
 */
const sessionSettings = {
  idle_in_transaction_session_timeout: '60s',
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/**
 * How the connections that `DATABASE_URL` leads to map to sessions of PostgreSQL: each is one, or a pooler gives each
 * transaction any that is free.
 */
export type Pooling = 'session' | 'transaction';

const readOnlyTransaction = '25006';
const transactionBegin = /^(begin|start transaction)/i;

/** `2026-09-01 08:00:00.12+00`, as PostgreSQL prints it in UTC, becomes `2026-09-01T08:00:00.120Z`. */
function parseTimestamp(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, text.length - 3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

/** How values that come as text are read. */
export const typeParsers: pg.CustomTypesConfig = {
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
 * Opens connections to a PostgreSQL server. Nothing is connected before the first query. Processes that share one
 * server's port share the number of connections, too.
 *
 * Kysely does not name its statements; here every statement with parameters that comes often is prepared under
 * a name made from its text, which halves its cost for the server.
 */
export function connectDatabase(
  target: DatabaseTarget,
  options: { watchEveryMs?: number; slowReadMs?: number; pooling?: Pooling; sharedBy?: number } = {},
): DatabaseConnection {
  const watch = new ConnectionWatch(target, options.watchEveryMs ?? watchEveryMs);
  // Behind a pooler that gives a connection of its own to each transaction, nothing outlives a transaction.
  const keepsSessions = options.pooling !== 'transaction';
  const names = keepsSessions ? new StatementNames() : null;
  const open = (count: number, Client: typeof DatabaseClient = DatabaseClient) =>
    openPool(target, Client, count, keepsSessions ? sessionSettings : {}, watch, names);
  const places = placesOf(options.sharedBy ?? 1);
  const main = new FairPool(open(places.main.count), places.main);
  const slow = new FairPool(open(places.slow.count), places.slow);
  const slowMs = options.slowReadMs ?? slowReadMs;
  const { pool } = main;
  const behind = open(places.behind);
  const beats = open(places.beats);
  const shared = open(places.shared, PageClient);
  const reads = new SharedReads(shared, names, watch, places.shared);

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const isSlow = presentTurn().slow;
          const client = await (isSlow ? slow : main).acquire(false);
          return {
            query: (text: string, values: readonly unknown[]) =>
              isSlow ? queryWithin(slowMs, client, text, values) : query(client, text, values),
            release: () => client.release(),
          } as never;
        },
        end: async () => {},
        options: pool.options,
      } as never,
    }),
  });
  readPagesBy(reads, db);
  return {
    db,
    pool,
    behind,
    beats,
    blockedWritesMax: places.blockedWritesMax,
    acquire: (urgent = true) => main.acquire(urgent),
    usage: () => [
      main.usage('main'),
      slow.usage('slow'),
      { pool: 'shared', ...reads.usage() },
      usageOf('behind', behind, 0),
    ],
    end: async () => {
      await db.destroy();
      reads.end();
      await Promise.all([pool, slow.pool, shared, behind, beats].map((each) => each.ending || each.end()));
      await watch.allEnded();
    },
  };
}

type SessionSettings = Readonly<Record<string, string>>;

/** The names of the statements that a connection may have prepared. */
const namesOf = new WeakMap<pg.ClientBase, StatementNames>();
const watchOf = new WeakMap<pg.ClientBase, ConnectionWatch>();

function openPool(
  target: DatabaseTarget,
  Client: typeof DatabaseClient,
  max: number,
  settings: SessionSettings,
  watch: ConnectionWatch,
  names: StatementNames | null,
): pg.Pool {
  const first = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`);
  const pool = new pg.Pool({
    Client,
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    application_name: 'classledger',
    ...target,
    types: typeParsers,
    // Statements that do not wait for one another's results may be sent together.
    pipeline: true,
  } as pg.PoolConfig);
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    watch.add(client);
    watchOf.set(client, watch);
    if (names) namesOf.set(client, names);
    // Goes ahead of what the connection is opened for; without it the connection is not used.
    if (first.length > 0) client.query(first.join('; ')).catch((error: Error) => cut(client, error));
  });
  pool.on('release', (_error, client) => {
    if (watch.isWorn(client)) void endWithin(client);
  });
  return pool;
}

/** A pool whose connections are taken in turn. */
class FairPool {
  readonly pool: pg.Pool;
  readonly #places: FairPlaces;

  constructor(pool: pg.Pool, rules: PlaceRules) {
    this.pool = pool;
    this.#places = new FairPlaces(rules);
  }

  usage(name: PoolUse['pool']): PoolUse {
    return usageOf(name, this.pool, this.#places.waiting);
  }

  async acquire(urgent: boolean): Promise<pg.PoolClient> {
    const turn = presentTurn();
    const leave = this.#places.takeFree(turn, urgent) ?? (await this.#places.take(turn, urgent));
    try {
      const client = await acquire(this.pool);
      const { release } = client;
      // The pool sets it anew whenever it gives the connection out.
      client.release = (broken) => {
        release(broken);
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
}

/** @param waiting those who do not ask the pool yet */
function usageOf(pool: PoolUse['pool'], of: pg.Pool, waiting: number): PoolUse {
  const { totalCount: open, idleCount, waitingCount, options } = of;
  return { pool, max: options.max ?? 0, open, used: open - idleCount, waiting: waiting + waitingCount };
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
  return client.query<Row>(statementOf(client, text, values)).catch((error: unknown) => {
    throw failureOf(client, error);
  });
}

/** A statement as pg takes it: prepared by name where it has values and comes often. */
export function statementOf(client: pg.ClientBase, text: string, values: readonly unknown[]): pg.QueryConfig {
  const name = values.length > 0 ? namesOf.get(client)?.of(text) : undefined;
  const parameters = values.map(parameterOf);
  return name === undefined ? { text, values: parameters } : { name, text, values: parameters };
}

/** What a statement is to fail with that failed with an error of pg. */
export function failureOf(client: pg.ClientBase, error: unknown): unknown {
  // The server is a primary no more: the next connection may lead to the one that is.
  if ((error as { code?: unknown }).code === readOnlyTransaction) watchOf.get(client)?.renew(client);
  // The server ends the session first and closes the socket a moment later.
  if (troubleOf(error) === 'away') watchOf.get(client)?.retire(client);
  const isLost = !(error instanceof pg.DatabaseError) && isBroken(client);
  return isLost ? new DatabaseLostError(error) : error;
}

/** Runs a statement that is ended after a time: in a transaction of its own, for a limit that ends with it. */
async function queryWithin(ms: number, client: pg.ClientBase, text: string, values: readonly unknown[]) {
  const limit = `SET LOCAL statement_timeout = ${ms}`;
  // By itself: Citus sends the text that sets something on to its nodes.
  if (transactionBegin.test(text)) return (await Promise.all([query(client, text), query(client, limit)]))[0];
  if (isInTransaction(client)) return query(client, text, values);
  const statements = [
    query(client, 'BEGIN'),
    query(client, limit),
    query(client, text, values),
    query(client, 'COMMIT'),
  ] as const;
  const ends = await Promise.allSettled(statements);
  for (const each of ends) if (each.status === 'rejected') throw each.reason;
  return statements[2];
}

/** pg escapes every element of an array as text; numbers need none of that. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) && value.every((element) => element === null || typeof element === 'number')
    ? `{${value.map((element) => element ?? 'NULL').join()}}`
    : value;
}
