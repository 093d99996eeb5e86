/**
 * The headers that keep a page of ours to itself: it loads from here alone, is shown in no frame, and tells no one
 * where its reader came from.
 *
 * @param styles where styles may come from besides our own files, in the words of a Content-Security-Policy
 * @param more further directives
 */
export function pageProtection(
  styles: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const policy = {
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
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}
