import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { FairQueue, type FairQueueRules } from '../concurrency/fair-queue.ts';
import { currentCaller, queueOriginOf } from './caller.ts';
import { DatabaseClient, type DatabaseTarget } from './client.ts';
import {
  ConnectionWatch,
  destroyConnection,
  endWithTimeout,
  isBroken,
  isInTransaction,
} from './connection-watch.ts';
import { poolSizes } from './pool-sizes.ts';
import { registerSharedReads } from './shared-reads/json-list.ts';
import { PageClient, SharedReads } from './shared-reads/shared-reads.ts';
import { StatementNames } from './statement-names.ts';
import type { Tables } from './tables.ts';
import { DatabaseLostError, transientErrorKind } from './transient-errors.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
export type Queryable = Database | Transaction;

export interface PoolUsage {
  readonly pool: 'main' | 'shared' | 'slow' | 'behind';
  readonly max: number;
  readonly open: number;
  readonly used: number;
  readonly waiting: number;
}

export interface DatabaseConnection {
  readonly db: Database;
  /** The pool behind `db`, without its fair queue. */
  readonly pool: pg.Pool;
  /** For writes that run after the response, because requests may hold every connection of `pool` for a long time. */
  readonly background: pg.Pool;
  /** For heartbeats only (`AccessChangeListener`), so that no other work delays them. */
  readonly heartbeats: pg.Pool;
  /** Returns a connection that the caller releases. Urgent by default. @throws DatabaseLostError, DatabaseBusyError */
  acquire(urgent?: boolean): Promise<pg.PoolClient>;
  /** How many writes can wait for a row lock at the same time; each occupies a connection. */
  readonly blockedWritesMax: number;
  usage(): PoolUsage[];
  /** Ends all connections. Cuts those that do not answer within about a second. */
  end(): Promise<void>;
}

const slowReadMs = 15_000;

const connectTimeoutMs = 5_000;
const watchEveryMs = 1_000;

/** Limits how long locks remain after a failure. Statements have no limit, because migrations take long. */
const sessionSettings = {
  idle_in_transaction_session_timeout: '60s',
  tcp_keepalives_idle: '15',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
};

/** `session`: each connection keeps one session. `transaction`: a pooler picks a free session per transaction. */
export type Pooling = 'session' | 'transaction';

const readOnlyTransaction = '25006';
const transactionBegin = /^(begin|start transaction)/i;

/** Turns `2026-09-01 08:00:00.12+00` (PostgreSQL in UTC) into `2026-09-01T08:00:00.120Z`. */
function parseTimestamp(text: string): string {
  const fraction = text[19] === '.' ? text.slice(20, text.length - 3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      // A Number is exact, because ids, counts and sums stay far below 2^53.
      if (oid === pg.types.builtins.INT8) return Number;
      if (oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
      if (oid === pg.types.builtins.DATE) return (text: string) => text;
    }
    return pg.types.getTypeParser(oid as never, format as never);
  },
} as pg.CustomTypesConfig;

/** Returns the options of a connection. The target may replace all but the parsers. */
export const connectionOptions = (target: DatabaseTarget) => ({
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 15_000,
  application_name: 'classledger',
  ...target,
  types: typeParsers,
});

/** Returns pools of connections; the first query connects. `processCount` processes share the number of connections. */
export function connectDatabase(
  target: DatabaseTarget,
  options: { watchEveryMs?: number; slowReadMs?: number; pooling?: Pooling; processCount?: number } = {},
): DatabaseConnection {
  const watch = new ConnectionWatch(target, options.watchEveryMs ?? watchEveryMs);
  // Uses no settings and prepared statements if a pooler may switch to another session after a transaction.
  const keepsSessions = options.pooling !== 'transaction';
  const names = keepsSessions ? new StatementNames() : null;
  const open = (count: number, Client: typeof DatabaseClient = DatabaseClient) =>
    openPool(target, Client, count, keepsSessions ? sessionSettings : {}, watch, names);
  const sizes = poolSizes(options.processCount ?? 1);
  const main = new FairPool(open(sizes.main.concurrency), sizes.main);
  const slow = new FairPool(open(sizes.slow.concurrency), sizes.slow);
  const slowMs = options.slowReadMs ?? slowReadMs;
  const { pool } = main;
  const background = open(sizes.background);
  const heartbeats = open(sizes.heartbeats);
  const shared = open(sizes.shared, PageClient);
  const reads = new SharedReads(shared, names, watch, sizes.shared);

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const isSlow = currentCaller().isSlow;
          const client = await (isSlow ? slow : main).acquire(false);
          return {
            query: (text: string, values: readonly unknown[]) =>
              isSlow ? queryWithTimeout(slowMs, client, text, values) : query(client, text, values),
            release: () => client.release(),
          } as never;
        },
        end: async () => {},
        options: pool.options,
      } as never,
    }),
  });
  registerSharedReads(reads, db);
  return {
    db,
    pool,
    background,
    heartbeats,
    blockedWritesMax: sizes.blockedWritesMax,
    acquire: (urgent = true) => main.acquire(urgent),
    usage: () => [
      main.usage('main'),
      slow.usage('slow'),
      { pool: 'shared', ...reads.usage() },
      usageOf('behind', background, 0),
    ],
    end: async () => {
      await db.destroy();
      reads.end();
      await Promise.all(
        [pool, slow.pool, shared, background, heartbeats].map((each) => each.ending || each.end()),
      );
      await watch.waitUntilAllEnded();
    },
  };
}

