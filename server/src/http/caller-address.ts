import type { FastifyRequest } from 'fastify';

/** The network address that a request comes from; empty where its connection was broken off before anybody had asked. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? '';
