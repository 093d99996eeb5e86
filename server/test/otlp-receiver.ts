import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, string | number>>;
}

/** Receives traces as a collector does: OTLP over HTTP in Protocol Buffers. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly paths = new Set<string>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      this.paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`);
      this.spans.push(...spansOf(Buffer.concat(pieces)));
      response.setHeader('content-type', 'application/x-protobuf').end();
    });
  }

  static async listening(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

type Field = number | Buffer;

function fieldsOf(message: Buffer): Map<number, Field[]> {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const bytes = (count: number) => {
    at += count;
    return message.subarray(at - count, at);
  };
  while (at < message.length) {
    const tag = varint();
    const form = tag % 8;
    const value = form === 0 ? varint() : bytes(form === 1 ? 8 : form === 5 ? 4 : varint());
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Map<number, Field[]>, number: number) =>
  (fields.get(number) ?? []).map((field) => fieldsOf(field as Buffer));
const hex = (fields: Map<number, Field[]>, number: number) =>
  ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString('hex');

function attributesOf(fields: Map<number, Field[]>, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const value = messages(pair, 2)[0];
      return [
        String(pair.get(1)?.[0]),
        value?.has(1) ? String(value.get(1)?.[0]) : (value?.get(3)?.[0] as number),
      ];
    }),
  );
}

/** Field numbers follow opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const [resource] = messages(ofResource, 1);
    const attributes = resource ? attributesOf(resource, 1) : {};
    return messages(ofResource, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => ({
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        name: String(span.get(5)?.[0]),
        attributes: attributesOf(span, 9),
        failed: messages(span, 15)[0]?.get(3)?.[0] === 2,
        resource: attributes,
      }));
  });
}
