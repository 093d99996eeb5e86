import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from './client.ts';

/** What pg keeps of a connection and does not declare. */
interface Insides {
  /** False while a statement is under way. */
  readonly readyForQuery: boolean;
  readonly processID: number;
  /** False from an error on that belongs to no statement, such as the farewell of a server that stops. */
  readonly _queryable: boolean;
  readonly connection: { readonly stream: Socket };
  /** As of the last statement: `T` or `E` inside a transaction. */
  getTransactionStatus(): string | null;
}

const insidesOf = (client: pg.ClientBase) => client as unknown as Insides;

/** Whether the connection behind a client is gone: its statements fail, whatever they are. */
export function isBroken(client: pg.ClientBase): boolean {
  const { _queryable: takesStatements, connection } = insidesOf(client);
  return !takesStatements || connection.stream.destroyed;
}

/** Cuts a connection without a farewell; what it is asked, and was asked, fails with the reason. */
export const cut = (client: pg.ClientBase, reason: Error) =>
  insidesOf(client).connection.stream.destroy(reason);

/** As of the last statement that was answered. */
export const isInTransaction = (client: pg.ClientBase) =>
  ['T', 'E'].includes(insidesOf(client).getTransactionStatus() ?? '');

const farewellMs = 1_000;

/** Ends a connection, and cuts it when the farewell is not heard, as where the network has swallowed it. */
export async function endWithin(client: pg.ClientBase & { end(): Promise<void> }): Promise<void> {
  const heard = new AbortController();
  const ended = client.end().then(
    () => heard.abort(),
    () => {},
  );
  await Promise.race([ended, pause(farewellMs, undefined, { signal: heard.signal }).catch(() => {})]);
  insidesOf(client).connection.stream.destroy();
}

/** A connection that says nothing for so many rounds while a statement is under way is looked into. */
const suspiciousRounds = 3;
/** So many times in a row the server must say that it is not working for it: an answer may just be on its way. */
const verdictsNeeded = 2;
/** Where the server cannot be asked about it, a connection may be silent for so many rounds. */
const unknownRoundsMax = 60;
const askingMs = 4_000;
const renewEveryMs = 1_000;

/** What the server says about connections: whom it works for; nothing where it cannot tell; or it is not there. */
type Working = ReadonlySet<number> | 'cannot tell' | 'away';

interface Watched {
  bytesHeard: number;
  silentRounds: number;
  verdicts: number;
}

/**
 * Finds connections that have fallen silent: nothing comes any more, and no one says so. TCP does not tell for many
 * minutes, and a limit on the time of a statement would also end what takes long for a good reason. So when a
 * statement gets no answer for a few seconds, another connection asks the server whether it is working on it. If
 * not, the silent connection is cut: its statement fails, its session in the server is ended with the locks that it
 * holds, and the idle connections go too, which no one would otherwise doubt before they are used.
 */
export class ConnectionWatch {
  readonly #target: DatabaseTarget;
  readonly #everyMs: number;
  readonly #open = new Map<pg.ClientBase, Watched>();
  readonly #worn = new WeakSet<pg.ClientBase>();
  #renewedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #judging = false;

  /** @param everyMs length of a round */
  constructor(target: DatabaseTarget, everyMs: number) {
    this.#target = target;
    this.#everyMs = everyMs;
  }

