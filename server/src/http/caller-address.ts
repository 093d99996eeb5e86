import type { FastifyRequest } from 'fastify';

/** Returns the caller's address; empty when the connection closed before the address was read. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? '';
