/** As the server's sanitiser: no white space, control characters or quotes that browsers would drop or read otherwise. */
const linkForm = /^(?:https?:\/\/[^\s\p{C}"'<>`\\]+|(?:mailto|tel):[^\s\p{C}"'<>`\\]+)$/iu;

/** Whether the sanitiser lets a link through. */
export function isAllowedLink(url: string): boolean {
  return linkForm.test(url.trim());
}

/** What someone meant who typed an address as people say it: example.org, name@example.org. */
export function meantLink(typed: string): string {
  const url = typed.trim();
  if (isAllowedLink(url) || url === '') return url;
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(url)) return `mailto:${url}`;
  return /^[^\s:/]+\.[^\s]+$/.test(url) ? `https://${url}` : url;
}

/** Whether the editor can hold everything in an announcement; it knows no tables. */
export function fitsEditor(html: string): boolean {
  return !/<(?:table|caption|thead|tbody|tfoot|tr|th|td)[\s/>]/i.test(html);
}

/** Whether there is surely nothing to read in an HTML text; the server has the last word. */
export function isBlankHtml(html: string): boolean {
  const text = html.replace(/<(script|style)\b.*?<\/\1\s*>/gis, '').replace(/<[^>]*>/g, '');
  return !/[^\s\p{C}\p{Z}]/u.test(text.replaceAll('&nbsp;', ' '));
}
