import { enablePages, type Field, type JsonPage, queryPage } from '@classledger/json-pages';
import pg from 'pg';
import { FairQueue } from '../../concurrency/fair-queue.ts';
import { currentCaller, queueOriginOf } from '../caller.ts';
import { DatabaseClient } from '../client.ts';
import { type ConnectionWatch, isBroken } from '../connection-watch.ts';
import { poolQueueLimits } from '../pool-sizes.ts';
import type { StatementNames } from '../statement-names.ts';
import { DatabaseLostError, transientErrorKind } from '../transient-errors.ts';

const statementsPerConnection = 8;

/** A connection that can read JSON pages besides running ordinary queries. */
export class PageClient extends DatabaseClient {
  constructor(config: pg.ClientConfig) {
    super(config);
    enablePages(this);
  }
}

interface SharedConnection {
  readonly client: pg.PoolClient;
  activeStatements: number;
}

/** Runs concurrent reads on a few connections without waiting for earlier answers. A slow read delays later ones. */
export class SharedReads {
  readonly #pool: pg.Pool;
  readonly #names: StatementNames | null;
  readonly #watch: ConnectionWatch;
  readonly #connectionsMax: number;
  readonly #queue: FairQueue;
  readonly #open: SharedConnection[] = [];
  #opening: Promise<unknown> | null = null;
  #isClosed = false;

  /** @param names null when statements must not be prepared */
  constructor(pool: pg.Pool, names: StatementNames | null, watch: ConnectionWatch, connectionsMax: number) {
    this.#watch = watch;
    this.#pool = pool;
    this.#names = names;
    this.#connectionsMax = connectionsMax;
    const statementsMax = connectionsMax * statementsPerConnection;
    // Leaves half of the places to other schools.
    this.#queue = new FairQueue({
      concurrency: statementsMax,
      perKey: statementsMax / 2,
      ...poolQueueLimits,
    });
  }

  usage(): { max: number; open: number; used: number; waiting: number } {
    const used = this.#open.filter(({ activeStatements }) => activeStatements > 0).length;
    return { max: this.#connectionsMax, open: this.#open.length, used, waiting: this.#queue.waiting };
  }

  /** The statement selects the fields, then the count. @throws DatabaseError, DatabaseLostError, DatabaseBusyError */
  async readPage<T>(
    text: string,
    values: readonly (string | null)[],
    fields: readonly Field[],
  ): Promise<JsonPage<T>> {
    return this.#queue.run(queueOriginOf(currentCaller()), async () => {
      const shared = this.#leastBusy() ?? (await this.#openAnother());
      const { client } = shared;
      shared.activeStatements++;
      try {
        return await queryPage<T>(client, { text, name: this.#names?.nameOf(text), values }, fields);
      } catch (error) {
        if (transientErrorKind(error) === 'unreachable') this.#drop(shared);
        throw !(error instanceof pg.DatabaseError) && isBroken(client) ? new DatabaseLostError(error) : error;
      } finally {
        shared.activeStatements--;
        if (shared.activeStatements === 0 && this.#watch.isRetired(client)) this.#drop(shared);
      }
    });
  }

  /** Releases the connections; running statements still get their answers. */
  end(): void {
    this.#isClosed = true;
    for (const { client } of this.#open.splice(0)) client.release();
  }

  /** Returns null when all usable connections have `maxStatements` and another connection may be opened. */
  #leastBusy(maxStatements = statementsPerConnection): SharedConnection | null {
    let best: SharedConnection | null = null;
    for (const each of this.#open) {
      const isUsable = !isBroken(each.client) && !this.#watch.isRetired(each.client);
      if (isUsable && (!best || each.activeStatements < best.activeStatements)) best = each;
    }
    return best && (best.activeStatements < maxStatements || this.#open.length >= this.#connectionsMax)
      ? best
      : null;
  }

  async #openAnother(): Promise<SharedConnection> {
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
    const shared = { client, activeStatements: 0 };
    this.#open.push(shared);
    client.once('end', () => this.#drop(shared));
  }

  #drop(shared: SharedConnection): void {
    const index = this.#open.indexOf(shared);
    if (index < 0) return;
    this.#open.splice(index, 1);
    shared.client.release(true);
  }
}
