/** The same pattern as in the server's sanitiser. Excludes characters that browsers remove or read differently. */
const linkPattern = /^(?:https?:\/\/[^\s\p{C}"'<>`\\]+|(?:mailto|tel):[^\s\p{C}"'<>`\\]+)$/iu;

export function isAllowedLink(url: string): boolean {
  return linkPattern.test(url.trim());
}

/** Completes a URL or e-mail address as people type it: example.org, name@example.org. */
export function completeLink(typed: string): string {
  const url = typed.trim();
  if (isAllowedLink(url) || url === '') return url;
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(url)) return `mailto:${url}`;
  return /^[^\s:/]+\.[^\s]+$/.test(url) ? `https://${url}` : url;
}

/** Returns whether the editor supports all elements of an announcement; it does not support tables. */
export function isSupportedByEditor(html: string): boolean {
  return !/<(?:table|caption|thead|tbody|tfoot|tr|th|td)[\s/>]/i.test(html);
}

/** Returns whether an HTML text certainly contains no text. The server checks again. */
export function isBlankHtml(html: string): boolean {
  const text = html.replace(/<(script|style)\b.*?<\/\1\s*>/gis, '').replace(/<[^>]*>/g, '');
  return !/[^\s\p{C}\p{Z}]/u.test(text.replaceAll('&nbsp;', ' '));
}
