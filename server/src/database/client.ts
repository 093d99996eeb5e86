import pg from 'pg';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { PrimaryFinder, parseDatabaseServers, type ServerAddress } from './servers.ts';

export interface DatabaseTarget extends pg.PoolConfig {
  readonly primary?: PrimaryFinder;
}

/** The parsers rely on these settings. In the startup message they cost no round trip, and poolers apply them. */
const startParameters = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', client_encoding: 'UTF8' };

const askTimeoutMs = 2_000;
const connectTimeoutMs = 5_000;

/** Returns the connection options for a URL that `parseDatabaseServers` accepts. */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const { url, servers } = parseDatabaseServers(text) ?? { url: text, servers: [] };
  const target = { connectionString: url };
  return servers.length < 2 ? target : { ...target, primary: new PrimaryFinder(servers, takesWrites) };

  async function takesWrites(server: ServerAddress): Promise<boolean> {
    const client = new PlainClient({
      ...target,
      application_name: 'classledger search',
      connectionTimeoutMillis: askTimeoutMs,
      query_timeout: askTimeoutMs,
    });
    Object.assign(client, server);
    try {
      await client.connect();
      const { rows } = await client.query<{ writable: boolean }>(
        "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable",
      );
      return rows[0]?.writable === true;
    } finally {
      client.end().catch(() => {});
    }
  }
}

interface PgStartup {
  /** Returns the startup message; pg does not declare this method. */
  getStartupConf(): Record<string, string>;
}

class PlainClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    // Ignores the event, because pg also rejects the statements. Without a listener, it could end the process.
    this.on('error', () => {});
  }

  protected getStartupConf(): Record<string, string> {
    const base = pg.Client.prototype as unknown as PgStartup;
    return { ...base.getStartupConf.call(this), ...startParameters };
  }
}

/** Connects to the server that takes writes, if the target names several servers. */
export class DatabaseClient extends PlainClient {
  readonly #primary: PrimaryFinder | undefined;
  readonly #timeoutMs: number;

  constructor(config: pg.ClientConfig & Pick<DatabaseTarget, 'primary'>) {
    super(config);
    this.#primary = config.primary;
    this.#timeoutMs = config.connectionTimeoutMillis || connectTimeoutMs;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(
    callback?: (error: Error | null, client?: pg.Client) => void,
  ): Promise<pg.Client> | undefined {
    const connected = this.#primary ? this.#connectTo(this.#primary) : super.connect();
    if (!callback) return connected;
    connected.then(
      (client) => callback(null, client),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  async #connectTo(primary: PrimaryFinder): Promise<pg.Client> {
    const giveUpAt = performance.now() + this.#timeoutMs;
    const late = AbortSignal.timeout(this.#timeoutMs);
    const server = await untilAborted(late, primary.find());
    // pg starts its own timer in `connect`, so it gets only the time that the search has left.
    const _connectionTimeoutMillis = Math.max(1, giveUpAt - performance.now());
    Object.assign(this, server, { _connectionTimeoutMillis });
    let isStandby = false;
    this.connection.on(
      'parameterStatus' as never,
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby') isStandby = status.parameterValue === 'on';
      },
    );
    this.once('error', () => primary.forget(server));
    try {
      await super.connect();
      if (isStandby) throw new Error(`${server.host}:${server.port} is a standby server now`);
      return this;
    } catch (error) {
      primary.forget(server);
      this.end().catch(() => {});
      throw error;
    }
  }
}
