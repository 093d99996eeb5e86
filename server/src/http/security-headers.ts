import type { FastifyHelmetOptions } from '@fastify/helmet';
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

/** @param styles more sources of styles, as in a Content-Security-Policy */
export function helmetOptions(
  styles = '',
  more: Readonly<Record<string, string>> = {},
): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': `'self' ${styles}`.trim(),
        'img-src': "'self' data:",
        'font-src': "'self'",
        'connect-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'none'",
        ...more,
      },
    },
    frameguard: { action: 'deny' },
    // Off, because `addSecurityHeaders` sets these headers for all answers.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  };
}
