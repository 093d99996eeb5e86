import { Readable } from 'node:stream';
import type { Method } from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LinkedList, type ListNode } from '../concurrency/linked-list.ts';
import { AppError, notFound } from '../errors/app-error.ts';
import { type KeyClaim, ReplayedAnswer } from '../idempotency/idempotency-keys.ts';
import type { ApiName } from '../telemetry/metrics.ts';
import { traceHeader, traceOf } from '../telemetry/trace-context.ts';
import { type AnswerSender, applyEntityTag, isRead, JsonAnswer } from './answer-sender.ts';
import { KnownPaths } from './request-parts.ts';
import type { RequestWatch } from './request-watch.ts';

/** Runs an operation and returns the envelope; a stream for a list that is too long to build at once. */
type Handler<V> = (request: FastifyRequest, reply: FastifyReply, state: V) => Promise<object | Readable>;

interface ApiOptions<V> {
  readonly name: ApiName;
  /** `startedAt` is a moment of `performance.now()`. */
  readonly createState: (request: FastifyRequest, startedAt: number) => V;
  /** Runs the first checks, also for unknown paths. */
  readonly checkCaller: (request: FastifyRequest, reply: FastifyReply, state: V) => Promise<unknown>;
  readonly toErrorEnvelope: (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    state: V,
  ) => object & { readonly code?: number };
  readonly tagsReads?: true;
  /** Runs before an answer is sent, unless a stop has cut the request off. */
  readonly onAnswered: (request: FastifyRequest, reply: FastifyReply, state: V) => void;
}

interface ApiOperation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  /** The answer holds secrets, so it is never compressed. */
  readonly secret?: true;
}

export interface ApiContext {
  readonly activeRequests: ActiveRequests;
  readonly watch: RequestWatch;
  readonly sender: AnswerSender;
}

const json = 'application/json; charset=utf-8';

/** Fastify requires a handler; `onRequest` has already answered. */
const unreachable = () => {
  throw new Error('Unreachable: onRequest has already answered this request');
};

/**
 * Registers an API below the prefix of `app`. It answers in `onRequest`, before Fastify reads the body, because
 * it identifies the caller first.
 *
 * @returns a function that adds an operation, given the fields of its envelope and its handler
 */
export function registerApi<V extends ActiveRequest>(
  app: FastifyInstance,
  { activeRequests, watch, sender }: ApiContext,
  { name, createState, checkCaller, toErrorEnvelope, tagsReads, onAnswered }: ApiOptions<V>,
) {
  const paths = new KnownPaths();
  const createHook = (operation: string, handler: Handler<V>, isSecret = false) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      const startedAt = performance.now();
      const state = createState(request, startedAt);
      const activeRequest = activeRequests.add(state);
      reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'content-type': json });
      const trace = traceOf(request);
      if (trace) reply.header('traceresponse', traceHeader(trace));
      let body: string | JsonAnswer | Readable | undefined;
      let isAnswerWanted = false;
      let code = 200;
      try {
        const result = await handler(request, reply, state);
        const isSerialized = result instanceof Readable || result instanceof JsonAnswer;
        body = isSerialized ? result : (reply.serialize(result) as string);
        if (tagsReads && isRead(request) && applyEntityTag(request, reply, body)) {
          code = 304;
          body = undefined;
        }
      } catch (error) {
        const envelope = toErrorEnvelope(error, request, reply, state);
        body = JSON.stringify(envelope);
        code = envelope.code ?? reply.statusCode;
        watch.recordRefusal(request, name, error);
      } finally {
        // Also runs when `toErrorEnvelope` throws, because a stop waits for active requests.
        isAnswerWanted = activeRequests.remove(activeRequest);
      }
      if (isAnswerWanted) onAnswered(request, reply, state);
      watch.recordAnswer(request, name, operation, code, startedAt);
      if (request.method === 'HEAD' && body instanceof Readable) {
        body.destroy();
        body = undefined;
      }
      await sender.send(request, reply, body, isSecret);
    };
    return (request: FastifyRequest, reply: FastifyReply, failed: (error: Error) => void) => {
      answer(request, reply).catch(failed);
    };
  };

  const answerNotFound = createHook('', async (request, reply, state) => {
    await checkCaller(request, reply, state);
    const allowed = paths.methodsOf(request.originalUrl);
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    // Leaves the body unread.
    throw notFound('The path or method');
  });
  app.addHook('onRequest', (request, reply, next) => {
    if (request.is404) answerNotFound(request, reply, next);
    else next();
  });
  app.setNotFoundHandler(unreachable);

  return (
    { id, method, path, secret }: ApiOperation,
    envelope: Readonly<Record<string, object>>,
    handler: Handler<V>,
  ) => {
    paths.add(method, app.prefix + path);
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      exposeHeadRoute: false,
      url: path,
      onRequest: createHook(id, handler, secret),
      handler: unreachable,
      schema: { response: { 200: { type: 'object', properties: envelope } } },
    });
  };
}

/** Returns the data of an answer. Sets headers when the answer is replayed for its idempotency key. */
export function unwrapReplay(answer: unknown, reply: FastifyReply): unknown {
  if (!(answer instanceof ReplayedAnswer)) return answer;
  reply.headers({ 'idempotency-replayed': 'true', 'original-request-id': answer.requestId });
  return answer.data;
}

interface KeyedOperation {
  readonly prefix: string;
  readonly operation: { readonly method: string; readonly path: string };
  readonly keyLengthMax: number;
}

/** Returns the claim on the trimmed Idempotency-Key; null without a key. @throws AppError invalid_value */
export function readKeyClaim(
  request: FastifyRequest,
  { prefix, operation, keyLengthMax }: KeyedOperation,
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

export interface ActiveRequest {
  /** Records that the server stops before the request has ended. */
  cutOff(): void;
}

/** Tracks active requests, even after their callers have disconnected, because a stop waits for all of them. */
export class ActiveRequests {
  readonly #open = new LinkedList<ActiveRequest>();
  #idleCallbacks: (() => void)[] = [];

  get count(): number {
    return this.#open.length;
  }

  add(request: ActiveRequest): ListNode<ActiveRequest> {
    return this.#open.append(request);
  }

  /** @returns false when a stop has cut the request off; then its answer is not recorded */
  remove(request: ListNode<ActiveRequest>): boolean {
    const wasOpen = this.#open.remove(request);
    this.#notifyIfIdle();
    return wasOpen;
  }

  async waitUntilIdle(): Promise<void> {
    if (this.#open.length > 0) await new Promise<void>((resolve) => this.#idleCallbacks.push(resolve));
  }

  cutOffAll(): void {
    for (const request of this.#open.drain()) request.cutOff();
    this.#notifyIfIdle();
  }

  #notifyIfIdle(): void {
    if (this.#open.length === 0) for (const callback of this.#idleCallbacks.splice(0)) callback();
  }
}
