import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { externalOperations } from '@classledger/contract';
import { afterAll, expect } from 'vitest';
import { externalApiDocument } from '../src/features/documentation/external-document.ts';
import { buildOpenApi } from '../src/features/documentation/openapi.ts';
import { PublishedDocument } from '../src/features/documentation/testing/published-document.ts';

export interface ReceivedMessage {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { type: string; timestamp: string; data: Record<string, unknown> & { id: number } };
}

export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  answer: (message: ReceivedMessage) => number | Promise<number> = () => 204;
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const { headers } = request;
    const message = { id: String(headers['webhook-id']), headers, text, body: JSON.parse(text) };
    this.received.push(message);
    if (!document.isMessage(message.body)) undocumented.push(message.body);
    const status = await this.answer(message);
    response.writeHead(status, status === 302 ? { location: this.url } : {}).end('anything');
  });

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/changes`;
  }

  /** Forgets what was received, and answers 204 from now on. */
  beginAnew(): void {
    this.received.length = 0;
    this.answer = () => 204;
  }

  /** Received changes, as `score.created 17`. */
  get receivedEvents(): string[] {
    return this.received.map(({ body }) => `${body.type} ${body.data.id}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const document = new PublishedDocument(
  buildOpenApi(externalApiDocument, externalOperations, { version: '0', origin: '', keyLengthMax: 128 }),
);

const undocumented: object[] = [];
const receivers: WebhookReceiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.close();
  expect(undocumented).toEqual([]);
});

/** Opens a receiver. After the test file, it is closed and its deliveries are checked against the OpenAPI document. */
export async function newReceiver(): Promise<WebhookReceiver> {
  const receiver = await new WebhookReceiver().open();
  receivers.push(receiver);
  return receiver;
}
