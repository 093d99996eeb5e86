import type { FastifyRequest } from 'fastify';
import type { KeptFile } from './kept-file.ts';

/** Whoever asks under ever new names must not fill the memory; an installation has few. */
const originsMax = 8;

/** A file that names the origin it is read from: generators and other programs need whole addresses. */
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

/** Empty, so that addresses are relative, where the request does not tell it in characters that need no care. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}
