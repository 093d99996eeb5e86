import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { waitAtMost } from '../concurrency/until-aborted.ts';
import { DatabaseClient, type DatabaseTarget } from './client.ts';

interface PgClientInternals {
  readonly readyForQuery: boolean;
  readonly processID: number;
  /** False after an error outside any statement, for example when the server shuts down. */
  readonly _queryable: boolean;
  readonly connection: { readonly stream: Socket };
  /** `T` or `E` inside a transaction, as of the last answer. */
  getTransactionStatus(): string | null;
}

const internalsOf = (client: pg.ClientBase) => client as unknown as PgClientInternals;

/** Returns true when the connection is gone and each further statement fails. */
export function isBroken(client: pg.ClientBase): boolean {
  const { _queryable: takesStatements, connection } = internalsOf(client);
  return !takesStatements || connection.stream.destroyed;
}

/** Destroys the socket; running and later statements fail with the reason. */
export const destroyConnection = (client: pg.ClientBase, reason: Error) =>
  internalsOf(client).connection.stream.destroy(reason);

export const isInTransaction = (client: pg.ClientBase) =>
  ['T', 'E'].includes(internalsOf(client).getTransactionStatus() ?? '');

const endTimeoutMs = 1_000;

/** Ends a connection, and cuts it after a second without an answer. */
export async function endWithTimeout(client: pg.ClientBase & { end(): Promise<void> }): Promise<void> {
  await waitAtMost(endTimeoutMs, client.end()).catch(() => {});
  internalsOf(client).connection.stream.destroy();
}

/** After this many rounds without an answer to a statement, the watch asks the server. */
const silentRoundsMax = 3;
/** The server must report a session as idle this many times in a row, because an answer may be on its way. */
const idleReportsNeeded = 2;
/** If the server cannot report its work, a connection may be silent for this many rounds. */
const unknownRoundsMax = 60;
const askTimeoutMs = 4_000;
const renewEveryMs = 1_000;

/** The process ids of busy sessions. `cannot tell`: the server does not reveal them. */
type BusySessions = ReadonlySet<number> | 'cannot tell' | 'unreachable';

interface WatchedConnection {
  bytesReceived: number;
  silentRounds: number;
  idleReports: number;
}

/**
 * Detects broken connections that report no error; TCP would need many minutes. When a statement gets no answer for a
 * few rounds, the watch asks the server over another connection. If the server does not work on the statement, the
 * watch cuts this and all idle connections. It also ends the session, which releases its locks.
 */
export class ConnectionWatch {
  readonly #target: DatabaseTarget;
  readonly #everyMs: number;
  readonly #open = new Map<pg.ClientBase, WatchedConnection>();
  readonly #retired = new WeakSet<pg.ClientBase>();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;

  constructor(target: DatabaseTarget, everyMs: number) {
    this.#target = target;
    this.#everyMs = everyMs;
  }

