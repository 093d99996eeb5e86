import type { FastifyInstance } from 'fastify';

/** Browsers take an answer for what it says that it is, whatever its content looks like. */
export const noSniff = ['x-content-type-options', 'nosniff'] as const;

/** Of this host alone: what else stands below the domain of a school is not ours to decide about. */
const httpsFromNowOn = ['strict-transport-security', 'max-age=31536000'] as const;

/**
 * What every answer tells a browser, of pages, doors and probes alike. Whoever came over https, to the proxy in front if
 * it is trusted, is to come so for a year; over http a browser would not believe it.
 */
export function protectEveryAnswer(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, goOn) => {
    reply.header(...noSniff);
    if (request.protocol === 'https') reply.header(...httpsFromNowOn);
    goOn();
  });
}
