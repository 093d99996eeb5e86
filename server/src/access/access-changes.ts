import pg from 'pg';
import { accessChannel } from '../database/connect.ts';
import { endWithin } from '../database/connection-watch.ts';
import type { CredentialDirectory } from './credential.ts';

const reconnectMs = 1_000;
const heartbeatMs = 2_000;
const answerWithinMs = 2_000;

/**
 * Listens for changes that other processes make and drops what the directory has kept. While the connection is
 * down the directory keeps nothing, so a revoked credential never works longer than a notification takes; where
 * the network swallows notifications without a word, not longer than the heartbeat takes to miss an answer.
 */
export class AccessChangeListener {
  readonly #target: pg.PoolConfig;
  readonly #directory: CredentialDirectory;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(target: pg.PoolConfig, directory: CredentialDirectory) {
    this.#target = target;
    this.#directory = directory;
  }

  /** Connects; keeps trying in the background when that fails, and whenever the connection is lost. */
  async start(): Promise<void> {
    const client = new pg.Client({
      ...this.#target,
      application_name: 'classledger listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    } as pg.ClientConfig);
    this.#client = client;
    const lost = () => {
      if (this.#client !== client) return;
      this.#client = null;
      this.#directory.keepReadings(false);
      // With a statement under way this drops the connection instead of saying farewell.
      client.end().catch(() => {});
      if (this.#timer) clearTimeout(this.#timer);
      if (!this.#closed) this.#timer = setTimeout(() => void this.start(), reconnectMs).unref();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', () => this.#directory.forgetAll());
    try {
      await client.connect();
      await answered(client, `LISTEN ${accessChannel}`);
      if (this.#client !== client || this.#closed) return;
      this.#directory.keepReadings(true);
      this.#heartbeat(client, lost);
    } catch {
      lost();
    }
  }

  #heartbeat(client: pg.Client, lost: () => void): void {
    this.#timer = setTimeout(() => {
      answered(client, 'SELECT 1').then(() => {
        if (this.#client === client && !this.#closed) this.#heartbeat(client, lost);
      }, lost);
    }, heartbeatMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    if (client) await endWithin(client);
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
