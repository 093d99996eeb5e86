import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Monotonic } from '../clock.ts';
import { DatabaseClient, type DatabaseTarget } from '../database/client.ts';
import { acquire, query } from '../database/connect.ts';
import { endWithin } from '../database/connection-watch.ts';
import { accessChannel } from '../database/notices.ts';
import { type AccessChange, accessChangeOf } from './access-changes.ts';

const beatMs = 300;
/** How long a beat that came back is good for: so late may this process know what others have changed. */
const trustMs = 1_000;
/**
 * Siblings are told of a change before its end is answered. One that does not answer for so long has heard no beat either,
 * so that it trusts its memory no more.
 */
export const toldWithinMs = trustMs + 100;
/** Nobody has asked for so many beats: they stop until somebody does. */
const beatsUnaskedMax = 30;
/** So many beats were sent and have not come back: another connection may hear more. */
const beatsMissedMax = 7;
const reconnectMs = 1_000;
const answerWithinMs = 2_000;

const deaf =
  'Notifications of the database do not arrive, so that every call asks it about its credential. Where a pooler stands in between, let DATABASE_LISTEN_URL lead past it';

export interface AccessChangeListenerOptions {
  /** How the database is reached without a pooler. */
  readonly target: DatabaseTarget;
  /** A connection that goes the way of all changes; a beat proves that what comes in there is heard here. */
  readonly sender: pg.Pool;
  readonly monotonic: Monotonic;
  /** Is told of each change that is heard, and null where changes may have been missed. */
  readonly tell: (change: AccessChange | null) => void;
  readonly warn: (what: string) => void;
  /** What else comes in on the same connection. */
  readonly alsoHear: { readonly channel: string; readonly tell: (notice: string) => void };
}

/**
 * Hears of access changes of all processes, and knows whether it does. Where nobody says so, a connection may be dead, a
 * network mute, or a pooler may swallow notifications. So a beat, the moment at which it is sent, goes to the database as
 * every change does, and comes back as every notification does. Notifications arrive in the order of their commits:
 * with a beat, all changes have come that were made before it was sent. One that comes back is good for a second from when
 * it was sent; without one, nothing in memory is to be trusted, and all of it is dropped.
 */
export class AccessChangeListener {
  readonly #options: AccessChangeListenerOptions;
  /** Its own channel: other processes, and other versions, have no use for its beats. */
  readonly #beats = `classledger_beat_${randomBytes(8).toString('hex')}`;
  #client: pg.Client | null = null;
  #listening = false;
  #reconnecting: NodeJS.Timeout | null = null;
  #beating: NodeJS.Timeout | null = null;
  #sending = false;
  #unasked = 0;
  #missed = 0;
  /** When the last beat that came back was sent. */
  #heardUntil = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: AccessChangeListenerOptions) {
    this.#options = options;
  }

  /** Whether every change has been heard that is older than a second. */
  isTrusted(): boolean {
    this.#unasked = 0;
    if (this.#beating === null) this.#beat();
    return this.#isFresh();
  }

  /** Connects; keeps trying in the background when that fails, and whenever the connection is lost. */
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

  /** Forgets everything, once, where time has passed without a beat: a change may have been missed since. */
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
      // Whoever asks the database hears of its trouble.
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
    // With a statement under way this drops the connection instead of saying farewell.
    client.end().catch(() => {});
    if (!this.#closed) this.#reconnecting = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}

/** Runs a statement that is answered at once by a connection that works. @throws Error when it is not */
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
