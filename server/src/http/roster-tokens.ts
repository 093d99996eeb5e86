import { namesOf } from '@classledger/contract';
import type { FastifyRequest } from 'fastify';
import type { CredentialDirectory } from '../access/credential-directory.ts';
import type { Sealing } from '../access/sealing.ts';
import { hashToken } from '../access/token.ts';
import { AppError } from '../errors/app-error.ts';
import type { CredentialLookup } from './credential-calls.ts';

const scopePrefix = 'https://purl.imsglobal.org/spec/or/v1p2/scope/';
/** Scopes and their letters in our tokens. Operations below a record need `roster.readonly`. */
const scopes = { 'roster-core.readonly': 'c', 'roster.readonly': 'r' } as const;
export type RosterScope = keyof typeof scopes;

export type TokenProblem = 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type';

export class TokenRequestError extends AppError {
  readonly problem: TokenProblem;
  constructor(problem: TokenProblem, message: string) {
    super('invalid_value', message);
    this.problem = problem;
  }
}

export const tokenValidSeconds = 3_600;

interface VerifiedToken {
  readonly hash: Buffer;
  readonly expiresAt: number;
  readonly scopes: ReadonlySet<RosterScope>;
}

/** Issues tokens without storing them. Each contains a credential's hash, so it ends with the credential. */
export class RosterTokens {
  readonly #sealing: Sealing;
  readonly #directory: CredentialDirectory;

  constructor(sealing: Sealing, directory: CredentialDirectory) {
    this.#sealing = sealing;
    this.#directory = directory;
  }

  issue(plaintext: string, granted: readonly RosterScope[], at: Date): string {
    const letters = granted.map((scope) => scopes[scope]).join('');
    const expiresAt = Math.floor(at.getTime() / 1_000) + tokenValidSeconds;
    const text = [hashToken(plaintext).toString('base64url'), expiresAt, letters].join('.');
    return this.#sealing.sign('access tokens', text);
  }

  verify(token: string): VerifiedToken | null {
    const [hash, seconds, letters = ''] = this.#sealing.verify('access tokens', token)?.split('.') ?? [];
    if (hash === undefined) return null;
    const granted = namesOf(scopes).filter((scope) => letters.includes(scopes[scope]));
    return {
      hash: Buffer.from(hash, 'base64url'),
      expiresAt: Number(seconds) * 1_000,
      scopes: new Set(granted),
    };
  }

  lookupOf(read: VerifiedToken | null): CredentialLookup {
    if (!read) return { caller: '', findCached: () => null, find: async () => null };
    const { hash } = read;
    return {
      caller: hash.toString('base64'),
      expiresAt: read.expiresAt,
      findCached: () => this.#directory.findCachedByHash(hash),
      find: () => this.#directory.findByHash(hash),
    };
  }
}

interface Client {
  readonly id: string;
  readonly secret: string;
}

/** Returns the client of a token request, from HTTP Basic or the form. @throws TokenRequestError for both at once */
export function readClient(request: FastifyRequest, form: URLSearchParams): Client | null {
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
