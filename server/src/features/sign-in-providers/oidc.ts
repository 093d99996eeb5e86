import type { Data, InternalOperations } from '@classledger/contract';
import type * as OpenIdClient from 'openid-client';
import type { Clock } from '../../time/clock.ts';
import { answerSeconds, guardedFetch, isAllowedAddress, RefusedFetchError } from './guarded-fetch.ts';

const metadataTtlMs = 3_600_000;
/** Allowed difference between the clocks of a provider and this server. */
const toleranceSeconds = 30;
/** Accepts only asymmetric algorithms: with a shared secret or without a signature, others could forge the token. */
const asymmetricFamilies = ['RS', 'PS', 'ES', 'Ed'];

interface Provider {
  readonly id: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
}

/** Secrets that link a browser's way to the provider with its return. Only this browser can derive them. */
export interface Flow {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When set, the person must authenticate at the provider again after this time. */
  readonly authenticatedSince: Date | null;
}

export interface Claims {
  readonly subject: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export type Finding = Data<InternalOperations['testSignInProvider']>['finding'];

/** The sign-in failed. The message is for the log and contains no token, code or secret. */
export class ProviderError extends Error {
  /** `unreachable`: no answer in time; `cancelled`: the person or the provider refused; `invalid`: the proof failed. */
  readonly failure: 'unreachable' | 'cancelled' | 'invalid';

  constructor(failure: ProviderError['failure'], message: string) {
    super(message);
    this.name = 'ProviderError';
    this.failure = failure;
  }
}

interface CachedMetadata {
  readonly expiresAt: number;
  readonly metadata: Promise<OpenIdClient.ServerMetadata>;
  config: OpenIdClient.Configuration | null;
  skew: number;
}

/** Implements OpenID Connect: code flow with PKCE, nonce and verified signatures of ID tokens. */
export class OpenIdConnect {
  readonly #clock: Clock;
  readonly #httpOnLoopback: boolean;
  readonly #fetch: OpenIdClient.CustomFetch;
  readonly #cache = new Map<string, CachedMetadata>();

  /** @param httpOnLoopback allows http for providers on this machine, for trying out */
  constructor(clock: Clock, httpOnLoopback: boolean) {
    this.#clock = clock;
    this.#httpOnLoopback = httpOnLoopback;
    this.#fetch = guardedFetch(httpOnLoopback) as OpenIdClient.CustomFetch;
  }

  isAllowed(address: string): boolean {
    return isAllowedAddress(address, this.#httpOnLoopback);
  }

  /** Returns the address to send the browser to. @throws ProviderError */
  async start(
    provider: Provider,
    { redirectUri, state, nonce, verifier, authenticatedSince }: Flow,
  ): Promise<string> {
    const client = await loadOpenIdClient();
    const config = await this.#configFor(provider).catch(throwProviderError);
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: withOpenIdScope(provider.scopes),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(authenticatedSince && { prompt: 'login', max_age: '0' }),
    });
    if (!this.isAllowed(address.href)) {
      throw new ProviderError('invalid', 'the sign-in page has no https');
    }
    return address.href;
  }

