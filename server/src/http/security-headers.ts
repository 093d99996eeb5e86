import type { FastifyInstance } from 'fastify';

export const noSniff = ['x-content-type-options', 'nosniff'] as const;

/** Leaves out subdomains, because other hosts below a school's domain are not ours. */
const strictTransport = ['strict-transport-security', 'max-age=31536000'] as const;

/** Adds security headers. Over https, makes browsers use https for a year; over http, they would ignore that header. */
export function addSecurityHeaders(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, next) => {
    reply.header(...noSniff);
    if (request.protocol === 'https') reply.header(...strictTransport);
    next();
  });
}
