import {
  type Data,
  type ExternalOperation,
  type ExternalOperations,
  errorCodes,
  externalOperations,
  limits,
} from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertUsable, type Credential } from '../access/credential.ts';
import type { CredentialDirectory } from '../access/credential-directory.ts';
import { SchoolData } from '../access/school-data.ts';
import type { UseCounts } from '../access/use-counts.ts';
import { AppError, notFound, unavailable } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { inTurnOf } from '../database/turns.ts';
import { type KeyClaim, type KeysInUse, Replayed } from '../idempotency/idempotency-keys.ts';
import type { AuditLog } from './audit-log.ts';
import type { BodyMemory } from './body-memory.ts';
import { externalFailure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { endpointOf, idempotencyKeyOf } from './idempotency-header.ts';
import { compileInput, type Input } from './input.ts';
import { readJsonBodies } from './json-body.ts';
import { isRefused } from './load.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestsUnderWay } from './requests-under-way.ts';

export const externalPrefix = '/api/v1';

/** One authenticated, permitted and well-formed call, as a rule's adapter receives it. */
export interface ExternalCall<O extends ExternalOperation> extends Input<O> {
  readonly credential: Credential;
  /** The school's data as far as the credential reaches. */
  readonly data: SchoolData;
  readonly at: Date;
  /** Set on operations that honour idempotency keys, when the caller sent one. */
  readonly key: KeyClaim | null;
}

/** Answers an operation; one that honours idempotency keys may answer with what it answered before. */
export type ExternalHandler<O extends ExternalOperation> = (
  call: ExternalCall<O>,
) => Promise<Data<O> | (O extends { idempotent: true } ? Replayed : never)>;

/** A handler for every operation of the contract: one that is missing does not compile. */
export type ExternalHandlers = {
  readonly [Id in keyof ExternalOperations]: ExternalHandler<ExternalOperations[Id]>;
};

export interface ExternalDoorOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly directory: CredentialDirectory;
  readonly limiter: RateLimiter;
  readonly audit: AuditLog;
  readonly failures: FailureLog;
  readonly bodies: BodyMemory;
  readonly uses: UseCounts;
  readonly underWay: RequestsUnderWay;
  readonly keysInUse: KeysInUse;
  readonly keyLengthMax: number;
  readonly handlers: ExternalHandlers;
}

/** What the door knows about a request beside what Fastify does. */
interface Visit {
  readonly startedAt: number;
  /** Asked for at once: a connection that is gone has no address any more. */
  readonly ip: string;
  credential: Credential | null;
  /** Whether the call passed authentication and so counts as a use of the credential. */
  counted: boolean;
  errorMessage: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
  interface FastifyContextConfig {
    operation?: ExternalOperation;
  }
}

/**
 * The external API under /api/v1. Every request goes one way: request id, authentication, rate limit,
 * permission, input, rule, envelope, audit (docs/contract.md, Order of checks).
 */
export async function externalDoor(app: FastifyInstance, options: ExternalDoorOptions): Promise<void> {
  const { audit, bodies, clock, failures, limiter, directory, underWay, uses } = options;
  readJsonBodies(app, () => bodies);
  app.decorateRequest('visit');

  app.addHook('onRequest', async (request, reply) => {
    underWay.began(request.id, () => {
      record(request, errorCodes[50301].status, 'Cut off when the server stopped; it may have taken effect');
    });
    request.visit = {
      startedAt: performance.now(),
      ip: request.ip ?? '',
      credential: null,
      counted: false,
      errorMessage: null,
    };
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    if (isRefused(request.raw)) {
      // Who calls is told from memory: a full server asks the database nothing.
      request.visit.credential = directory.remembered(presentedToken(request) ?? '');
      throw unavailable();
    }
    const credential = await authenticate(request, directory, clock());
    limit(limiter, credential, request, reply);
    const { operation } = request.routeOptions.config;
    // Nothing else about the request matters then, not even its body.
    if (!operation) throw notFound('The path or method');
    admit(operation, credential, request, reply);
  });

  app.setNotFoundHandler(() => {
    throw notFound('The path or method');
  });

  app.setErrorHandler((error, request, reply) => {
    const { status, code, message, retryAfterSeconds, internal } = externalFailure(error, request.method);
    if (internal) failures.report(error, 'internal error', { requestId: request.id });
    request.visit.errorMessage = message;
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send({ code, message, data: null, requestId: request.id });
  });

  const record = (request: FastifyRequest, statusCode: number, errorMessage: string | null) => {
    const { visit } = request;
    const at = clock();
    if (visit.credential && visit.counted) uses.add(visit.credential.id, at, visit.ip);
    audit.record({
      requestId: request.id,
      tokenId: visit.credential?.id ?? null,
      tokenPrefix: visit.credential?.prefix ?? null,
      schoolId: visit.credential?.range.schoolId ?? null,
      method: request.method,
      path: storable(request.originalUrl.split('?', 1)[0] ?? '', 500),
      statusCode,
      latencyMs: Math.round((performance.now() - visit.startedAt) * 100) / 100,
      ip: visit.ip,
      userAgent: userAgent(request),
      errorMessage,
      at,
    });
  };

  app.addHook('onSend', async (request, reply) => {
    if (!underWay.ended(request.id)) return;
    record(request, reply.statusCode, request.visit.errorMessage);
  });

  for (const [id, operation] of Object.entries(externalOperations)) {
    const handler = options.handlers[id as keyof ExternalHandlers] as ExternalHandler<ExternalOperation>;
    addRoute(app, operation, handler, options);
  }
}