  /** Watches a connection until it ends. */
  add(client: pg.ClientBase): void {
    this.#open.set(client, { bytesHeard: 0, silentRounds: 0, verdicts: 0 });
    client.once('end', () => {
      this.#open.delete(client);
      if (this.#open.size === 0) this.#rest();
    });
    this.#timer ??= setInterval(() => this.#round(), this.#everyMs).unref();
  }

  /**
   * Has all connections replaced: those at work when their work is over, the idle ones at once. More often than every second
   * only this one, so that a database that stays read-only is not flooded with connections.
   */
  renew(client: pg.ClientBase): void {
    this.retire(client);
    if (performance.now() - this.#renewedAt < renewEveryMs) return;
    this.#renewedAt = performance.now();
    for (const other of this.#open.keys()) {
      if (other === client) continue;
      if (isIdle(other)) cut(other, new Error('The server is read-only'));
      else this.#worn.add(other);
    }
  }

  /** Has a connection ended when its work is over. */
  retire(client: pg.ClientBase): void {
    this.#worn.add(client);
  }

  /** Whether a connection is to be ended when its work is over. */
  isWorn(client: pg.ClientBase): boolean {
    return this.#worn.has(client);
  }

  /** Waits a moment until all connections have ended, and cuts those that have not. */
  async allEnded(): Promise<void> {
    const deadline = performance.now() + farewellMs;
    while (this.#open.size > 0 && performance.now() < deadline) await pause(5);
    for (const client of this.#open.keys()) cut(client, new Error('The pool was closed'));
    this.#rest();
  }

  #rest(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #round(): void {
    const suspects: pg.ClientBase[] = [];
    for (const [client, watched] of this.#open) {
      const { readyForQuery, connection } = insidesOf(client);
      if (readyForQuery || connection.stream.bytesRead !== watched.bytesHeard) {
        watched.bytesHeard = connection.stream.bytesRead;
        watched.silentRounds = 0;
        watched.verdicts = 0;
      } else if (++watched.silentRounds >= suspiciousRounds) {
        suspects.push(client);
      }
    }
    if (suspects.length === 0 || this.#judging) return;
    this.#judging = true;
    void this.#judge(suspects).finally(() => {
      this.#judging = false;
    });
  }

  async #judge(suspects: readonly pg.ClientBase[]): Promise<void> {
    const server = new DatabaseClient({
      ...this.#target,
      application_name: 'classledger watch',
      connectionTimeoutMillis: askingMs,
      query_timeout: askingMs,
    });
    try {
      const working = await whomItWorksFor(server, suspects.map(pidOf));
      // What has arrived is read first, which this process may have been too busy for.
      await nextTurn();
      const silent = suspects.filter((client) => this.#isSilent(client, working));
      if (silent.length === 0) return;
      const doomed = [...silent, ...[...this.#open.keys()].filter(isIdle)];
      const pids = doomed.map(pidOf);
      for (const client of doomed) cut(client, new Error('The connection to the database fell silent'));
      if (typeof working !== 'string') await endSessions(server, pids);
    } catch {
      // The sessions in the server end by themselves after a while.
    } finally {
      void endWithin(server);
    }
  }

  #isSilent(client: pg.ClientBase, working: Working): boolean {
    const watched = this.#open.get(client);
    const { readyForQuery, connection } = insidesOf(client);
    // It may have spoken while the server was asked.
    if (!watched || readyForQuery || connection.stream.bytesRead !== watched.bytesHeard) return false;
    if (working === 'away') return true;
    if (working === 'cannot tell') return watched.silentRounds >= unknownRoundsMax;
    watched.verdicts = working.has(pidOf(client)) ? 0 : watched.verdicts + 1;
    return watched.verdicts >= verdictsNeeded;
  }
}

const pidOf = (client: pg.ClientBase) => insidesOf(client).processID;

function isIdle(client: pg.ClientBase): boolean {
  const insides = insidesOf(client);
  return insides.readyForQuery && insides.getTransactionStatus() === 'I';
}

/** No place, or not let in: the server is there, and what it works on cannot be known. */
const refused = /^(28|53)/;

async function whomItWorksFor(server: pg.Client, pids: readonly number[]): Promise<Working> {
  const began = performance.now();
  try {
    await server.connect();
    const { rows } = await server.query<{ pid: number; state: string }>(
      'SELECT pid, state FROM pg_stat_activity WHERE pid = ANY($1) OR pid = pg_backend_pid()',
      [[...pids]],
    );
    const self = rows.find((row) => row.pid === pidOf(server));
    // Behind a pooler the numbers are its own inventions; and states may be switched off.
    if (self?.state !== 'active') return 'cannot tell';
    return new Set(rows.filter((row) => !row.state.startsWith('idle')).map((row) => row.pid));
  } catch (error) {
    // The time went by while this process stood still: nothing is known.
    if (performance.now() - began > 1.5 * askingMs) return 'cannot tell';
    return refused.test((error as { code?: string }).code ?? '') ? 'cannot tell' : 'away';
  }
}

/** Ends sessions that no one hears any more, so that the rows they hold are free. */
async function endSessions(server: pg.Client, pids: readonly number[]): Promise<void> {
  await server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid = ANY($1) AND state LIKE 'idle%' AND datname = current_database() AND usename = current_user`,
    [[...pids]],
  );
}
