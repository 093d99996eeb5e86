import { externalPrefix } from './external-door.ts';
import { internalPrefix } from './internal-door.ts';

/** The address of a request; one that cannot be decoded becomes an unknown one of the door that it was meant for. */
export function decodable(url = '/'): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return url;
  } catch {
    if (url.startsWith(`${externalPrefix}/`)) return `${externalPrefix}/undecodable`;
    return url.startsWith(`${internalPrefix}/`) ? `${internalPrefix}/undecodable` : '/undecodable';
  }
}
