import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { limits } from '@classledger/contract';
import type { FastifyRequest } from 'fastify';
import { AppError, invalidValue } from '../errors/app-error.ts';
import type { BodyMemory } from './body-memory.ts';

/** Requests whose connection cannot be read any further. */
export const brokenRequests = new WeakSet<IncomingMessage>();

export interface Body extends Disposable {
  readonly value: unknown;
  /** The server waited for the body, for up to a minute. The caller's rights may have changed meanwhile. */
  readonly isLate: boolean;
}

const noBody: Body = { value: undefined, isLate: false, [Symbol.dispose]() {} };

const unreadable = () => new AppError('malformed', 'The request cannot be read');

/** Reads a JSON body; an empty one counts as none. @throws AppError too_large, malformed, unavailable */
export async function readBody(request: FastifyRequest, bytesMax: number, memory: BodyMemory): Promise<Body> {
  if (isLost(request.raw)) throw unreadable();
  if (!hasBody(request, 'application/json')) return noBody;
  const isLate = !request.raw.complete;
  const bytes = await readBytes(request.raw, bytesMax, memory);
  const { length } = bytes;
  try {
    const value = length === 0 ? undefined : parse(bytes, bytesMax);
    return { value, isLate, [Symbol.dispose]: () => memory.release(length) };
  } catch (error) {
    memory.release(length);
    throw error;
  }
}

/** Reads the fields of a form; empty without a body. @throws AppError too_large, malformed, unavailable */
export async function readForm(
  request: FastifyRequest,
  bytesMax: number,
  memory: BodyMemory,
): Promise<URLSearchParams> {
  if (isLost(request.raw)) throw unreadable();
  if (!hasBody(request, 'application/x-www-form-urlencoded')) return new URLSearchParams();
  const bytes = await readBytes(request.raw, bytesMax, memory);
  memory.release(bytes.length);
  if (!isUtf8(bytes)) throw new AppError('malformed', 'The body is not UTF-8');
  return new URLSearchParams(bytes.toString('utf8'));
}

/** Returns whether the body broke off, or Node discarded it because the client disconnected before we read it. */
function isLost(raw: IncomingMessage): boolean {
  const { complete, destroyed } = raw;
  return complete ? destroyed && announcesBody(raw) : destroyed || brokenRequests.has(raw);
}

export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function hasBody({ method, headers, mediaType }: FastifyRequest, wanted: string): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const length = headers['content-length'] ?? '0';
  if (headers['content-type'] === undefined && headers['transfer-encoding'] === undefined && length === '0') {
    return false;
  }
  if (mediaType !== wanted) throw new AppError('malformed', `The body must be sent as ${wanted}`);
  return true;
}

function parse(bytes: Buffer, bytesMax: number): unknown {
  if (!isUtf8(bytes)) throw new AppError('malformed', 'The body is not UTF-8');
  assertCheapJson(bytes, bytesMax > limits.bodyBytesMax ? importValuesMax : valuesMax);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('malformed', 'The body is not valid JSON');
  }
}

/** Returns the bytes, which `memory` counts until the caller releases them. */
function readBytes(request: IncomingMessage, bytesMax: number, memory: BodyMemory): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  return new Promise((resolve, reject) => {
    if (declared > bytesMax) return reject(tooLarge(bytesMax));
    // The client disconnected before the body was read (see `isLost`).
    if (request.destroyed) return reject(unreadable());
    // Each takes little more than its bytes, because `ChunkJoiningMessage` joins small ones.
    const chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    const fail = (error?: unknown) => {
      if (isOver) return;
      isOver = true;
      request.off('data', append).off('end', finish).off('error', fail).off('close', fail);
      memory.endUpload(upload);
      memory.release(length);
      reject(error instanceof AppError ? error : unreadable());
    };
    const append = (chunk: Buffer) => {
      try {
        if (length + chunk.length > bytesMax) throw tooLarge(bytesMax);
        memory.reserve(chunk.length);
      } catch (error) {
        return fail(error);
      }
      length += chunk.length;
      chunks.push(chunk);
    };
    const finish = () => {
      if (!Number.isNaN(declared) && length !== declared) {
        return fail(new AppError('malformed', 'The body is not as long as Content-Length says'));
      }
      isOver = true;
      request.off('close', fail);
      memory.endUpload(upload);
      resolve(Buffer.concat(chunks, length));
    };
    const upload = memory.startUpload(request);
    // Listens to `close`, too, because a request that `BodyMemory` aborts emits no error.
    request.on('data', append).on('end', finish).on('error', fail).on('close', fail);
  });
}

function tooLarge(limit: number): AppError {
  const size = limit < 1_048_576 ? `${limit / 1_024} KiB` : `${limit / 1_048_576} MiB`;
  return new AppError('too_large', `The body is larger than ${size}`);
}

/** Five times the values of the largest bulk request. */
const valuesMax = 10_000;
/** Twice the values of an import of the most rows, each with all fields. */
const importValuesMax = 20 * limits.importRowsMax;
/** Deeper than any body of the contract. */
const depthMax = 20;

const quote = 0x22;
const backslash = 0x5c;

/** Refuses JSON that costs far more to parse than to send; invalid JSON may pass. @throws AppError invalid_value */
function assertCheapJson(bytes: Buffer, valuesMost: number): void {
  let values = 1;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
        break;
      case 0x2c: // ,
        values++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > depthMax) throw invalidValue(`The body is nested deeper than ${depthMax} levels`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  if (values > valuesMost) throw invalidValue(`The body holds more than ${valuesMost} values`);
}
