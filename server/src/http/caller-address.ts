import type { FastifyRequest } from 'fastify';

/** Returns empty text when the connection closed before the address was read. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? '';
