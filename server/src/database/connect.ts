import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ConnectionWatch, isBroken } from './connection-watch.ts';
import { FairPlaces, type PlaceRules } from './fair-places.ts';
import { StatementNames } from './statement-names.ts';
import type { Tables } from './tables.ts';
import { DatabaseLostError } from './trouble.ts';
import { presentTurn } from './turns.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Either: a rule that reads does not care whether it runs inside a transaction. */
export type Queryable = Database | Transaction;

export interface DatabaseConnection {
  readonly db: Database;
  /** The connections behind `db`, out of turn. */
  readonly pool: pg.Pool;
  /** Others for what is written behind requests, which may hold all of those above even for ever. */
  readonly behind: pg.Pool;
  /**
   * A connection for a write that goes before all reads, as that of the ledger; it must be released.
   *
   * @throws DatabaseLostError when none can be had; DatabaseBusyError when none was free in time
   */
  acquire(): Promise<pg.PoolClient>;
  /**
   * Calls back whenever something that decides about credentials has changed (see the migrations that announce it). Of
   * a transaction on `db` that happens before its commit is answered. Others are heard only while a connection is open
   * and idle.
   */
  onAccessChange(tell: () => void): void;
  /** Ends all connections, in a moment even where the network has swallowed them. */
  end(): Promise<void>;
}

const waiting = { waitingPerSchoolMax: 1_000, waitMs: 10_000 };
/** Enough to keep two cores of a database busy; more only queue inside PostgreSQL. */
const places: PlaceRules = { count: 12, reserved: 2, perSchoolMax: 8, ...waiting };
/** The share of reads that take long. One school leaves a place for the others. */
const slowPlaces: PlaceRules = { count: 3, reserved: 0, perSchoolMax: 2, ...waiting };
/** A read that takes longer is ended. */
const slowReadMs = 15_000;
/** The audit log and the counts of uses each write one batch at a time. */
const behindCount = 2;

/** How long a new connection may take. */
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

/** Triggers announce there what decides about credentials; takes effect with the commit. */
export const accessChannel = 'classledger_access';

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
 * Opens connections to a PostgreSQL server. Nothing is connected before the first query.
 *
 * Kysely does not name its statements; here every statement with parameters that comes often is prepared under
 * a name made from its text, which halves its cost for the server.
 */
export function connectDatabase(
  target: pg.PoolConfig,
  options: { watchEveryMs?: number; slowReadMs?: number } = {},
): DatabaseConnection {
  const watch = new ConnectionWatch(target, options.watchEveryMs ?? watchEveryMs);
  const names = new StatementNames();
  const open = (count: number, settings: SessionSettings) => openPool(target, count, settings, watch, names);
  const main = new FairPool(open(places.count, sessionSettings), places);
  const slowSettings = { ...sessionSettings, statement_timeout: String(options.slowReadMs ?? slowReadMs) };
  const slow = new FairPool(open(slowPlaces.count, slowSettings), slowPlaces);
  const { pool } = main;
  const accessListeners: (() => void)[] = [];
  pool.on('connect', (client) => {
    client.on('notification', () => {
      for (const tell of accessListeners) tell();
    });
    // Goes ahead of what the connection is opened for, which tells if this one does not work.
    client.query(`LISTEN ${accessChannel}`).catch(() => {});
  });
  const behind = open(behindCount, sessionSettings);

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const client = await (presentTurn().slow ? slow : main).acquire(false);
          return {
            query: (text: string, values: readonly unknown[]) => query(client, text, values),
            release: () => client.release(),
          } as never;
        },
        end: async () => {},
        options: pool.options,
      } as never,
    }),
  });
  return {
    db,
    pool,
    behind,
    acquire: () => main.acquire(true),
    onAccessChange: (tell) => accessListeners.push(tell),
    end: async () => {
      await db.destroy();
      await Promise.all([pool, slow.pool, behind].map((each) => each.ending || each.end()));
      await watch.allEnded();
    },
  };
}

type SessionSettings = Readonly<Record<string, string>>;

/** The names of the statements that a connection may have prepared. */
const namesOf = new WeakMap<pg.ClientBase, StatementNames>();

function openPool(
  target: pg.PoolConfig,
  max: number,
  settings: SessionSettings,
  watch: ConnectionWatch,
  names: StatementNames,
): pg.Pool {
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new pg.Pool({
    max,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    application_name: 'classledger',
    ...target,
    options: [target.options, ...flags].filter(Boolean).join(' '),
    types: typeParsers,
    // Statements that do not wait for one another's results may be sent together.
    pipeline: true,
  } as pg.PoolConfig);
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // One that breaks while in use tells so twice: the statements under way fail, which is enough, and this event.
    client.on('error', () => {});
    watch.add(client);
    namesOf.set(client, names);
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
  const name = values.length > 0 ? namesOf.get(client)?.of(text) : undefined;
  const parameters = values.map(parameterOf);
  return client
    .query<Row>(name === undefined ? { text, values: parameters } : { name, text, values: parameters })
    .catch((error: unknown) => {
      const lost = !(error instanceof pg.DatabaseError) && isBroken(client);
      throw lost ? new DatabaseLostError(error) : error;
    });
}

/** pg escapes every element of an array as text; numbers need none of that. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) && value.every((element) => element === null || typeof element === 'number')
    ? `{${value.map((element) => element ?? 'NULL').join()}}`
    : value;
}
