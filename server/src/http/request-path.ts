import { externalPrefix } from './external-api.ts';
import { internalPrefix } from './internal-api.ts';
import { pathOf } from './known-paths.ts';

/** Returns the URL to route by. An undecodable path becomes an unknown path of the same API. */
export function routedUrl(url = '/'): string {
  const [raw = ''] = url.split('?', 1);
  const search = url.slice(raw.length);
  if (!isDecodable(raw)) return unknownUrl(url);
  return pathOf(url) + search;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function unknownUrl(url: string): string {
  if (url.startsWith(`${externalPrefix}/`)) return `${externalPrefix}/undecodable`;
  return url.startsWith(`${internalPrefix}/`) ? `${internalPrefix}/undecodable` : '/undecodable';
}
