import type { FastifyRequest } from 'fastify';

export const externalPrefix = '/api/v1';
export const internalPrefix = '/api';

const apis = `${internalPrefix}/`;

export function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.endsWith('/') && path.length > apis.length && path.startsWith(apis) ? path.slice(0, -1) : path;
}

export class KnownPaths {
  readonly #methods = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();

  add(method: string, path: string): void {
    const known = this.#methods.get(path) ?? {
      pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
      methods: [],
    };
    known.methods.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    this.#methods.set(path, known);
  }

  methodsOf(url: string): string[] {
    const path = pathOf(url);
    return [...this.#methods.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
  }
}

/** Returns empty text when the connection closed before the address was read. */
export const addressOf = (request: FastifyRequest): string => request.ip ?? '';

/** Returns the token of the header Authorization; empty without one. */
export const bearerOf = ({ headers }: FastifyRequest): string =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';

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
