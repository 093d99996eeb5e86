import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodingFor } from '../../http/compression.ts';
import { matchesTag } from '../../http/entity-tags.ts';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);

export class CachedFile {
  readonly #contentType: string;
  readonly #plain: Buffer;
  readonly #encoded: Readonly<Record<Encoding, Buffer>> | null;
  readonly #etag: string;

  /** @param encoded null for a file that is already compressed */
  constructor(contentType: string, plain: Buffer, encoded: Readonly<Record<Encoding, Buffer>> | null = null) {
    this.#contentType = contentType;
    this.#plain = plain;
    this.#encoded = encoded;
    // Makes the tag weak, because all encodings share the tag.
    this.#etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  }

  static async compressed(contentType: string, text: string): Promise<CachedFile> {
    const plain = Buffer.from(text);
    const [br, gzipped] = await Promise.all([
      // The next quality level takes several times as long and saves only 3 %.
      brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      zip(plain, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    return new CachedFile(contentType, plain, { br, gzip: gzipped });
  }

  send({ headers }: FastifyRequest, reply: FastifyReply, vary = 'accept-encoding'): FastifyReply {
    reply.headers({ 'cache-control': 'public, max-age=300', vary, etag: this.#etag });
    const known = headers['if-none-match'];
    if (known !== undefined && matchesTag(this.#etag, known)) return reply.code(304).send();
    reply.type(this.#contentType);
    const encoding = this.#encoded && encodingFor(headers['accept-encoding']);
    if (!encoding) return reply.send(this.#plain);
    return reply.header('content-encoding', encoding).send(this.#encoded?.[encoding]);
  }
}
