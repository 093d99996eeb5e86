import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { BodyMemory } from './body-memory.ts';
import { assertModestJson } from './json-shape.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body takes in memory, and of which share. */
    heldBody: { readonly memory: BodyMemory; bytes: number } | null;
  }
}

/**
 * Makes an instance read JSON bodies and nothing else, each up to the limit of its route. An empty body counts as none,
 * whatever its content type: many clients send one with every DELETE.
 *
 * @param memoryOf the share of memory that a body counts in
 */
export function readJsonBodies(
  app: FastifyInstance,
  memoryOf: (request: FastifyRequest) => BodyMemory,
): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('heldBody', null);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(request, payload, memoryOf(request));
    if (bytes.length === 0) return undefined;
    if (!isUtf8(bytes)) throw new AppError('malformed', 'The body is not UTF-8');
    assertModestJson(bytes);
    try {
      return JSON.parse(bytes.toString('utf8'));
    } catch {
      throw new AppError('malformed', 'The body is not valid JSON');
    }
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    const { heldBody } = request;
    if (heldBody) {
      heldBody.memory.giveBack(heldBody.bytes);
      request.heldBody = null;
    }
    done(null, payload);
  });
}

/** @throws AppError too_large, malformed, unavailable */
function readBody(request: FastifyRequest, payload: IncomingMessage, memory: BodyMemory): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  return new Promise((resolve, reject) => {
    if (declared > limit) return reject(tooLarge(limit));
    // Its sender is gone: Node throws away what nobody had begun to read, even where all of it had come.
    if (payload.destroyed) return reject(new AppError('malformed', 'The request cannot be read'));
    const held = { memory, bytes: 0 };
    request.heldBody = held;
    // One buffer: a body in chunks of a byte would take a few hundred times its size in small ones.
    let bytes: Buffer = Buffer.alloc(0);
    let length = 0;
    const end = (error?: unknown) => {
      payload.off('data', take).off('end', finish).off('error', end).off('close', end);
      memory.arrived(request.raw);
      if (error instanceof AppError) reject(error);
      else reject(new AppError('malformed', 'The request cannot be read'));
    };
    const take = (chunk: Buffer) => {
      const needed = length + chunk.length;
      if (needed > limit) return end(tooLarge(limit));
      if (needed > bytes.length) {
        const size = length === 0 ? needed : Math.max(needed, Math.min(2 * bytes.length, limit));
        try {
          memory.take(size - held.bytes);
        } catch (error) {
          return end(error);
        }
        held.bytes = size;
        const larger = length === 0 ? chunk : Buffer.allocUnsafeSlow(size);
        if (length > 0) bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      if (bytes !== chunk) chunk.copy(bytes, length);
      length = needed;
    };
    const finish = () => {
      if (!Number.isNaN(declared) && length !== declared) {
        return end(new AppError('malformed', 'The body is not as long as Content-Length says'));
      }
      payload.off('close', end);
      memory.arrived(request.raw);
      resolve(bytes.subarray(0, length));
    };
    memory.begin(request.raw);
    // One that we cut off ourselves is closed without an error.
    payload.on('data', take).on('end', finish).on('error', end).on('close', end);
  });
}

function tooLarge(limit: number): AppError {
  const size = limit < 1_048_576 ? `${limit / 1_024} KiB` : `${limit / 1_048_576} MiB`;
  return new AppError('too_large', `The body is larger than ${size}`);
}
