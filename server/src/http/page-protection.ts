import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * What @fastify/helmet is told to keep a page of ours to itself: it loads from here alone, is shown in no frame, and
 * tells no one where its reader came from.
 *
 * @param styles where styles may come from besides our own files, in the words of a Content-Security-Policy
 * @param more further directives
 */
export function pageProtection(
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
    // Every answer has these, not pages alone: every-answer.ts.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
  };
}
