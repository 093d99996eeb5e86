import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Monotonic } from '../clock.ts';
import { DatabaseClient, type DatabaseTarget } from '../database/client.ts';
import { acquire, query } from '../database/connect.ts';
import { endWithin } from '../database/connection-watch.ts';
import { accessChannel } from '../database/notices.ts';
import { type AccessChange, accessChangeOf } from './access-changes.ts';

const beatMs = 300;
/** A returned heartbeat keeps the cache valid for this long, which limits how stale it can be. */
const trustMs = 1_000;
/**
 * A change is answered after all siblings have confirmed it, or after this time. A sibling that stays silent this long
 * has also missed its heartbeats and no longer trusts its cache.
 */
export const toldWithinMs = trustMs + 100;
/** Heartbeats stop after this many unused ones, until somebody calls `isTrusted`. */
const beatsUnaskedMax = 30;
/** After this many missed heartbeats the listener reconnects. */
const beatsMissedMax = 7;
const reconnectMs = 1_000;
const answerWithinMs = 2_000;

const deaf =
  'Notifications of the database do not arrive, so that every call asks it about its credential. Where a pooler stands in between, let DATABASE_LISTEN_URL lead past it';

export interface AccessChangeListenerOptions {
  /** Leads to the database without a pooler. */
  readonly target: DatabaseTarget;
  /** Sends heartbeats the way all changes are sent, so that a returned one proves that changes arrive. */
  readonly sender: pg.Pool;
  readonly monotonic: Monotonic;
  /** Receives each change, and null when changes may have been missed. */
  readonly tell: (change: AccessChange | null) => void;
  readonly warn: (what: string) => void;
  readonly alsoHear: { readonly channel: string; readonly tell: (notice: string) => void };
}

/**
 * Receives access changes from every process and detects a broken subscription. A connection can die silently, and a
 * pooler can swallow notifications. So the listener sends itself heartbeats through the database, the way every change
 * is sent. Notifications arrive in commit order: a heartbeat proves that all changes before it have arrived. It is
 * valid for one second from when it was sent. Without a valid heartbeat, all cached data is dropped.
 */
export class AccessChangeListener {
  readonly #options: AccessChangeListenerOptions;
  /** Its own channel: other processes and versions ignore these heartbeats. */
  readonly #beats = `classledger_beat_${randomBytes(8).toString('hex')}`;
  #client: pg.Client | null = null;
  #listening = false;
  #reconnecting: NodeJS.Timeout | null = null;
  #beating: NodeJS.Timeout | null = null;
  #sending = false;
  #unasked = 0;
  #missed = 0;
  #heardUntil = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: AccessChangeListenerOptions) {
    this.#options = options;
  }

  /** Returns whether every change older than a second has arrived. */
  isTrusted(): boolean {
    this.#unasked = 0;
    if (this.#beating === null) this.#beat();
    return this.#isFresh();
  }

  /** Connects, and reconnects in the background after a failure or a lost connection. */
  async start(): Promise<void> {
    const client = new DatabaseClient({
      ...this.#options.target,
      application_name: 'classledger listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    } as pg.ClientConfig);
    this.#client = client;
    const lost = () => this.#lose(client);
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload = '' }) => {
      if (this.#client !== client) return;
      const { alsoHear } = this.#options;
      if (channel === this.#beats) this.#hear(Number(payload));
      else if (channel === alsoHear.channel) alsoHear.tell(payload);
      else this.#options.tell(accessChangeOf(payload));
    });
    try {
      await client.connect();
      await answered(
        client,
        `LISTEN ${accessChannel}; LISTEN ${this.#beats}; LISTEN ${this.#options.alsoHear.channel}`,
      );
      if (this.#client !== client) return;
      this.#listening = true;
      this.isTrusted();
    } catch {
      lost();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const timer of [this.#reconnecting, this.#beating]) if (timer) clearTimeout(timer);
    const client = this.#client;
    this.#client = null;
    if (client) await endWithin(client);
  }

  /** Checks for a valid heartbeat. Reports once that changes may have been missed when there is none. */
  #isFresh(): boolean {
    if (this.#options.monotonic() - this.#heardUntil < trustMs) return true;
    if (this.#heardUntil !== Number.NEGATIVE_INFINITY) {
      this.#heardUntil = Number.NEGATIVE_INFINITY;
      this.#options.tell(null);
    }
    return false;
  }

  #hear(sentAt: number): void {
    this.#missed = 0;
    this.#isFresh();
    this.#heardUntil = Math.max(this.#heardUntil, sentAt);
  }

  #beat(): void {
    this.#beating = null;
    if (this.#closed || this.#unasked++ >= beatsUnaskedMax) return;
    this.#beating = setTimeout(() => this.#beat(), beatMs).unref();
    const client = this.#client;
    if (!this.#listening || this.#sending) return;
    this.#sending = true;
    this.#send(String(this.#options.monotonic()))
      .then(() => {
        if (client === null || this.#client !== client || ++this.#missed <= beatsMissedMax) return;
        this.#options.warn(deaf);
        this.#lose(client);
      })
      // Database errors reach the caller that runs the query.
      .catch(() => {})
      .finally(() => {
        this.#sending = false;
      });
  }

  async #send(beat: string): Promise<void> {
    const client = await acquire(this.#options.sender);
    let broken: Error | undefined;
    try {
      await query(client, 'SELECT pg_notify($1, $2)', [this.#beats, beat]);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#listening = false;
    this.#missed = 0;
    this.#heardUntil = Number.NEGATIVE_INFINITY;
    this.#options.tell(null);
    // With a statement under way, this drops the connection without a farewell.
    client.end().catch(() => {});
    if (!this.#closed) this.#reconnecting = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}

/** Runs a statement. @throws Error when the answer takes too long */
async function answered(client: pg.Client, statement: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), answerWithinMs).unref();
  });
  try {
    await Promise.race([client.query(statement), late]);
  } finally {
    clearTimeout(timer);
  }
}
