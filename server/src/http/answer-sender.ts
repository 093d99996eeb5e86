import { hash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, compressedMinBytes, compressStream, type Encoding, encodingFor } from './compression.ts';
import type { Connections } from './connections.ts';
import { announcesBody } from './json-body.ts';

/** An answer, or its data, as JSON text in which each character stands for one byte of the UTF-8 form. */
export class JsonAnswer<T = unknown> {
  readonly json: string;
  declare readonly dataType?: T;
  constructor(json: string) {
    this.json = json;
  }
}

export class AnswerSender {
  readonly #connections: Connections;
  readonly #stopping: AbortSignal;
  readonly #isTraced: boolean;

  /** @param isTraced whether hooks of Fastify have to see each answer */
  constructor(connections: Connections, stopping: AbortSignal, isTraced: boolean) {
    this.#connections = connections;
    this.#stopping = stopping;
    this.#isTraced = isTraced;
  }

  /** Adds `Connection: close` when the server stops or the body was not read. */
  setConnectionHeader(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#stopping.aborted) {
      // Closes only after the last answer, so that requests which have arrived are answered first.
      if (this.#connections.isLastAnswer(reply.raw)) reply.header('connection', 'close');
      else reply.raw.removeHeader('connection');
    }
    // The rest of the body is still to come, so the connection can carry no other request.
    if (!request.raw.complete && announcesBody(request.raw)) reply.header('connection', 'close');
  }

  /** Compresses only reads without secrets, because the length would reveal passwords (docs/security.md). */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    body: string | JsonAnswer | Readable | undefined,
    isSecret: boolean,
  ): Promise<void> | void {
    if (isRead(request) && !isSecret) {
      reply.header('vary', 'accept-encoding');
      const { 'accept-encoding': accepted } = request.headers;
      if (accepted !== undefined && body !== undefined && reply.statusCode === 200) {
        const encoding = encodingFor(String(accepted));
        if (encoding && isWorthCompressing(body)) return sendCompressed(reply, body, encoding);
      }
    }
    if (body instanceof JsonAnswer) this.#sendJson(request, reply, body);
    else reply.send(body);
  }

  /** Sends headers and JSON in one piece; Fastify would send the JSON as a second one. */
  #sendJson(request: FastifyRequest, reply: FastifyReply, { json }: JsonAnswer): void {
    if (this.#isTraced) {
      reply.send(Buffer.from(json, 'latin1'));
      return;
    }
    this.setConnectionHeader(request, reply);
    reply.hijack();
    const { raw } = reply;
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    raw.writeHead(reply.statusCode, { ...headers, 'content-length': json.length });
    raw.end(json, 'latin1');
  }
}

export const isRead = ({ method }: { readonly method: string }) => method === 'GET' || method === 'HEAD';

const isWorthCompressing = (body: string | JsonAnswer | Readable) =>
  body instanceof Readable || (typeof body === 'string' ? body : body.json).length >= compressedMinBytes;

async function sendCompressed(
  reply: FastifyReply,
  body: string | JsonAnswer | Readable,
  encoding: Encoding,
): Promise<void> {
  reply.header('content-encoding', encoding);
  if (body instanceof Readable) {
    reply.send(compressStream(body, encoding));
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.json, 'latin1');
  reply.send(await compress(bytes, encoding));
}

/**
 * Sets a weak ETag without the request id, and status 304 when the client has the answer. Hashing costs 3 µs, so JSON
 * pages of 65 µs get a tag only for clients that accept compression or send a tag. @returns whether to send only
 * headers
 */
export function applyEntityTag({ id, headers }: FastifyRequest, reply: FastifyReply, body: unknown): boolean {
  const known = headers['if-none-match'];
  const isQuick = body instanceof JsonAnswer;
  if (isQuick && known === undefined && headers['accept-encoding'] === undefined) return false;
  const json = isQuick ? body.json : body;
  if (typeof json !== 'string') return false;
  const end = json.length - `"requestId":"${id}"}`.length;
  const tag = `W/"${hash('sha256', json.slice(0, end), 'base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  if (known === undefined || !matchesTag(tag, known)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

/** Compares weakly (RFC 9110, 13.1.2), because a proxy may drop or add the W/. */
export function matchesTag(tag: string, ifNoneMatch: string): boolean {
  const known = ifNoneMatch.split(',').map(strong);
  return known.includes('*') || known.includes(strong(tag));
}

const strong = (tag: string) => tag.trim().replace(/^W\//, '');
