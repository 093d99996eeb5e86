import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import negotiate from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A text that is made while the server runs and is the same for everyone. */
export class KeptFile {
  readonly #contentType: string;
  readonly #plain: Buffer;
  readonly #gzipped: Buffer | null;
  readonly #etag: string;

  constructor(contentType: string, plain: Buffer, gzipped: Buffer | null = null) {
    this.#contentType = contentType;
    this.#plain = plain;
    this.#gzipped = gzipped;
    // Weak, because it stands for both encodings.
    this.#etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  }

  /** Compresses the text once, so that answering costs nothing. */
  static async compressed(contentType: string, text: string): Promise<KeptFile> {
    const plain = Buffer.from(text);
    const gzipped = await compress(plain, { level: constants.Z_BEST_COMPRESSION });
    return new KeptFile(contentType, plain, gzipped);
  }

  /** Sends it, compressed as the client takes it, or 304 where the client has it already. */
  send({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({ 'cache-control': 'public, max-age=300', vary: 'accept-encoding', etag: this.#etag });
    // If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have dropped or added the W/.
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
    if (known.includes('*') || known.includes(this.#etag.slice(2))) return reply.code(304).send();
    reply.type(this.#contentType);
    const zipped = negotiate(String(headers['accept-encoding'] ?? ''), ['gzip']) ? this.#gzipped : null;
    return zipped ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(this.#plain);
  }
}
