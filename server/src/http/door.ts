import { Readable } from 'node:stream';
import type { ExternalOperation, InternalOperation } from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { type KeyClaim, Replayed } from '../idempotency/idempotency-keys.ts';
import { Line, type Place } from '../line.ts';

/**
 * What a request goes through, in its order: from who calls to the envelope of the answer. Each step is given what the
 * steps before it made. A list that is too long to be made at once is a stream.
 */
type Steps<V> = (request: FastifyRequest, reply: FastifyReply, visit: V) => Promise<object | Readable>;

/** What a door does in a way of its own. */
interface Manners<V> {
  /** What is kept of a request from its beginning. */
  readonly arrived: (request: FastifyRequest) => V;
  /** For what names no operation. */
  readonly lost: Steps<V>;
  /** The envelope of what a request is refused with, whose status and headers it sets. */
  readonly refusal: (error: unknown, request: FastifyRequest, reply: FastifyReply, visit: V) => object;
  /** Told of every answer before it is sent, unless the stop has given the request up. */
  readonly answered: (request: FastifyRequest, reply: FastifyReply, visit: V) => void;
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
  underWay: RequestsUnderWay,
  { arrived, lost, refusal, answered }: Manners<V>,
) {
  const answering = (steps: Steps<V>) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const visit = arrived(request);
      const place = underWay.began(visit);
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'content-type': json });
      let body: unknown;
      let isOpen = false;
      try {
        const made = await steps(request, reply, visit);
        body = made instanceof Readable ? made : reply.serialize(made);
      } catch (error) {
        body = JSON.stringify(refusal(error, request, reply, visit));
      } finally {
        // Even where refusing fails: a stop waits for what is under way.
        isOpen = underWay.ended(place);
      }
      if (isOpen) answered(request, reply, visit);
      reply.send(body);
    };
    return (request: FastifyRequest, reply: FastifyReply, failed: (error: Error) => void) => {
      answer(request, reply).catch(failed);
    };
  };

  const answerLost = answering(lost);
  app.addHook('onRequest', (request, reply, goOn) => {
    if (request.is404) answerLost(request, reply, goOn);
    else goOn();
  });
  app.setNotFoundHandler(answeredBefore);

  return (
    { method, path }: ExternalOperation | InternalOperation,
    envelope: Readonly<Record<string, object>>,
    steps: Steps<V>,
  ) => {
    app.route({
      method,
      url: path,
      onRequest: answering(steps),
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
