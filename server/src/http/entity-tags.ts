import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonAnswer } from './answer-sender.ts';

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
