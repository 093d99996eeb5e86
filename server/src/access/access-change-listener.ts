import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DatabaseClient, type DatabaseTarget } from '../database/client.ts';
import { queryOn } from '../database/connect.ts';
import { endWithTimeout } from '../database/connection-watch.ts';
import { accessChannel } from '../database/notices.ts';
import type { MonotonicClock } from '../time/clock.ts';
import { type AccessChange, parseAccessChange } from './access-changes.ts';

const heartbeatMs = 300;
/** A process uses its cache only if a heartbeat that it sent less than this long ago has come back. */
const heartbeatValidMs = 1_000;
/** When a process has not answered for this long, its last heartbeat is too old, so it no longer uses its cache. */
export const siblingTimeoutMs = heartbeatValidMs + 100;
/** The listener pauses after this many heartbeats if nobody calls `isCacheValid`, and resumes at the next call. */
const unusedHeartbeatsMax = 30;
/** The listener reconnects when more heartbeats than this have not returned. */
const missedHeartbeatsMax = 7;
const reconnectMs = 1_000;
const answerTimeoutMs = 2_000;

const notificationsMissing =
  'Database notifications do not arrive, so every call reads its credential from the database. If a pooler is in between, set DATABASE_LISTEN_URL to an address that bypasses it';

export interface AccessChangeListenerOptions {
  readonly target: DatabaseTarget;
  /** Sends heartbeats through the same pooler as changes, so a returned heartbeat proves that changes arrive. */
  readonly sender: pg.Pool;
  readonly monotonic: MonotonicClock;
  /** Receives each change, and null when changes may have been missed. */
  readonly onChange: (change: AccessChange | null) => void;
  readonly warn: (what: string) => void;
  readonly otherChannel: { readonly channel: string; readonly onNotice: (notice: string) => void };
}

/** Receives access changes; a received heartbeat proves that none is missing (docs/security.md, Access changes). */
export class AccessChangeListener {
  readonly #options: AccessChangeListenerOptions;
  readonly #heartbeatChannel = `classledger_beat_${randomBytes(8).toString('hex')}`;
  #client: pg.Client | null = null;
  #isListening = false;
  #reconnectTimer: NodeJS.Timeout | null = null;
  #heartbeatTimer: NodeJS.Timeout | null = null;
  #isSending = false;
  #unusedHeartbeats = 0;
  #missedHeartbeats = 0;
  #validHeartbeatSentAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: AccessChangeListenerOptions) {
    this.#options = options;
  }

  /** Returns whether every change older than a second has arrived, and keeps the heartbeats running. */
  isCacheValid(): boolean {
    this.#unusedHeartbeats = 0;
    if (this.#heartbeatTimer === null) this.#beatAndSchedule();
    return this.#hasValidHeartbeat();
  }

  /** Connects, and reconnects in the background after a failure or a lost connection. */
  async start(): Promise<void> {
    const client = new DatabaseClient({
      ...this.#options.target,
      application_name: 'classledger listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerTimeoutMs,
    } as pg.ClientConfig);
    this.#client = client;
    const onLost = () => this.#dropConnection(client);
    client.on('error', onLost);
    client.on('end', onLost);
    client.on('notification', ({ channel, payload = '' }) => {
      if (this.#client !== client) return;
      const { otherChannel } = this.#options;
      if (channel === this.#heartbeatChannel) this.#receiveHeartbeat(Number(payload));
      else if (channel === otherChannel.channel) otherChannel.onNotice(payload);
      else this.#options.onChange(parseAccessChange(payload));
    });
    try {
      await client.connect();
      await client.query(
        `LISTEN ${accessChannel}; LISTEN ${this.#heartbeatChannel}; LISTEN ${this.#options.otherChannel.channel}`,
      );
      if (this.#client !== client) return;
      this.#isListening = true;
      this.isCacheValid();
    } catch {
      onLost();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of [this.#reconnectTimer, this.#heartbeatTimer]) if (timer) clearTimeout(timer);
    const client = this.#client;
    this.#client = null;
    if (client) await endWithTimeout(client);
  }

  /** Returns whether a heartbeat is valid. When the last one has become invalid, calls `onChange` once with null. */
  #hasValidHeartbeat(): boolean {
    if (this.#options.monotonic() - this.#validHeartbeatSentAt < heartbeatValidMs) return true;
    if (this.#validHeartbeatSentAt !== Number.NEGATIVE_INFINITY) {
      this.#validHeartbeatSentAt = Number.NEGATIVE_INFINITY;
      this.#options.onChange(null);
    }
    return false;
  }

  #receiveHeartbeat(sentAt: number): void {
    this.#missedHeartbeats = 0;
    this.#hasValidHeartbeat();
    this.#validHeartbeatSentAt = Math.max(this.#validHeartbeatSentAt, sentAt);
  }

  #beatAndSchedule(): void {
    this.#heartbeatTimer = null;
    if (this.#isClosed || this.#unusedHeartbeats++ >= unusedHeartbeatsMax) return;
    this.#heartbeatTimer = setTimeout(() => this.#beatAndSchedule(), heartbeatMs).unref();
    const client = this.#client;
    if (!this.#isListening || this.#isSending) return;
    this.#isSending = true;
    const heartbeat = String(this.#options.monotonic());
    queryOn(this.#options.sender, 'SELECT pg_notify($1, $2)', [this.#heartbeatChannel, heartbeat])
      .then(() => {
        if (client === null || this.#client !== client || ++this.#missedHeartbeats <= missedHeartbeatsMax)
          return;
        this.#options.warn(notificationsMissing);
        this.#dropConnection(client);
      })
      // Not reported here, because calls that use the database report the same error.
      .catch(() => {})
      .finally(() => {
        this.#isSending = false;
      });
  }

  #dropConnection(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#isListening = false;
    this.#missedHeartbeats = 0;
    this.#validHeartbeatSentAt = Number.NEGATIVE_INFINITY;
    this.#options.onChange(null);
    // While a statement runs, `end` closes the socket at once.
    client.end().catch(() => {});
    if (!this.#isClosed) this.#reconnectTimer = setTimeout(() => void this.start(), reconnectMs).unref();
  }
}
