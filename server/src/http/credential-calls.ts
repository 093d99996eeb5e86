import { httpStatusOf } from '@classledger/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallRequirements, findRefusal } from '../access/admission.ts';
import { assertUsable, type Credential } from '../access/credential.ts';
import type { CredentialDirectory } from '../access/credential-directory.ts';
import { hashToken, isWellFormedToken } from '../access/token.ts';
import type { UseCounts } from '../access/use-counts.ts';
import { runAs } from '../database/caller.ts';
import type { Database } from '../database/connect.ts';
import { AppError, PermissionMissingError, unavailable } from '../errors/app-error.ts';
import { requestLogFields } from '../telemetry/trace-context.ts';
import type { Clock } from '../time/clock.ts';
import type { ActiveRequest, ApiContext } from './api.ts';
import type { AuditLog } from './audit-log.ts';
import type { BodyMemory } from './body-memory.ts';
import { externalFailure, type Failure } from './envelopes.ts';
import type { FailureLog } from './failure-log.ts';
import { isRefused } from './load.ts';
import type { RateLimiter, RateLimitVerdict } from './rate-limit.ts';
import { addressOf, pathOf } from './request-parts.ts';

/** Methods that count as writes, even when the call fails. */
const writeMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface CallState extends ActiveRequest {
  readonly startedAt: number;
  /** Read at the start, because a closed connection has no address. */
  readonly ip: string;
  credential: Credential | null;
  isCounted: boolean;
  errorMessage: string | null;
}

/** The credential that a call names. */
export interface PresentedCredential {
  /** Null when it is malformed, so that no credential can match. */
  readonly hash: Buffer | null;
  /** When an access token expires; null for a credential. */
  readonly expiresAt: number | null;
}

export const presentedToken = (token: string): PresentedCredential => ({
  hash: isWellFormedToken(token) ? hashToken(token) : null,
  expiresAt: null,
});

export interface CredentialApiOptions extends ApiContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly directory: CredentialDirectory;
  readonly limiter: RateLimiter;
  readonly audit: AuditLog;
  readonly failures: FailureLog;
  readonly bodies: BodyMemory;
  readonly uses: UseCounts;
}

const cutOffMessage = 'Cut off when the server stopped; it may have taken effect';

export class CredentialCalls {
  readonly #services: CredentialApiOptions;

  constructor(services: CredentialApiOptions) {
    this.#services = services;
  }

  createState(request: FastifyRequest, startedAt: number): CallState {
    const state: CallState = {
      startedAt,
      ip: addressOf(request),
      credential: null,
      isCounted: false,
      errorMessage: null,
      cutOff: () => this.#record(request, state, httpStatusOf(50301), cutOffMessage),
    };
    return state;
  }

  /** Identifies and counts a call. @throws AppError token_missing, rate_limited, unavailable, or as `identify` */
  async authenticate(
    request: FastifyRequest,
    reply: FastifyReply,
    state: CallState,
    presented: PresentedCredential | null,
    missingTokenHint: string,
  ): Promise<Credential> {
    const { limiter, directory } = this.#services;
    if (isRefused(request.raw)) {
      // Looks only in memory, because a full server must not query the database.
      state.credential = presented?.hash ? directory.findCached(presented.hash) : null;
      throw unavailable();
    }
    if (presented === null) throw new AppError('token_missing', missingTokenHint);
    const credential = await this.identify(state, presented);
    state.isCounted = true;
    const { id } = credential;
    const isWrite = writeMethods.has(request.method);
    // Not in the school's queue, because statements there may wait for a lock.
    const verdict =
      limiter.tryCount(id, isWrite) ??
      (await runAs(0, `token ${id}`, () => limiter.claimAndCount(id, isWrite)));
    applyVerdict(verdict, limiter.policy, reply);
    return credential;
  }

  /** @throws AppError token_invalid, token_disabled, token_expired, school_disabled, token_issuer_disabled */
  async identify(state: CallState, { hash, expiresAt }: PresentedCredential): Promise<Credential> {
    const { directory } = this.#services;
    const credential =
      hash &&
      (directory.findCached(hash) ?? (await runAs(0, hash.toString('base64'), () => directory.find(hash))));
    if (!credential) throw new AppError('token_invalid', 'The credential is not known');
    state.credential = credential;
    const now = this.#services.clock();
    assertUsable(credential, now);
    if (expiresAt !== null && expiresAt <= now.getTime()) {
      throw new AppError('token_expired', 'The access token has expired; ask for another one');
    }
    return credential;
  }

  /** Sets the status and headers of a refusal, and its message in the audit log. */
  refuse(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    state: CallState,
    challenge = 'Bearer',
  ): Failure {
    const failure = externalFailure(error, request.method);
    const { status, message, retryAfterSeconds, isServerFault } = failure;
    if (isServerFault) this.#services.failures.reportRequest(error, requestLogFields(request));
    // Removes the names that a conflict quotes, because the audit log must not contain names.
    state.errorMessage = status === 409 ? message.replace(/"(?:\\.|[^"\\])*"/g, '"…"') : message;
    reply.code(status);
    if (error instanceof PermissionMissingError) reply.header('x-accepted-permissions', error.accepted);
    if (status === 401) reply.header('www-authenticate', challenge);
    if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
    return failure;
  }

  recordAnswer(request: FastifyRequest, reply: FastifyReply, state: CallState): void {
    this.#record(request, state, reply.statusCode, state.errorMessage);
  }

  #record(
    request: FastifyRequest,
    { startedAt, ip, credential, isCounted }: CallState,
    statusCode: number,
    errorMessage: string | null,
  ): void {
    const { audit, clock, uses } = this.#services;
    const at = clock();
    if (credential && isCounted) uses.add(credential.id, at, ip);
    audit.record({
      requestId: request.id,
      tokenId: credential?.id ?? null,
      tokenPrefix: credential?.prefix ?? null,
      schoolId: credential?.range.schoolId ?? null,
      method: request.method,
      path: toStorable(pathOf(request.originalUrl), 500),
      statusCode,
      latencyMs: Math.round((performance.now() - startedAt) * 100) / 100,
      ip,
      userAgent: userAgent(request),
      errorMessage,
      at,
    });
  }
}

/** @throws AppError permission_denied, out_of_range */
export function requireAdmission(operation: CallRequirements, credential: Credential): void {
  const refusal = findRefusal(operation, credential);
  if (refusal) throw refusal.error;
}

function applyVerdict(verdict: RateLimitVerdict, policy: string, reply: FastifyReply): void {
  reply.headers({
    'x-ratelimit-limit': verdict.limit,
    'x-ratelimit-remaining': verdict.remaining,
    'x-ratelimit-reset': verdict.resetSeconds,
    ratelimit: verdict.summary,
    'ratelimit-policy': policy,
  });
  if (verdict.allowed) return;
  const seconds = verdict.resetSeconds;
  throw new AppError('rate_limited', `Too many requests; try again in ${seconds} s`, seconds);
}

function userAgent(request: FastifyRequest): string | null {
  const header = request.headers['user-agent'];
  return header === undefined ? null : toStorable(header, 500);
}

/** Shortens a text and replaces characters that PostgreSQL cannot store. */
export function toStorable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).toWellFormed().replaceAll('\0', '�');
}
