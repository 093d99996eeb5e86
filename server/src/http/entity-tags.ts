import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonAnswer } from './sending.ts';

/**
 * Gives the answer to a read its ETag, and turns it into 304 where the client says that it has it already. The tag is of
 * the data: the request id around it is another one each time, so the tag is weak.
 *
 * It costs a page of 20 students 3 µs, which is much beside the 65 of the quickest pages. These have one only where the
 * client shows that it could use it: it takes compressed answers, or has a tag.
 *
 * @param body ends with the id of the request
 * @returns whether nothing but headers is to be sent
 */
export function isKnownToClient(
  { id, headers }: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): boolean {
  const known = headers['if-none-match'];
  const isQuick = body instanceof JsonAnswer;
  if (isQuick && known === undefined && headers['accept-encoding'] === undefined) return false;
  const json = isQuick ? body.json : body;
  if (typeof json !== 'string') return false;
  const end = json.length - `"requestId":"${id}"}`.length;
  const tag = `W/"${hash('sha256', json.slice(0, end), 'base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  if (known === undefined || !isAmong(tag, known)) return false;
  reply.code(304).removeHeader('content-type');
  return true;
}

/** Whether If-None-Match names a tag. It compares weakly (RFC 9110, 13.1.2): a proxy may have dropped or added the W/. */
export function isAmong(tag: string, ifNoneMatch: string): boolean {
  const known = ifNoneMatch.split(',').map(strong);
  return known.includes('*') || known.includes(strong(tag));
}

const strong = (tag: string) => tag.trim().replace(/^W\//, '');