type SessionSettings = Readonly<Record<string, string>>;

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
  const setStatements = Object.entries(settings).map(([name, value]) => `SET ${name} = '${value}'`);
  const pool = new pg.Pool({
    Client,
    max,
    idleTimeoutMillis: 60_000,
    ...connectionOptions(target),
    // Lets pg send statements without waiting for earlier results.
    pipeline: true,
  } as pg.PoolConfig);
  // Ignores errors of idle connections, which the pool replaces. Without a listener, they would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    watch.add(client);
    watchOf.set(client, watch);
    if (names) namesOf.set(client, names);
    // Runs before the first statement of a caller. A connection that rejects the settings is destroyed.
    if (setStatements.length > 0)
      client.query(setStatements.join('; ')).catch((error: Error) => destroyConnection(client, error));
  });
  pool.on('release', (_error, client) => {
    if (watch.isRetired(client)) void endWithTimeout(client);
  });
  return pool;
}

class FairPool {
  readonly pool: pg.Pool;
  readonly #queue: FairQueue;

  constructor(pool: pg.Pool, rules: FairQueueRules) {
    this.pool = pool;
    this.#queue = new FairQueue(rules);
  }

  usage(name: PoolUsage['pool']): PoolUsage {
    return usageOf(name, this.pool, this.#queue.waiting);
  }

  async acquire(urgent: boolean): Promise<pg.PoolClient> {
    const origin = queueOriginOf(currentCaller());
    const releasePlace =
      this.#queue.tryAcquire(origin, urgent) ?? (await this.#queue.acquire(origin, urgent));
    try {
      const client = await acquire(this.pool);
      const { release } = client;
      // The pool replaces `release` at each checkout, so this wrapper applies to one checkout.
      client.release = (broken) => {
        release(broken);
        releasePlace();
      };
      return client;
    } catch (error) {
      releasePlace();
      throw error;
    }
  }
}

/** @param waiting callers in the fair queue, which have not reached the pool yet */
function usageOf(pool: PoolUsage['pool'], pgPool: pg.Pool, waiting: number): PoolUsage {
  const { totalCount: open, idleCount, waitingCount, options } = pgPool;
  return { pool, max: options.max ?? 0, open, used: open - idleCount, waiting: waiting + waitingCount };
}

export function acquire(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error: unknown) => {
    throw new DatabaseLostError(error);
  });
}

/** Releases a connection after work on it, or closes the connection if the work fails. */
export async function useConnection<T>(
  client: pg.PoolClient,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Runs one statement. @throws DatabaseError of pg; DatabaseLostError when the connection is gone */
export function query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  return client.query<Row>(toQueryConfig(client, text, values)).catch((error: unknown) => {
    throw handleQueryError(client, error);
  });
}

/** Runs one statement on a connection of the pool. @throws as `query` */
export const queryOn = async (pool: pg.Pool, text: string, values: readonly unknown[]) =>
  useConnection(await acquire(pool), (client) => query(client, text, values));

/** Returns a statement in pg's form. If it has values and runs often, pg prepares it by name. */
export function toQueryConfig(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
): pg.QueryConfig {
  const name = values.length > 0 ? namesOf.get(client)?.nameOf(text) : undefined;
  const parameters = values.map(parameterOf);
  return name === undefined ? { text, values: parameters } : { name, text, values: parameters };
}

/** Returns the error to throw for an error of pg, and retires the connection where needed. */
export function handleQueryError(client: pg.ClientBase, error: unknown): unknown {
  // The server is no longer the primary, so new connections replace the old ones and may reach the new primary.
  if ((error as { code?: unknown }).code === readOnlyTransaction) watchOf.get(client)?.renew(client);
  // Retires the connection now, because the server closes the socket only a moment after the session.
  if (transientErrorKind(error) === 'unreachable') watchOf.get(client)?.retire(client);
  const isLost = !(error instanceof pg.DatabaseError) && isBroken(client);
  return isLost ? new DatabaseLostError(error) : error;
}

/** Runs a statement with a time limit. Opens a transaction if there is none, because `SET LOCAL` needs one. */
async function queryWithTimeout(
  timeoutMs: number,
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
) {
  const limit = `SET LOCAL statement_timeout = ${timeoutMs}`;
  // Sends SET apart from BEGIN, because Citus forwards the whole text of a SET to its nodes.
  if (transactionBegin.test(text)) return (await Promise.all([query(client, text), query(client, limit)]))[0];
  if (isInTransaction(client)) return query(client, text, values);
  const statements = [
    query(client, 'BEGIN'),
    query(client, limit),
    query(client, text, values),
    query(client, 'COMMIT'),
  ] as const;
  const results = await Promise.allSettled(statements);
  for (const each of results) if (each.status === 'rejected') throw each.reason;
  return statements[2];
}

/** Writes an array of numbers without the escaping that pg applies to each element. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) && value.every((element) => element === null || typeof element === 'number')
    ? `{${value.map((element) => element ?? 'NULL').join()}}`
    : value;
}
