import type { FastifyRequest } from 'fastify';

/** Returns empty text when the connection closed before the address was read. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? '';

/** Returns the token of the header Authorization; empty without one. */
export const bearerOf = ({ headers }: FastifyRequest): string =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