  add(client: pg.ClientBase): void {
    this.#open.set(client, { bytesReceived: 0, silentRounds: 0, idleReports: 0 });
    client.once('end', () => {
      this.#open.delete(client);
      if (this.#open.size === 0) this.#stopTimer();
    });
    this.#timer ??= setInterval(() => this.#findSuspects(), this.#everyMs).unref();
  }

  /** Replaces all connections at most once a second, else only this one, so as not to flood a read-only database. */
  renew(client: pg.ClientBase): void {
    this.retire(client);
    if (performance.now() - this.#renewedAt < renewEveryMs) return;
    this.#renewedAt = performance.now();
    for (const other of this.#open.keys()) {
      if (other === client) continue;
      if (isIdle(other)) destroyConnection(other, new Error('The server is read-only'));
      else this.#retired.add(other);
    }
  }

  retire(client: pg.ClientBase): void {
    this.#retired.add(client);
  }

  isRetired(client: pg.ClientBase): boolean {
    return this.#retired.has(client);
  }

  async waitUntilAllEnded(): Promise<void> {
    const deadline = performance.now() + endTimeoutMs;
    while (this.#open.size > 0 && performance.now() < deadline) await pause(5);
    for (const client of this.#open.keys()) destroyConnection(client, new Error('The pool was closed'));
    this.#stopTimer();
  }

  #stopTimer(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #findSuspects(): void {
    const suspects: pg.ClientBase[] = [];
    for (const [client, watched] of this.#open) {
      const { readyForQuery, connection } = internalsOf(client);
      if (readyForQuery || connection.stream.bytesRead !== watched.bytesReceived) {
        watched.bytesReceived = connection.stream.bytesRead;
        watched.silentRounds = 0;
        watched.idleReports = 0;
      } else if (++watched.silentRounds >= silentRoundsMax) {
        suspects.push(client);
      }
    }
    if (suspects.length === 0 || this.#isChecking) return;
    this.#isChecking = true;
    void this.#checkSuspects(suspects).finally(() => {
      this.#isChecking = false;
    });
  }

  async #checkSuspects(suspects: readonly pg.ClientBase[]): Promise<void> {
    const server = new DatabaseClient({
      ...this.#target,
      application_name: 'classledger watch',
      connectionTimeoutMillis: askTimeoutMs,
      query_timeout: askTimeoutMs,
    });
    try {
      const busy = await findBusySessions(server, suspects.map(pidOf));
      // Lets this process, which may have been busy, read the data that has arrived.
      await nextTurn();
      const silent = suspects.filter((client) => this.#isSilent(client, busy));
      if (silent.length === 0) return;
      const toClose = [...silent, ...[...this.#open.keys()].filter(isIdle)];
      const pids = toClose.map(pidOf);
      for (const client of toClose)
        destroyConnection(client, new Error('The connection to the database fell silent'));
      if (typeof busy !== 'string') await endSessions(server, pids);
    } catch {
      // Ignored, because the server's own timeouts end the sessions.
    } finally {
      void endWithTimeout(server);
    }
  }

  #isSilent(client: pg.ClientBase, busy: BusySessions): boolean {
    const watched = this.#open.get(client);
    const { readyForQuery, connection } = internalsOf(client);
    if (!watched || readyForQuery || connection.stream.bytesRead !== watched.bytesReceived) return false;
    if (busy === 'unreachable') return true;
    if (busy === 'cannot tell') return watched.silentRounds >= unknownRoundsMax;
    watched.idleReports = busy.has(pidOf(client)) ? 0 : watched.idleReports + 1;
    return watched.idleReports >= idleReportsNeeded;
  }
}

const pidOf = (client: pg.ClientBase) => internalsOf(client).processID;

function isIdle(client: pg.ClientBase): boolean {
  const insides = internalsOf(client);
  return insides.readyForQuery && insides.getTransactionStatus() === 'I';
}

/** SQLSTATE of a server that is up, but has no free connection or rejected the login. */
const refused = /^(28|53)/;

async function findBusySessions(server: pg.Client, pids: readonly number[]): Promise<BusySessions> {
  const startedAt = performance.now();
  try {
    await server.connect();
    const { rows } = await server.query<{ pid: number; state: string }>(
      'SELECT pid, state FROM pg_stat_activity WHERE pid = ANY($1) OR pid = pg_backend_pid()',
      [[...pids]],
    );
    const self = rows.find((row) => row.pid === pidOf(server));
    // Cannot tell if a pooler invents process ids, or `track_activities` is off.
    if (self?.state !== 'active') return 'cannot tell';
    return new Set(rows.filter((row) => !row.state.startsWith('idle')).map((row) => row.pid));
  } catch (error) {
    // This process must have been suspended, so the elapsed time proves nothing.
    if (performance.now() - startedAt > 1.5 * askTimeoutMs) return 'cannot tell';
    return refused.test((error as { code?: string }).code ?? '') ? 'cannot tell' : 'unreachable';
  }
}

/** Ends idle sessions of cut connections, which releases their row locks. */
async function endSessions(server: pg.Client, pids: readonly number[]): Promise<void> {
  await server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid = ANY($1) AND state LIKE 'idle%' AND datname = current_database() AND usename = current_user`,
    [[...pids]],
  );
}
