import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressed, compressedFrom, compressedStream, type Encoding, encodingFor } from './compression.ts';
import type { Connections } from './connections.ts';
import { announcesBody } from './json-body.ts';

/** An answer, or the data of one, that is JSON already, with one character for each byte of UTF-8. */
export class JsonAnswer<T = unknown> {
  readonly json: string;
  declare readonly tells?: T;
  constructor(json: string) {
    this.json = json;
  }
}

/** Sends answers, and tells with them whether their connection goes on. */
export class Sending {
  readonly #connections: Connections;
  readonly #stopping: AbortSignal;
  readonly #isTraced: boolean;

  /** @param isTraced whether hooks of Fastify wait for every answer to be sent */
  constructor(connections: Connections, stopping: AbortSignal, isTraced: boolean) {
    this.#connections = connections;
    this.#stopping = stopping;
    this.#isTraced = isTraced;
  }

  /** Ends the connection with an answer, where nothing more is to come on it. */
  mark(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#stopping.aborted) {
      // Whoever has sent more requests gets their answers first.
      if (this.#connections.isLast(reply.raw)) reply.header('connection', 'close');
      else reply.raw.removeHeader('connection');
    }
    // Whoever is answered before the whole body came is not to send the next request on this connection.
    if (!request.raw.complete && announcesBody(request.raw)) reply.header('connection', 'close');
  }

  /**
   * Sends an answer. Those to reads are compressed where the client takes that; answers to writes may hold passwords and
   * tokens beside what somebody else has chosen, and the length of a compressed text would tell of them (docs/security.md).
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    body: string | JsonAnswer | Readable | undefined,
  ): Promise<void> | void {
    if (isRead(request)) {
      reply.header('vary', 'accept-encoding');
      const { 'accept-encoding': accepted } = request.headers;
      if (accepted !== undefined && body !== undefined && reply.statusCode === 200) {
        const encoding = encodingFor(String(accepted));
        if (encoding && isWorthIt(body)) return sendCompressed(reply, body, encoding);
      }
    }
    if (body instanceof JsonAnswer) this.#sendJson(request, reply, body);
    else reply.send(body);
  }

  /** Sends JSON with its headers in one piece: Fastify would make bytes of it, which go out in a second one. */
  #sendJson(request: FastifyRequest, reply: FastifyReply, { json }: JsonAnswer): void {
    if (this.#isTraced) {
      reply.send(Buffer.from(json, 'latin1'));
      return;
    }
    this.mark(request, reply);
    reply.hijack();
    const { raw } = reply;
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    raw.writeHead(reply.statusCode, { ...headers, 'content-length': json.length });
    raw.end(json, 'latin1');
  }
}

export const isRead = ({ method }: { readonly method: string }) => method === 'GET' || method === 'HEAD';

const isWorthIt = (body: string | JsonAnswer | Readable) =>
  body instanceof Readable || (typeof body === 'string' ? body : body.json).length >= compressedFrom;

async function sendCompressed(
  reply: FastifyReply,
  body: string | JsonAnswer | Readable,
  encoding: Encoding,
): Promise<void> {
  reply.header('content-encoding', encoding);
  if (body instanceof Readable) {
    reply.send(compressedStream(body, encoding));
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.json, 'latin1');
  reply.send(await compressed(bytes, encoding));
}
