import type { Socket } from 'node:net';
import pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { DatabaseClient } from '../client.ts';
import { type ConnectionWatch, isBroken } from '../connection-watch.ts';
import { FairPlaces, type PlaceRules } from '../fair-places.ts';
import type { StatementNames } from '../statement-names.ts';
import { DatabaseLostError, troubleOf } from '../trouble.ts';
import { presentTurn } from '../turns.ts';
import { type Field, JsonRows } from './json-rows.ts';
import { Outbox } from './outbox.ts';
import { type Ends, type JsonPage, PageQuery } from './page-query.ts';

/** Statements in flight per connection. */
const depth = 8;

const placesOn = (connections: number): PlaceRules => ({
  count: connections * depth,
  reserved: 0,
  // One school leaves places to the others.
  perSchoolMax: (connections * depth) / 2,
  waitingPerSchoolMax: 1_000,
  waitMs: 10_000,
});

/** Parts of pg's client that its types do not declare. */
interface Insides {
  readonly connection: {
    attachListeners(stream: Socket): void;
    emit(event: string, message: object): void;
  };
  _getActiveQuery(): object | null;
}

interface Packets {
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): object;
}

const dataRow = 68;
/** Replaces the message of a row that was taken; it is not emitted. */
const taken = { name: 'rowTaken' };

const endsOf = new WeakMap<pg.ClientBase, Ends>();

/** Passes the rows of a `PageQuery` on as bytes. Other queries work as in pg. */
export class PageClient extends DatabaseClient {
  constructor(config: pg.ClientConfig) {
    super(config);
    const client = this as unknown as Insides;
    const { connection } = client;
    // pg calls this once: with the plain stream, or with the encrypted one.
    connection.attachListeners = (stream) => {
      const rows = new JsonRows();
      endsOf.set(this, { outbox: new Outbox(stream), rows });
      const parser = new Parser();
      const packets = parser as unknown as Packets;
      const { handlePacket } = packets;
      packets.handlePacket = (offset, code, length, bytes) => {
        if (code === dataRow) {
          const query = client._getActiveQuery();
          if (query instanceof PageQuery) {
            query.takeRow(bytes, offset, length);
            return taken;
          }
        }
        return handlePacket.call(parser, offset, code, length, bytes);
      };
      const tell = (message: { readonly name: string }) => {
        if (message !== taken)
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      };
      stream.on('data', (bytes: Buffer) => parser.parse(bytes, tell));
    };
  }
}

interface Shared {
  readonly client: pg.PoolClient;
  underWay: number;
}

/**
 * Runs reads of concurrent requests on a few shared connections. Sends a statement without waiting for earlier answers;
 * all statements of one event loop turn leave together. A slow statement delays those after it.
 */
export class SharedReads {
  readonly #pool: pg.Pool;
  readonly #names: StatementNames | null;
  readonly #watch: ConnectionWatch;
  readonly #connectionsMax: number;
  readonly #places: FairPlaces;
  readonly #open: Shared[] = [];
  #opening: Promise<unknown> | null = null;
  #isClosed = false;

  /** @param names null when statements must not be prepared */
  constructor(pool: pg.Pool, names: StatementNames | null, watch: ConnectionWatch, connectionsMax: number) {
    this.#watch = watch;
    this.#pool = pool;
    this.#names = names;
    this.#connectionsMax = connectionsMax;
    this.#places = new FairPlaces(placesOn(connectionsMax));
  }

  usage(): { max: number; open: number; used: number; waiting: number } {
    const used = this.#open.filter(({ underWay }) => underWay > 0).length;
    return { max: this.#connectionsMax, open: this.#open.length, used, waiting: this.#places.waiting };
  }

  /**
   * Reads a page with a statement that selects the fields in their order, then the number of all entries.
   * @throws DatabaseError of pg, DatabaseLostError, DatabaseBusyError
   */
  async page<T>(
    text: string,
    values: readonly (string | null)[],
    fields: readonly Field[],
  ): Promise<JsonPage<T>> {
    const turn = presentTurn();
    const leave = this.#places.takeFree(turn, false) ?? (await this.#places.take(turn, false));
    try {
      const shared = this.#leastBusy() ?? (await this.#another());
      return (await this.#send(shared, text, values, fields)) as JsonPage<T>;
    } finally {
      leave();
    }
  }

  /** Releases the connections; running statements still get their answers. */
  end(): void {
    this.#isClosed = true;
    for (const { client } of this.#open.splice(0)) client.release();
  }

  #send(
    shared: Shared,
    text: string,
    values: readonly (string | null)[],
    fields: readonly Field[],
  ): Promise<JsonPage> {
    const { client } = shared;
    shared.underWay++;
    return new Promise((resolve, reject) => {
      const statement = { text, name: this.#names?.of(text), values };
      const done = (page: JsonPage) => {
        this.#ended(shared);
        resolve(page);
      };
      const failed = (error: Error) => {
        this.#ended(shared);
        if (troubleOf(error) === 'away') this.#drop(shared);
        const isLost = !(error instanceof pg.DatabaseError) && isBroken(client);
        reject(isLost ? new DatabaseLostError(error) : error);
      };
      const query = new PageQuery(statement, fields, endsOf.get(client) as Ends, done, failed);
      client.query(query as never);
    });
  }

  #ended(shared: Shared): void {
    shared.underWay--;
    if (shared.underWay === 0 && this.#watch.isWorn(shared.client)) this.#drop(shared);
  }

  /** Returns null when all usable connections have `atWorst` statements and another connection may be opened. */
  #leastBusy(atWorst = depth): Shared | null {
    let best: Shared | null = null;
    for (const each of this.#open) {
      const isUsable = !isBroken(each.client) && !this.#watch.isWorn(each.client);
      if (isUsable && (!best || each.underWay < best.underWay)) best = each;
    }
    return best && (best.underWay < atWorst || this.#open.length >= this.#connectionsMax) ? best : null;
  }

  async #another(): Promise<Shared> {
    for (;;) {
      this.#opening ??= this.#connect().finally(() => {
        this.#opening = null;
      });
      try {
        await this.#opening;
      } catch (error) {
        const open = this.#leastBusy(Number.POSITIVE_INFINITY);
        if (open) return open;
        throw error;
      }
      const least = this.#leastBusy();
      if (least) return least;
    }
  }

  async #connect(): Promise<void> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new DatabaseLostError(error);
    });
    if (this.#isClosed) return client.release();
    const shared = { client, underWay: 0 };
    this.#open.push(shared);
    client.once('end', () => this.#drop(shared));
  }

  #drop(shared: Shared): void {
    const place = this.#open.indexOf(shared);
    if (place < 0) return;
    this.#open.splice(place, 1);
    shared.client.release(true);
  }
}
