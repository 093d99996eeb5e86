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

/**
 * What a request goes through, in its order: from who calls to the envelope of the answer. Each step is given what the
 * steps before it made. A list that is too long to be made at once is a stream.
 */
type Steps<V> = (request: FastifyRequest, reply: FastifyReply, visit: V) => Promise<object | Readable>;

/** What a door does in a way of its own. */
interface Manners<V> {
  readonly name: DoorName;
  /** What is kept of a request from its beginning, a moment of `performance.now()`. */
  readonly arrived: (request: FastifyRequest, startedAt: number) => V;
  /** The first steps of all requests: who calls, as far as everyone is asked. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply, visit: V) => Promise<unknown>;
  /** The envelope of what a request is refused with, whose status and headers it sets. */
  readonly refusal: (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    visit: V,
  ) => object & { readonly code?: number };
  /** Whether its reads have an ETag. */
  readonly tagsReads?: true;
  /** Told of every answer before it is sent, unless the stop has given the request up. */
  readonly answered: (request: FastifyRequest, reply: FastifyReply, visit: V) => void;
}

/** What all doors share. */
export interface Around {
  readonly underWay: RequestsUnderWay;
  readonly watch: RequestWatch;
  readonly sending: Sending;
}

const json = 'application/json; charset=utf-8';

/** Fastify wants a handler, but a door has answered when one would be called. */
const answeredBefore = () => {
  throw new Error('A door answers before Fastify reads a body');
};

/**
 * Opens a door: every request below its prefix is answered by the steps of its operation, in one piece. That is done
 * before Fastify reads the body, because a door first asks who sends it.
 *
 * @returns adds an operation, with the fields of its envelope and its steps
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
        // Even where refusing fails: a stop waits for what is under way.
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
    // Nothing else about the request matters then, not even its body.
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

/** The data of an answer. That an earlier request with the same key was given it already is told in headers. */
export function dataOf(answer: unknown, reply: FastifyReply): unknown {
  if (!(answer instanceof Replayed)) return answer;
  reply.headers({ 'idempotency-replayed': 'true', 'original-request-id': answer.requestId });
  return answer.data;
}

/** The ids of a record, as a list that can be gone through with the type of each. */
export function idsOf<T extends object>(byId: T): (keyof T & string)[] {
  const ids: (keyof T & string)[] = [];
  for (const id in byId) ids.push(id);
  return ids;
}

/** An operation that honours idempotency keys. */
interface Keyed {
  /** Of the door. */
  readonly prefix: string;
  readonly operation: { readonly method: string; readonly path: string };
  readonly keyLengthMax: number;
}

/**
 * The claim of a request on its trimmed Idempotency-Key; null without one. It belongs to method and path with its ids,
 * however the path was written.
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

/** A request that is being worked on. */
export interface UnderWay {
  /** Leaves a record of it when the stop does not wait for its end. */
  cutOff(): void;
}

/**
 * The requests that are being worked on, whether their callers still wait or not: what a stop has to let finish
 * after the last connection is closed.
 */
export class RequestsUnderWay {
  readonly #open = new Line<UnderWay>();
  #whenIdle: (() => void)[] = [];

  get count(): number {
    return this.#open.length;
  }

  began(request: UnderWay): Place<UnderWay> {
    return this.#open.join(request);
  }

  /** @returns false for a request that had been given up, and of which nothing more is to be recorded */
  ended(request: Place<UnderWay>): boolean {
    const wasOpen = this.#open.leave(request);
    this.#tellIfIdle();
    return wasOpen;
  }

  async idle(): Promise<void> {
    if (this.#open.length > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Gives up what is not finished; whatever becomes of it, it is on record. */
  cut(): void {
    for (const request of this.#open.leaving()) request.cutOff();
    this.#tellIfIdle();
  }

  #tellIfIdle(): void {
    if (this.#open.length === 0) for (const tell of this.#whenIdle.splice(0)) tell();
  }
}
