import pg from 'pg';
import { untilAborted } from '../until-aborted.ts';
import { Primary, readServers, type Server } from './servers.ts';

/** How a database is reached: what pg takes, and which of its servers is the primary where there are several. */
export interface DatabaseTarget extends pg.PoolConfig {
  readonly primary?: Primary;
}

/**
 * What every session keeps to, because values come back as text. They stand in the first message of a connection, so
 * they cost no round trip and cannot be skipped; and poolers keep to them for each of their clients.
 */
const startParameters = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', client_encoding: 'UTF8' };

const askWithinMs = 2_000;
/** How long a new connection may take, with the search for its server. */
const connectWithinMs = 5_000;

/** The way to a database that a URL names, which `readServers` has taken. */
export function targetOf(text: string): DatabaseTarget {
  const { url, servers } = readServers(text) ?? { url: text, servers: [] };
  const target = { connectionString: url };
  return servers.length < 2 ? target : { ...target, primary: new Primary(servers, takesWrites) };

  async function takesWrites(server: Server): Promise<boolean> {
    const client = new At(server, {
      ...target,
      application_name: 'classledger search',
      connectionTimeoutMillis: askWithinMs,
      query_timeout: askWithinMs,
    });
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

interface Startup {
  /** What the first message says; pg does not declare it. */
  getStartupConf(): Record<string, string>;
}

/** A connection with what every session keeps to. */
class PlainClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    // A connection that breaks tells so twice: what is under way fails, which is enough, and this event. Without a
    // listener it would end the process, also before the one who opened it can add one.
    this.on('error', () => {});
  }

  protected getStartupConf(): Record<string, string> {
    const base = pg.Client.prototype as unknown as Startup;
    return { ...base.getStartupConf.call(this), ...startParameters };
  }
}

/** A connection to one of several servers. */
class At extends PlainClient {
  constructor(server: Server, config: pg.ClientConfig) {
    super(config);
    Object.assign(this, server);
  }
}

/** A connection to a database; where the target names several servers, to the one that takes writes. */
export class DatabaseClient extends PlainClient {
  readonly #primary: Primary | undefined;
  readonly #withinMs: number;

  constructor(config: pg.ClientConfig & Pick<DatabaseTarget, 'primary'>) {
    super(config);
    this.#primary = config.primary;
    this.#withinMs = config.connectionTimeoutMillis || connectWithinMs;
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

  async #connectTo(primary: Primary): Promise<pg.Client> {
    const giveUpAt = performance.now() + this.#withinMs;
    const late = AbortSignal.timeout(this.#withinMs);
    const server = await untilAborted(late, primary.find());
    // pg begins to measure only now.
    const _connectionTimeoutMillis = Math.max(1, giveUpAt - performance.now());
    Object.assign(this, server, { _connectionTimeoutMillis });
    let isStandby = false;
    // The server says so by itself at the start of a connection.
    this.connection.on(
      'parameterStatus' as never,
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby') isStandby = status.parameterValue === 'on';
      },
    );
    this.once('error', () => primary.doubt(server));
    try {
      await super.connect();
      if (isStandby) throw new Error(`${server.host}:${server.port} is a standby server now`);
      return this;
    } catch (error) {
      primary.doubt(server);
      this.end().catch(() => {});
      throw error;
    }
  }
}
