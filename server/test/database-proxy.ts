import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type pg from 'pg';

/** Before the database receives COMMIT, or after it has committed but before the client receives the answer. */
export type CutMoment = 'before the commit' | 'after the commit';

const committed = Buffer.from('COMMIT\0');
const commits = [committed, Buffer.from('commit\0')];
const begun = Buffer.from('BEGIN\0');

/** A proxy before the database that cuts the transaction with a given text at its commit. */
export class DatabaseProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #armed: { text: Buffer; at: CutMoment } | null = null;
  #overlap: { at: CutMoment; seen: () => void } | null = null;
  readonly #silencers = new Set<{ listens: boolean; silence: () => void }>();
  #fatal: Buffer | null = null;
  #mute = false;
  #swallows = false;
  cuts = 0;
  connectionCount = 0;

  private constructor(target: pg.PoolConfig) {
    this.#server = createServer((client) => this.#join(client, connect(target)));
  }

  static async start(target: pg.PoolConfig, port = 0): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target);
    await new Promise<void>((resolve, reject) =>
      proxy.#server.once('error', reject).listen(port, '127.0.0.1', resolve),
    );
    return proxy;
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as { port: number }).port };
  }

  /** Cuts the next transaction that carries the text, once. */
  cut(at: CutMoment, text: string): void {
    this.#armed = { text: Buffer.from(text), at };
  }

  /** From now on cuts every connection that carries the text, before the text reaches the database. */
  cutConnectionsSending(text: string): void {
    this.#fatal = Buffer.from(text);
  }

  /** Silences the next connection that sends BEGIN right behind a COMMIT, without waiting; resolves afterwards. */
  silenceOverlap(at: CutMoment): Promise<void> {
    return new Promise((seen) => {
      this.#overlap = { at, seen };
    });
  }

  silenceListeners(): void {
    for (const { listens, silence } of this.#silencers) if (listens) silence();
  }

  silenceAll(): void {
    for (const { silence } of this.#silencers) silence();
  }

  /** Silences all current and future connections and keeps them open. */
  mute(): void {
    this.#mute = true;
  }

  /** Drops notifications on new connections, as a transaction pooler does. */
  swallowNotifications(): void {
    this.#swallows = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket, server: Socket): void {
    let marked: CutMoment | null = null;
    let awaitsCommit = false;
    let silent = false;
    let commitSeen: (() => void) | null = null;
    const pass = this.#swallows ? withoutNotifications() : (bytes: Buffer) => bytes;
    this.connectionCount++;
    const silencer = {
      listens: false,
      silence: () => {
        silent = true;
      },
    };
    this.#silencers.add(silencer);
    client.on('close', () => this.#silencers.delete(silencer));
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#open.delete(socket);
        peer.destroy();
      });
    }
    const sever = () => {
      this.cuts++;
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes: Buffer) => {
      if (silent || this.#mute) return;
      if (this.#fatal && bytes.includes(this.#fatal)) return sever();
      if (bytes.includes('classledger listener')) silencer.listens = true;
      const commit = this.#overlap ? bytes.indexOf(committed) : -1;
      if (this.#overlap && commit >= 0 && bytes.includes(begun, commit)) {
        const { at, seen } = this.#overlap;
        this.#overlap = null;
        silent = true;
        if (at === 'before the commit') return seen();
        commitSeen = seen;
        server.write(bytes);
        return;
      }
      if (this.#armed && bytes.includes(this.#armed.text)) {
        marked = this.#armed.at;
        this.#armed = null;
      }
      if (marked && commits.some((commit) => bytes.includes(commit))) {
        if (marked === 'before the commit') return sever();
        awaitsCommit = true;
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (bytes.includes(committed)) commitSeen?.();
      if (silent || this.#mute) return;
      if (awaitsCommit) {
        if (bytes.includes(committed)) sever();
        return;
      }
      client.write(pass(bytes));
    });
  }
}

/** Removes notifications from server bytes; a message is a letter, a length and a body. */
function withoutNotifications(): (bytes: Buffer) => Buffer {
  let held = Buffer.alloc(0);
  return (bytes) => {
    held = Buffer.concat([held, bytes]);
    const passed: Buffer[] = [];
    while (held.length >= 5 && held.length >= 1 + held.readUInt32BE(1)) {
      const length = 1 + held.readUInt32BE(1);
      if (held[0] !== 'A'.charCodeAt(0)) passed.push(held.subarray(0, length));
      held = held.subarray(length);
    }
    return Buffer.concat(passed);
  };
}

/** Opens a plain connection to a database server. */
export function connect({ host, port }: pg.PoolConfig): Socket {
  return host?.startsWith('/')
    ? createConnection({ path: `${host}/.s.PGSQL.${port}` })
    : createConnection({ host: host as string, port: port as number });
}