function addRoute(
  app: FastifyInstance,
  operation: ExternalOperation,
  handler: ExternalHandler<ExternalOperation>,
  { db, clock, keysInUse, keyLengthMax }: ExternalDoorOptions,
): void {
  const read = compileInput(operation);
  app.route({
    method: operation.method,
    url: operation.path,
    bodyLimit: limits.bodyBytesMax,
    config: { operation },
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            code: { type: 'integer' },
            message: { type: 'string' },
            data: operation.data,
            requestId: { type: 'string' },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const credential = request.visit.credential as Credential;
      const input = read(request);
      const key = operation.idempotent
        ? claimOf(request, credential, endpointOf(externalPrefix, operation, input.params), keyLengthMax)
        : null;
      const data = new SchoolData(db, credential.range);
      const call = { ...input, credential, data, at: clock(), key };
      const answer = await inTurnOf(credential.range.schoolId, `token ${credential.id}`, () =>
        key ? keysInUse.hold(data, key, () => handler(call)) : handler(call),
      );
      if (answer instanceof Replayed) {
        reply.headers({ 'idempotency-replayed': 'true', 'original-request-id': answer.requestId });
        return { code: 0, message: 'ok', data: answer.data, requestId: request.id };
      }
      return { code: 0, message: 'ok', data: answer, requestId: request.id };
    },
  });
}

/** The checks of docs/contract.md, Credentials, in that order. A known credential is remembered for the audit even when refused. */
async function authenticate(
  request: FastifyRequest,
  directory: CredentialDirectory,
  now: Date,
): Promise<Credential> {
  const plaintext = presentedToken(request);
  if (plaintext === null) {
    throw new AppError(
      'token_missing',
      'Send the credential as Authorization: Bearer <token> or X-API-Token',
    );
  }
  const credential =
    directory.remembered(plaintext) ?? (await inTurnOf(0, plaintext, () => directory.find(plaintext)));
  if (!credential) throw new AppError('token_invalid', 'The credential is not known');
  request.visit.credential = credential;
  assertUsable(credential, now);
  request.visit.counted = true;
  return credential;
}

/** The token in the Authorization header, or else in X-API-Token. */
function presentedToken(request: FastifyRequest): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const header = request.headers['x-api-token'];
  const token = (Array.isArray(header) ? header[0] : header)?.trim();
  return token || null;
}

function limit(
  limiter: RateLimiter,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const isWrite = request.method === 'POST' || request.method === 'PATCH' || request.method === 'DELETE';
  const verdict = limiter.take(credential.id, isWrite);
  reply.headers({
    'x-ratelimit-limit': verdict.limit,
    'x-ratelimit-remaining': verdict.remaining,
    'x-ratelimit-reset': verdict.resetSeconds,
    ratelimit: verdict.summary,
    'ratelimit-policy': limiter.policy,
  });
  if (verdict.allowed) return;
  const seconds = verdict.resetSeconds;
  throw new AppError('rate_limited', `Too many requests; try again in ${seconds} s`, seconds);
}

/** What can be refused before the input is looked at: permission, scope type, confirmation. */
function admit(
  operation: ExternalOperation,
  credential: Credential,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (operation.permission !== null && !credential.permissions.has(operation.permission)) {
    reply.header('x-accepted-permissions', operation.permission);
    throw new AppError('permission_denied', `The credential lacks the permission ${operation.permission}`);
  }
  if (!operation.scopeTypes.includes(credential.scopeType)) {
    throw new AppError('out_of_range', `A credential for one ${credential.scopeType} may not do this`);
  }
  if (operation.destructive && (request.query as { confirm?: unknown }).confirm !== 'true') {
    throw new AppError('unconfirmed', 'This deletes data; confirm it with confirm=true in the query');
  }
}

/** The claim of a request on its Idempotency-Key; null without one. */
function claimOf(
  request: FastifyRequest,
  credential: Credential,
  endpoint: string,
  lengthMax: number,
): KeyClaim | null {
  const key = idempotencyKeyOf(request, lengthMax);
  if (key === null) return null;
  return {
    schoolId: credential.range.schoolId,
    owner: `token ${credential.id}`,
    key,
    endpoint,
    requestId: request.id,
    secret: presentedToken(request) as string,
  };
}

function userAgent(request: FastifyRequest): string | null {
  const header = request.headers['user-agent'];
  return header === undefined ? null : storable(header, 500);
}

/** Text that came from outside, cut to what the audit log keeps of it. */
function storable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed().replaceAll('\0', '�');
}

/** Audits a request that could not even be parsed as HTTP. */
export function recordProtocolError(
  audit: AuditLog,
  error: { requestId: string; method: string; path: string; message: string; ip: string; at: Date },
): void {
  audit.record({
    requestId: error.requestId,
    tokenId: null,
    tokenPrefix: null,
    schoolId: null,
    method: storable(error.method, 20),
    path: storable(error.path, 500),
    statusCode: errorCodes[40001].status,
    latencyMs: 0,
    ip: error.ip,
    userAgent: null,
    errorMessage: error.message,
    at: error.at,
  });
}
