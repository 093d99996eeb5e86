import { externalPrefix } from './external-door.ts';
import { internalPrefix } from './internal-door.ts';
import { pathOf } from './known-paths.ts';

/** The address by which a request is routed. One that cannot be decoded becomes an unknown one of the door that it was meant for. */
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