  /** Verifies the browser's return and reads the claims, among them `claimName`. @throws ProviderError */
  async finish(
    provider: Provider,
    { redirectUri, state, nonce, verifier, authenticatedSince }: Flow,
    query: URLSearchParams,
    claimName: string,
  ): Promise<Claims> {
    const client = await loadOpenIdClient();
    const config = await this.#configFor(provider).catch(throwProviderError);
    const returnUrl = new URL(redirectUri);
    returnUrl.search = query.toString();
    const sinceSeconds =
      authenticatedSince && Math.ceil((this.#clock().getTime() - authenticatedSince.getTime()) / 1_000);
    try {
      const tokens = await client.authorizationCodeGrant(config, returnUrl, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        // Measures from the start of the flow, because a person who is slow at the provider has still signed in again.
        ...(sinceSeconds !== null && { maxAge: sinceSeconds }),
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderError('invalid', 'no ID token');
      const known: Record<string, unknown> = { ...claims };
      // Reads the userinfo answer too, because many providers put the name only there.
      if (known[claimName] === undefined && config.serverMetadata().userinfo_endpoint !== undefined) {
        Object.assign(known, await client.fetchUserInfo(config, tokens.access_token, claims.sub));
      }
      return { subject: claims.sub, values: known };
    } catch (error) {
      // Drops the cached metadata, because the provider may have changed its keys or URLs.
      if (!(error instanceof client.AuthorizationResponseError)) this.#cache.delete(keyOf(provider));
      return throwProviderError(error);
    }
  }

  /** Reports problems of the provider as a finding instead of an error. */
  async test(provider: Provider): Promise<Finding> {
    if (!this.isAllowed(provider.issuer)) return 'insecureAddress';
    const client = await loadOpenIdClient();
    this.#cache.delete(keyOf(provider));
    let config: OpenIdClient.Configuration;
    try {
      config = await this.#configFor(provider);
    } catch (error) {
      return toFinding(error);
    }
    const metadata = config.serverMetadata();
    const addresses = [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.jwks_uri,
      metadata.userinfo_endpoint,
    ];
    if (addresses.some((address) => address !== undefined && !this.isAllowed(address))) {
      return 'insecureAddress';
    }
    const { response_types_supported: types, code_challenge_methods_supported: methods } = metadata;
    if (!metadata.authorization_endpoint || !metadata.token_endpoint || types?.includes('code') === false) {
      return 'noCodeFlow';
    }
    // Accepts a missing list, because the provider can still support S256.
    if (methods?.includes('S256') === false) return 'noProofKey';
    const algorithms = metadata.id_token_signing_alg_values_supported;
    if (algorithms && asymmetricAlgorithms(algorithms).length === 0) return 'noSignature';
    if (!(await this.#hasKeys(metadata.jwks_uri))) return 'keysMissing';
    return testClient(client, config);
  }

  async #hasKeys(address: string | undefined): Promise<boolean> {
    if (address === undefined) return false;
    try {
      const answer = await this.#fetch(address, {
        method: 'GET',
        headers: {},
        body: undefined,
        redirect: 'manual',
      });
      const { keys } = (await answer.json()) as { keys?: unknown[] };
      return answer.ok && Array.isArray(keys) && keys.length > 0;
    } catch {
      return false;
    }
  }

  /** Returns the configuration. Parallel callers share one request for the metadata, which is cached for an hour. */
  async #configFor(provider: Provider): Promise<OpenIdClient.Configuration> {
    const client = await loadOpenIdClient();
    const key = keyOf(provider);
    const now = this.#clock().getTime();
    let cached = this.#cache.get(key);
    if (!cached || cached.expiresAt <= now || cached.expiresAt > now + metadataTtlMs) {
      const metadata = this.#discover(client, provider);
      const entry: CachedMetadata = { expiresAt: now + metadataTtlMs, metadata, config: null, skew: 0 };
      metadata.catch(() => this.#cache.get(key) === entry && this.#cache.delete(key));
      this.#cache.set(key, entry);
      cached = entry;
    }
    const metadata = await cached.metadata;
    // Passes the clock difference, because the library uses the machine's clock instead of ours.
    const skew = Math.round((now - Date.now()) / 1_000);
    if (cached.config === null || cached.skew !== skew) {
      cached.config = this.#buildConfig(client, provider, metadata, skew);
      cached.skew = skew;
    }
    return cached.config;
  }

  async #discover(client: typeof OpenIdClient, { issuer, clientId }: Provider) {
    if (!this.isAllowed(issuer)) throw new RefusedFetchError('a forbidden issuer address');
    const found = await client.discovery(new URL(issuer), clientId, {}, client.None(), {
      [client.customFetch]: this.#fetch,
      timeout: answerSeconds,
      ...(this.#httpOnLoopback && { execute: [client.allowInsecureRequests] }),
    });
    const metadata = found.serverMetadata();
    // Rejects other tenants of a provider, which the library accepts: their people are strangers to the school.
    if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new OtherIssuerError();
    return metadata;
  }

  #buildConfig(
    client: typeof OpenIdClient,
    { clientId, clientSecret }: Provider,
    serverMetadata: OpenIdClient.ServerMetadata,
    skew: number,
  ): OpenIdClient.Configuration {
    const methods = serverMetadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const proof = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: toleranceSeconds };
    const config = new client.Configuration(serverMetadata, clientId, metadata, proof);
    config[client.customFetch] = this.#fetch;
    config.timeout = answerSeconds;
    client.enableNonRepudiationChecks(config);
    if (this.#httpOnLoopback) client.allowInsecureRequests(config);
    return config;
  }
}

/** Sends an invalid code, because the error shows whether the provider knows the client. */
async function testClient(client: typeof OpenIdClient, config: OpenIdClient.Configuration): Promise<Finding> {
  try {
    await client.genericGrantRequest(config, 'authorization_code', {
      code: 'a-test-of-the-client',
      redirect_uri: 'https://localhost/api/auth/sso/callback',
      code_verifier: client.randomPKCECodeVerifier(),
    });
  } catch (error) {
    if (error instanceof client.WWWAuthenticateChallengeError) return 'clientRejected';
    if (error instanceof client.ResponseBodyError) {
      const rejected = ['invalid_client', 'unauthorized_client'];
      return rejected.includes(error.error) || error.status === 401 ? 'clientRejected' : 'ok';
    }
    return toFinding(error);
  }
  return 'ok';
}

class OtherIssuerError extends Error {}

let loaded: Promise<typeof OpenIdClient> | undefined;

function loadOpenIdClient(): Promise<typeof OpenIdClient> {
  loaded ??= import('openid-client');
  return loaded;
}

const keyOf = ({ id, issuer, clientId, clientSecret }: Provider) =>
  JSON.stringify([id, issuer, clientId, clientSecret]);

const withOpenIdScope = (scopes: string) =>
  scopes.split(' ').includes('openid') ? scopes : `openid ${scopes}`;

const asymmetricAlgorithms = (algorithms: readonly string[]) =>
  algorithms.filter((algorithm) => asymmetricFamilies.some((family) => algorithm.startsWith(family)));

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '');

function throwProviderError(error: unknown): never {
  if (error instanceof ProviderError) throw error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const detail = `${name} ${codeOf(error)} ${message}`.slice(0, 300);
  if (name === 'AuthorizationResponseError') throw new ProviderError('cancelled', detail);
  throw new ProviderError(isUnreachable(error) ? 'unreachable' : 'invalid', detail);
}

function isUnreachable(error: unknown): boolean {
  if (['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'].includes(codeOf(error))) return true;
  const cause = (error as { cause?: unknown } | null)?.cause;
  if (cause instanceof RefusedFetchError || error instanceof RefusedFetchError) return false;
  // `fetch` throws this error when a connection fails or breaks.
  return error instanceof TypeError ? error.message === 'fetch failed' : cause instanceof TypeError;
}

function toFinding(error: unknown): Finding {
  if (error instanceof OtherIssuerError || codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return 'otherIssuer';
  }
  if (error instanceof RefusedFetchError) return 'insecureAddress';
  return isUnreachable(error) && codeOf(error) !== 'OAUTH_RESPONSE_IS_NOT_CONFORM'
    ? 'unreachable'
    : 'noDiscovery';
}
