import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/**
 * The trimmed Idempotency-Key of a request; null without one.
 *
 * @throws AppError invalid_value when it is empty or too long
 */
export function idempotencyKeyOf(request: FastifyRequest, lengthMax: number): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = (Array.isArray(header) ? header.join(', ') : header).trim();
  if (key.length === 0 || key.length > lengthMax) {
    throw new AppError('invalid_value', `Idempotency-Key must have 1 to ${lengthMax} characters`);
  }
  return key;
}

/** What a key belongs to: method and path with its ids, the same however the path was written. */
export function endpointOf(
  prefix: string,
  { method, path }: { readonly method: string; readonly path: string },
  params: Readonly<Record<string, number>>,
): string {
  return `${method} ${prefix}${path.replace(/:(\w+)/g, (_, name: string) => String(params[name]))}`;
}
