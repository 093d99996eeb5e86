import type { FastifyRequest } from 'fastify';
import { KeptFile } from './kept-file.ts';

/** Stands in a document for the origin of the installation. */
export const originMark = 'https://origin.invalid';

/** Whoever asks under ever new names must not fill the memory; an installation has few. */
const originsMax = 8;

/** A document that names the origin it is read from: generators need whole addresses. */
export class DocumentFile {
  readonly #text: string;
  readonly #files = new Map<string, Promise<KeptFile>>();

  constructor(document: object) {
    this.#text = JSON.stringify(document);
  }

  async of(request: FastifyRequest): Promise<KeptFile> {
    const origin = originOf(request);
    const contentType = 'application/json; charset=utf-8';
    const kept = this.#files.get(origin);
    if (kept) return kept;
    const text = this.#text.replaceAll(originMark, origin);
    if (this.#files.size === originsMax) {
      return new KeptFile(contentType, Buffer.from(text));
    }
    const file = KeptFile.compressed(contentType, text);
    this.#files.set(origin, file);
    return file;
  }
}

/** Empty, so that addresses are relative, where the request does not tell it in characters that need no care. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}
