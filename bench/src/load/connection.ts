import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** One keep-alive HTTP/1.1 connection for one request at a time. Costs a fraction of a general client's time. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  /** Length of the whole answer; 0 until its head is complete. */
  #end = 0;
  #bodyStart = 0;
  #status = 0;
  #settle: ((answer: Answer | Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#finish(error));
    socket.on('close', () => this.#finish(new Error('The connection was closed')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** Sends one complete request and calls `settle` once, with the answer or an error. */
  send(request: string, settle: (answer: Answer | Error) => void): void {
    this.#settle = settle;
    this.#socket.write(request);
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    if (this.#end === 0 && !this.#readHead()) return;
    if (this.#received.length < this.#end) return;
    const body = this.#received.subarray(this.#bodyStart, this.#end);
    const excess = this.#received.length - this.#end;
    this.#received = Buffer.alloc(0);
    this.#end = 0;
    this.#finish(excess > 0 ? new Error('More was sent than asked for') : { status: this.#status, body });
  }

  #readHead(): boolean {
    const headLength = this.#received.indexOf(headEnd);
    if (headLength < 0) return false;
    const head = this.#received.toString('latin1', 0, headLength);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.#finish(new Error(`An answer without Content-Length: ${head}`));
      return false;
    }
    this.#status = Number(head.slice(9, 12));
    this.#bodyStart = headLength + headEnd.length;
    this.#end = this.#bodyStart + Number(length);
    return true;
  }

  #finish(answer: Answer | Error): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(answer);
  }
}
