import { setTimeout as pause } from 'node:timers/promises';
import { untilAborted } from '../concurrency/until-aborted.ts';

/** The address of a PostgreSQL server. A host that begins with a slash is the directory of a Unix socket. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const urlParts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
const hostAndPort = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d{1,5}))?$/;
const standardPort = 5432;
/** Values of libpq's `target_session_attrs` that allow writes; the others request servers that refuse them. */
const writable = ['read-write', 'primary', 'any'];

/** Parses a URL with one or, as in libpq, several servers. `url` names the first; `servers` is empty for one. */
export function parseDatabaseServers(
  text: string,
): { url: string; servers: readonly ServerAddress[] } | null {
  const [, head, authority, tail] = urlParts.exec(text) ?? [];
  if (head === undefined || authority === undefined) return null;
  const [firstPlace = '', ...otherPlaces] = authority.split(',');
  const first = `${head}${firstPlace}${tail}`;
  // Inserts a host, because pg accepts `user@/database` with the host as a parameter, but the URL parser does not.
  const parsable = first.replace('@/', '@host/');
  if (!URL.canParse(parsable)) return null;
  const url = new URL(parsable);
  const wanted = url.searchParams.get('target_session_attrs');
  if (wanted !== null && !writable.includes(wanted)) return null;

  const hosts = url.searchParams.get('host')?.split(',') ?? [];
  if (hosts.length > 1) {
    const ports = url.searchParams.get('port')?.split(',') ?? [String(standardPort)];
    if (ports.length !== 1 && ports.length !== hosts.length) return null;
    const servers = hosts.map((host, index) => ({ host, port: Number(ports[index] ?? ports[0]) }));
    url.searchParams.delete('host');
    url.searchParams.delete('port');
    return servers.every(isServer) ? { url: url.href, servers } : null;
  }
  if (otherPlaces.length === 0) return { url: first, servers: [] };
  const servers = [firstPlace, ...otherPlaces].map((place) => {
    const [, host = '', port = standardPort] = hostAndPort.exec(place) ?? [];
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  });
  return servers.every(isServer) ? { url: first, servers } : null;
}

const isServer = ({ host, port }: ServerAddress) => host !== '' && port > 0 && port < 65_536;

/** Shorter than the connection timeout, to leave time for connecting to the primary. */
const searchMs = 4_000;
const retryMs = 200;

/** Finds the server that takes writes. If none is known, searches for a few seconds, because a promotion takes time. */
export class PrimaryFinder {
  readonly #servers: readonly ServerAddress[];
  readonly #takesWrites: (server: ServerAddress) => Promise<boolean>;
  readonly #searchMs: number;
  #known: ServerAddress | null = null;
  #search: Promise<ServerAddress> | null = null;

  /** @param takesWrites rejects when the server cannot be reached */
  constructor(
    servers: readonly ServerAddress[],
    takesWrites: (server: ServerAddress) => Promise<boolean>,
    forMs = searchMs,
  ) {
    this.#servers = servers;
    this.#searchMs = forMs;
    this.#takesWrites = takesWrites;
  }

  /** Returns the server that took writes at the last search. @throws Error when none does */
  async find(): Promise<ServerAddress> {
    if (this.#known) return this.#known;
    this.#search ??= this.#searchPrimary().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** Forgets the primary if it is this server, so that the next `find` searches again. */
  forget(server: ServerAddress): void {
    if (this.#known === server) this.#known = null;
  }

  async #searchPrimary(): Promise<ServerAddress> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), this.#searchMs);
    const reasons = new Map<ServerAddress, string>();
    const answers = this.#servers.map(async (server) => {
      while (!over.signal.aborted) {
        try {
          if (await untilAborted(over.signal, this.#takesWrites(server))) return server;
          reasons.set(server, 'is read-only');
        } catch (error) {
          if (!over.signal.aborted) reasons.set(server, (error as Error).message);
        }
        await pause(retryMs, undefined, { signal: over.signal }).catch(() => {});
      }
      throw new Error(`${server.host}:${server.port} ${reasons.get(server) || 'does not answer'}`);
    });
    try {
      this.#known = await Promise.any(answers);
      return this.#known;
    } catch (error) {
      const each = (error as AggregateError).errors.map((one: Error) => one.message);
      throw new Error(`no server takes writes (${each.join('; ')})`);
    } finally {
      clearTimeout(timer);
      over.abort();
    }
  }
}
