import {
  type Data,
  type ExternalOperation,
  type ExternalOperationId,
  type ExternalOperations,
  errorCodes,
  externalOperations,
  limits,
} from '@classledger/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertUsable, type Credential, type CredentialDirectory } from '../access/credential.ts';
import { SchoolData } from '../access/school-data.ts';
import type { UseCounts } from '../access/use-counts.ts';
import { AppError, notFound, unavailable } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { inTurnOf } from '../database/turns.ts';
import type { KeyClaim, KeysInUse, Replayed } from '../idempotency/idempotency-keys.ts';
import type { AuditLog } from './audit-log.ts';
import type { BodyMemory } from './body-memory.ts';
import { claimOf, dataOf, idsOf, openDoor, type RequestsUnderWay, type UnderWay } from './door.ts';
import { externalFailure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { compileInput, type Input } from './input.ts';
import { readBody } from './json-body.ts';
import { isRefused } from './load.ts';
import type { RateLimiter } from './rate-limit.ts';

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

/**
 * What answers each operation of the contract: one that is missing does not compile. Those that honour idempotency keys
 * may answer what they answered before.
 */
export type ExternalRoutes = {
  readonly [Id in ExternalOperationId]: (
    call: ExternalCall<ExternalOperations[Id]>,
  ) => Promise<
    Data<ExternalOperations[Id]> | (ExternalOperations[Id] extends { idempotent: true } ? Replayed : never)
  >;
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
  readonly routes: ExternalRoutes;
}

/** What the audit log tells of a request, known or not. */
interface Visit extends UnderWay {
  readonly startedAt: number;
  /** Asked for at once: a connection that is gone has no address any more. */
  readonly ip: string;
  credential: Credential | null;
  /** Whether the call passed authentication and so counts as a use of the credential. */
  counted: boolean;
  errorMessage: string | null;
}

/**
 * The external API under /api/v1. Every request goes one way: request id, authentication, rate limit,
 * permission, input, idempotency key, rule, envelope, audit (docs/contract.md, Order of checks).
 */
export async function externalDoor(app: FastifyInstance, options: ExternalDoorOptions): Promise<void> {
  const { db, audit, bodies, clock, failures, limiter, directory, keysInUse, keyLengthMax, uses } = options;

  const record = (
    request: FastifyRequest,
    { startedAt, ip, credential, counted }: Visit,
    statusCode: number,
    errorMessage: string | null,
  ) => {
    const at = clock();
    if (credential && counted) uses.add(credential.id, at, ip);
    audit.record({
      requestId: request.id,
      tokenId: credential?.id ?? null,
      tokenPrefix: credential?.prefix ?? null,
      schoolId: credential?.range.schoolId ?? null,
      method: request.method,
      path: storable(request.originalUrl.split('?', 1)[0] ?? '', 500),
      statusCode,
      latencyMs: Math.round((performance.now() - startedAt) * 100) / 100,
      ip,
      userAgent: userAgent(request),
      errorMessage,
      at,
    });
  };

  /** Who calls, as far as everyone is asked: the first steps of all requests. */
  const enter = async (request: FastifyRequest, reply: FastifyReply, visit: Visit): Promise<Caller> => {
    const token = presentedToken(request);
    if (isRefused(request.raw)) {
      // Who calls is told from memory: a full server asks the database nothing.
      visit.credential = directory.remembered(token ?? '');
      throw unavailable();
    }
    const caller = await authenticate(token, visit, directory, clock());
    limit(limiter, caller.credential, request, reply);
    return caller;
  };

  const add = openDoor<Visit>(app, options.underWay, {
    arrived: (request) => {
      const visit: Visit = {
        startedAt: performance.now(),
        ip: request.ip ?? '',
        credential: null,
        counted: false,
        errorMessage: null,
        cutOff: () => record(request, visit, errorCodes[50301].status, cutOffMessage),
      };
      return visit;
    },
    lost: async (request, reply, visit) => {
      await enter(request, reply, visit);
      // Nothing else about the request matters then, not even its body.
      throw notFound('The path or method');
    },
    refusal: (error, request, reply, visit) => {
      const { status, code, message, retryAfterSeconds, internal } = externalFailure(error, request.method);
      if (internal) failures.report(error, 'internal error', { requestId: request.id });
      // What a conflict quotes is a name that somebody has; the log holds ids only.
      visit.errorMessage = status === 409 ? message.replace(/"(?:\\.|[^"\\])*"/g, '"…"') : message;
      reply.code(status);
      if (status === 401) reply.header('www-authenticate', 'Bearer');
      if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
      return { code, message, data: null, requestId: request.id };
    },
    answered: (request, reply, visit) => record(request, visit, reply.statusCode, visit.errorMessage),
  });

  const addOperation = <Id extends ExternalOperationId>(id: Id) => {
    const operation = externalOperations[id];
    const read = compileInput(operation);
    const rule = options.routes[id];
    const { idempotent }: ExternalOperation = operation;
    const keyed = idempotent ? { prefix: externalPrefix, operation, keyLengthMax } : null;

    add(operation, envelopeOf(operation.data), async (request, reply, visit) => {
      const { credential, token } = await enter(request, reply, visit);
      admit(operation, credential, request, reply);
      using body = await readBody(request, limits.bodyBytesMax, bodies);
      const input = read({ params: request.params, query: request.query, body: body.value });
      const data = new SchoolData(db, credential.range);
      const owner = `token ${credential.id}`;
      const { schoolId } = data;
      const key = keyed && claimOf(request, keyed, input.params, { schoolId, owner, secret: token });
      const call = { ...input, credential, data, at: clock(), key };
      const answer = await inTurnOf(schoolId, owner, () => keysInUse.hold(key, data, () => rule(call)));
      return { code: 0, message: 'ok', data: dataOf(answer, reply), requestId: request.id };
    });
  };
  idsOf(externalOperations).forEach(addOperation);
}

const cutOffMessage = 'Cut off when the server stopped; it may have taken effect';

/** The fields that leave in an answer, and no others. */
const envelopeOf = (data: object) => ({
  code: { type: 'integer' },
  message: { type: 'string' },
  data,
  requestId: { type: 'string' },
});

interface Caller {
  readonly credential: Credential;
  /** The plaintext. */
  readonly token: string;
}

/** The steps of docs/contract.md, Credentials, in their order. A known credential is audited even when refused. */
async function authenticate(
  token: string | null,
  visit: Visit,
  directory: CredentialDirectory,
  now: Date,
): Promise<Caller> {
  if (token === null) {
    throw new AppError(
      'token_missing',
      'Send the credential as Authorization: Bearer <token> or X-API-Token',
    );
  }
  const credential = directory.remembered(token) ?? (await inTurnOf(0, token, () => directory.find(token)));
  if (!credential) throw new AppError('token_invalid', 'The credential is not known');
  visit.credential = credential;
  assertUsable(credential, now);
  visit.counted = true;
  return { credential, token };
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
