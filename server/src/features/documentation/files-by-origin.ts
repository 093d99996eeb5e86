import type { FastifyRequest } from 'fastify';
import type { KeptFile } from './kept-file.ts';

/** Bounds the memory when callers send ever new host names; an installation has few. */
const originsMax = 8;

/** Caches a file per origin, because generators and other programs need absolute addresses. */
export class FilesByOrigin {
  readonly #make: (origin: string) => Promise<KeptFile>;
  readonly #files = new Map<string, Promise<KeptFile>>();

  constructor(make: (origin: string) => Promise<KeptFile>) {
    this.#make = make;
  }

  async of(request: FastifyRequest): Promise<KeptFile> {
    const origin = originOf(request);
    const kept = this.#files.get(origin);
    if (kept) return kept;
    const file = this.#make(origin);
    if (this.#files.size < originsMax) this.#files.set(origin, file);
    return file;
  }
}

/** Returns the origin, or an empty string, for relative addresses, when the host has unsafe characters. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}
