import { namesOf } from '@classledger/contract';
import type { FastifyRequest } from 'fastify';
import type { Sealing } from '../access/sealing.ts';
import { hashToken } from '../access/token.ts';
import { AppError } from '../errors/app-error.ts';
import type { PresentedCredential } from './credential-calls.ts';

const scopePrefix = 'https://purl.imsglobal.org/spec/or/v1p2/scope/';
/** Scopes and their letters in our tokens. Operations below a record need `roster.readonly`. */
const scopes = { 'roster-core.readonly': 'c', 'roster.readonly': 'r' } as const;
type RosterScope = keyof typeof scopes;

export type TokenProblem = 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type';

export class TokenRequestError extends AppError {
  readonly problem: TokenProblem;
  constructor(problem: TokenProblem, message: string) {
    super('invalid_value', message);
    this.problem = problem;
  }
}

export const tokenValidSeconds = 3_600;

/** Issues a token without storing it. It contains the credential's hash, so it ends with the credential. */
export function issueRosterToken(
  sealing: Sealing,
  plaintext: string,
  granted: readonly RosterScope[],
  at: Date,
): string {
  const letters = granted.map((scope) => scopes[scope]).join('');
  const expiresAt = Math.floor(at.getTime() / 1_000) + tokenValidSeconds;
  const text = [hashToken(plaintext).toString('base64url'), expiresAt, letters].join('.');
  return sealing.sign('access tokens', text);
}

/** Returns the credential hash, end and scopes of a token. The hash is null for a forged token. */
export function verifyRosterToken(
  sealing: Sealing,
  token: string,
): PresentedCredential & { readonly scopes: readonly RosterScope[] } {
  const [hash, seconds, letters = ''] = sealing.verify('access tokens', token)?.split('.') ?? [];
  if (hash === undefined) return { hash: null, expiresAt: null, scopes: [] };
  return {
    hash: Buffer.from(hash, 'base64url'),
    expiresAt: Number(seconds) * 1_000,
    scopes: namesOf(scopes).filter((scope) => letters.includes(scopes[scope])),
  };
}

/** Returns the client of a token request, from HTTP Basic or the form. @throws TokenRequestError for both at once */
export function readClient(
  request: FastifyRequest,
  form: URLSearchParams,
): { readonly id: string; readonly secret: string } | null {
  const basic = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const id = form.get('client_id');
  const secret = form.get('client_secret');
  if (basic === undefined) return secret === null ? null : { id: id ?? '', secret };
  if (secret !== null)
    throw new TokenRequestError('invalid_request', 'Send the client either in Authorization or in the form');
  const text = Buffer.from(basic, 'base64').toString('utf8');
  const end = text.indexOf(':');
  if (end < 0) return null;
  return { id: formDecoded(text.slice(0, end)), secret: formDecoded(text.slice(end + 1)) };
}

/** Decodes a form value (RFC 6749, 2.3.1). */
const formDecoded = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? '';

/** Returns the requested scopes that exist; all of them when none is requested. @throws TokenRequestError */
export function readScopes(form: URLSearchParams): readonly RosterScope[] {
  const grantType = form.get('grant_type');
  if (grantType === null) throw new TokenRequestError('invalid_request', 'grant_type is missing');
  if (grantType !== 'client_credentials') {
    throw new TokenRequestError('unsupported_grant_type', 'grant_type must be client_credentials');
  }
  const asked = form.get('scope')?.split(' ').filter(Boolean) ?? [];
  const granted = namesOf(scopes).filter(
    (scope) => asked.length === 0 || asked.includes(scopePrefix + scope),
  );
  if (granted.length === 0) {
    throw new TokenRequestError(
      'invalid_scope',
      `Ask for ${scopePrefix}roster.readonly or roster-core.readonly`,
    );
  }
  return granted;
}

export const scopeText = (granted: readonly RosterScope[]) =>
  granted.map((scope) => scopePrefix + scope).join(' ');
