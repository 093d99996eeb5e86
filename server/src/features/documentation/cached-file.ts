import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../../http/answer-sender.ts';
import { type Encoding, encodingFor } from '../../http/compression.ts';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);

const compress: Readonly<Record<Encoding, (plain: Buffer) => Promise<Buffer>>> = {
  // The next quality level takes several times as long and saves only 3 %.
  br: (plain) => brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (plain) => zip(plain, { level: constants.Z_BEST_COMPRESSION }),
};

export class CachedFile {
  readonly #contentType: string;
  readonly #plain: Buffer;
  readonly #etag: string;
  /** Filled by the first request for each encoding; null for a file that is already compressed. */
  readonly #encoded: Partial<Record<Encoding, Promise<Buffer>>> | null;

  constructor(contentType: string, content: string | Buffer) {
    this.#contentType = contentType;
    this.#plain = Buffer.from(content);
    this.#encoded = typeof content === 'string' ? {} : null;
    // Makes the tag weak, because all encodings share the tag.
    this.#etag = `W/"${createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22)}"`;
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply, vary = 'accept-encoding'): Promise<void> {
    reply.headers({ 'cache-control': 'public, max-age=300', vary, etag: this.#etag });
    const known = headers['if-none-match'];
    if (known !== undefined && matchesTag(this.#etag, known)) {
      await reply.code(304).send();
      return;
    }
    reply.type(this.#contentType);
    const encoding = this.#encoded && encodingFor(headers['accept-encoding']);
    if (!this.#encoded || !encoding) {
      await reply.send(this.#plain);
      return;
    }
    this.#encoded[encoding] ??= compress[encoding](this.#plain);
    await reply.header('content-encoding', encoding).send(await this.#encoded[encoding]);
  }
}

/** Limits the memory when callers send many different host names. */
const originsMax = 8;

/** Caches a file per origin, because generators and other programs need absolute addresses. */
export class FilesByOrigin {
  readonly #build: (origin: string) => Promise<CachedFile>;
  readonly #files = new Map<string, Promise<CachedFile>>();

  constructor(build: (origin: string) => Promise<CachedFile>) {
    this.#build = build;
  }

  async get(origin: string): Promise<CachedFile> {
    const cached = this.#files.get(origin);
    if (cached) return cached;
    const file = this.#build(origin);
    if (this.#files.size < originsMax) this.#files.set(origin, file);
    return file;
  }
}

/** Returns an empty string, for relative addresses, when the host has unsafe characters. */
export function originOf({ protocol, host }: FastifyRequest): string {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host) ? `${protocol}://${host}` : '';
}
