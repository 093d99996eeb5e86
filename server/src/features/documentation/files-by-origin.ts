import type { FastifyRequest } from 'fastify';
import type { CachedFile } from './cached-file.ts';

/** Limits the memory when callers send many different host names. */
const originsMax = 8;

/** Caches a file per origin, because generators and other programs need absolute addresses. */
export class FilesByOrigin {
  readonly #build: (origin: string) => Promise<CachedFile>;
  readonly #files = new Map<string, Promise<CachedFile>>();

  constructor(build: (origin: string) => Promise<CachedFile>) {
    this.#build = build;
  }

  async get(request: FastifyRequest): Promise<CachedFile> {
    const origin = originOf(request);
    const cached = this.#files.get(origin);
    if (cached) return cached;
    const file = this.#build(origin);
    if (this.#files.size < originsMax) this.#files.set(origin, file);
    return file;
  }
}

/** Returns an empty string, for relative addresses, when the host has unsafe characters. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}
