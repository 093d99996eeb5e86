import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** What a receiver was sent. */
export interface Got {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { type: string; timestamp: string; data: Record<string, unknown> & { id: number } };
}

/** A real receiver of webhooks, which answers as it is told. */
export class Receiver {
  readonly got: Got[] = [];
  answer: (got: Got) => number | Promise<number> = () => 204;
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const { headers } = request;
    const got = { id: String(headers['webhook-id']), headers, text, body: JSON.parse(text) };
    this.got.push(got);
    const status = await this.answer(got);
    response.writeHead(status, status === 302 ? { location: this.url } : {}).end('anything');
  });

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/changes`;
  }

  /** What it was told of, as `score.created 17`. */
  get told(): string[] {
    return this.got.map(({ body }) => `${body.type} ${body.data.id}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const receivers: Receiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

/** Opens a receiver, which is closed after the tests of the file. */
export async function newReceiver(): Promise<Receiver> {
  const receiver = await new Receiver().open();
  receivers.push(receiver);
  return receiver;
}
