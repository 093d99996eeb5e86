import type { FastifyHelmetOptions } from '@fastify/helmet';

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
    // Off, because security-headers.ts sets these headers for all answers.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  };
}
