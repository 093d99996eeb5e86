import { Readable } from 'node:stream';
import type { ExternalOperation, InternalOperation } from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, notFound } from '../app-error.ts';
import { type KeyClaim, Replayed } from '../idempotency/idempotency-keys.ts';
import { Line, type Place } from '../line.ts';
import type { DoorName } from '../telemetry/metrics.ts';
import { traceHeader, traceOf } from '../telemetry/trace-context.ts';
import { isKnownToClient } from './entity-tags.ts';
import { KnownPaths } from './known-paths.ts';
import type { RequestWatch } from './request-watch.ts';
import { isRead, JsonAnswer, type Sending } from './sending.ts';

/** Runs an operation and returns the envelope; a stream for a list that is too long to build at once. */
type Steps<V> = (request: FastifyRequest, reply: FastifyReply, visit: V) => Promise<object | Readable>;

interface Manners<V> {
  readonly name: DoorName;
  /** Creates the state of a request. `startedAt` is a moment of `performance.now()`. */
  readonly arrived: (request: FastifyRequest, startedAt: number) => V;
  /** Runs the first checks, also for unknown paths. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply, visit: V) => Promise<unknown>;
  /** Returns the error envelope, and sets status and headers. */
  readonly refusal: (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    visit: V,
  ) => object & { readonly code?: number };
  readonly tagsReads?: true;
  /** Runs before an answer is sent, unless a stop has cut the request off. */
  readonly answered: (request: FastifyRequest, reply: FastifyReply, visit: V) => void;
}

export interface Around {
  readonly underWay: RequestsUnderWay;
  readonly watch: RequestWatch;
  readonly sending: Sending;
}

const json = 'application/json; charset=utf-8';

/** Fastify requires a handler; `onRequest` has already answered. */
const answeredBefore = () => {
  throw new Error('A door answers before Fastify reads a body');
};

/**
 * Registers a door: an API below the prefix of `app`. It answers in `onRequest`, before Fastify reads the body, because
 * it identifies the caller first.
 *
 * @returns a function that adds an operation, with the fields of its envelope
 */
export function openDoor<V extends UnderWay>(
  app: FastifyInstance,
  { underWay, watch, sending }: Around,
  { name, arrived, enter, refusal, tagsReads, answered }: Manners<V>,
) {
  const paths = new KnownPaths();
  const answering = (operation: string, steps: Steps<V>) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const startedAt = performance.now();
      const visit = arrived(request, startedAt);
      const place = underWay.began(visit);
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'content-type': json });
      const trace = traceOf(request);
      if (trace) reply.header('traceresponse', traceHeader(trace));
      let body: string | JsonAnswer | Readable | undefined;
      let isOpen = false;
      let code = 200;
      try {
        const made = await steps(request, reply, visit);
        const isMade = made instanceof Readable || made instanceof JsonAnswer;
        body = isMade ? made : (reply.serialize(made) as string);
        if (tagsReads && isRead(request) && isKnownToClient(request, reply, body)) {
          code = 304;
          body = undefined;
        }
      } catch (error) {
        const refused = refusal(error, request, reply, visit);
        body = JSON.stringify(refused);
        code = refused.code ?? reply.statusCode;
        watch.refused(request, name, error);
      } finally {
        // Also when `refusal` throws: a stop waits for active requests.
        isOpen = underWay.ended(place);
      }
      if (isOpen) answered(request, reply, visit);
      watch.answered(request, name, operation, code, startedAt);
      if (request.method === 'HEAD' && body instanceof Readable) {
        body.destroy();
        body = undefined;
      }
      await sending.send(request, reply, body);
    };
    return (request: FastifyRequest, reply: FastifyReply, failed: (error: Error) => void) => {
      answer(request, reply).catch(failed);
    };
  };

  const answerLost = answering('', async (request, reply, visit) => {
    await enter(request, reply, visit);
    const allowed = paths.methodsOf(request.originalUrl);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    // Thrown before the body is read: for an unknown path the body does not matter.
    throw notFound('The path or method');
  });
  app.addHook('onRequest', (request, reply, goOn) => {
    if (request.is404) answerLost(request, reply, goOn);
    else goOn();
  });
  app.setNotFoundHandler(answeredBefore);

  return (
    {
      id,
      method,
      path,
    }: Pick<ExternalOperation | InternalOperation, 'method' | 'path'> & { readonly id: string },
    envelope: Readonly<Record<string, object>>,
    steps: Steps<V>,
  ) => {
    paths.add(method, app.prefix + path);
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      exposeHeadRoute: false,
      url: path,
      onRequest: answering(id, steps),
      handler: answeredBefore,
      schema: { response: { 200: { type: 'object', properties: envelope } } },
    });
  };
}

/** Returns the data of an answer. Sets headers when the answer is replayed for its idempotency key. */
export function dataOf(answer: unknown, reply: FastifyReply): unknown {
  if (!(answer instanceof Replayed)) return answer;
  reply.headers({ 'idempotency-replayed': 'true', 'original-request-id': answer.requestId });
  return answer.data;
}

/** Returns the keys of an object with their type, which `Object.keys` loses. */
export function idsOf<T extends object>(byId: T): (keyof T & string)[] {
  const ids: (keyof T & string)[] = [];
  for (const id in byId) ids.push(id);
  return ids;
}

interface Keyed {
  readonly prefix: string;
  readonly operation: { readonly method: string; readonly path: string };
  readonly keyLengthMax: number;
}

/**
 * Returns the claim of a request on its trimmed Idempotency-Key; null without one. A path can be written in several
 * ways, so the claim names the operation's path with its ids.
 *
 * @throws AppError invalid_value when the key is empty or too long
 */
export function claimOf(
  request: FastifyRequest,
  { prefix, operation, keyLengthMax }: Keyed,
  params: Readonly<Record<string, number>>,
  by: Pick<KeyClaim, 'schoolId' | 'owner' | 'secret'>,
): KeyClaim | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = (Array.isArray(header) ? header.join(', ') : header).trim();
  if (key.length === 0 || key.length > keyLengthMax) {
    throw new AppError('invalid_value', `Idempotency-Key must have 1 to ${keyLengthMax} characters`);
  }
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => String(params[name]));
  return { ...by, key, endpoint: `${operation.method} ${prefix}${path}`, requestId: request.id };
}

export interface UnderWay {
  /** Records the request as cut off: the stop does not wait for its end. */
  cutOff(): void;
}

/** Tracks active requests, also those whose caller has left: a stop waits for them. */
export class RequestsUnderWay {
  readonly #open = new Line<UnderWay>();
  #whenIdle: (() => void)[] = [];

  get count(): number {
    return this.#open.length;
  }

  began(request: UnderWay): Place<UnderWay> {
    return this.#open.join(request);
  }

  /** @returns false when a stop has cut the request off; then its answer is not recorded */
  ended(request: Place<UnderWay>): boolean {
    const wasOpen = this.#open.leave(request);
    this.#tellIfIdle();
    return wasOpen;
  }

  async idle(): Promise<void> {
    if (this.#open.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  cut(): void {
    for (const request of this.#open.leaving()) request.cutOff();
    this.#tellIfIdle();
  }

  #tellIfIdle(): void {
    if (this.#open.length === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }
}
