import type * as OpenIdClient from 'openid-client';
import type { Clock } from '../../../clock.ts';
import {
  type Claims,
  type Finding,
  type Flow,
  type Provider,
  type ProviderAdapter,
  ProviderTrouble,
} from './adapter.ts';
import { answerSeconds, guardedFetch, mayCall, RefusedFetch } from './guarded-fetch.ts';

const discoveryLastsMs = 3_600_000;
/** Allowed difference between the clocks of a provider and this server. */
const toleranceSeconds = 30;
/** Asymmetric algorithms: with a shared secret or no signature, others could forge the token. */
const signatures = ['RS', 'PS', 'ES', 'Ed'];

interface Known {
  readonly until: number;
  readonly said: Promise<OpenIdClient.ServerMetadata>;
  config: OpenIdClient.Configuration | null;
  skew: number;
}

/** Implements OpenID Connect: code flow with PKCE and nonce; the signature of ID tokens is always verified. */
export class OidcAdapter implements ProviderAdapter {
  readonly #clock: Clock;
  readonly #httpOnLoopback: boolean;
  readonly #fetch: OpenIdClient.CustomFetch;
  readonly #known = new Map<string, Known>();

  /** @param httpOnLoopback allows http for providers on this machine, for trying out */
  constructor(clock: Clock, httpOnLoopback: boolean) {
    this.#clock = clock;
    this.#httpOnLoopback = httpOnLoopback;
    this.#fetch = guardedFetch(httpOnLoopback) as OpenIdClient.CustomFetch;
  }

  async start(
    provider: Provider,
    { redirectUri, state, nonce, verifier, provenSince }: Flow,
  ): Promise<string> {
    const client = await library();
    const config = await this.#configOf(provider).catch(asTrouble);
    const challenge = await client.calculatePKCECodeChallenge(verifier);
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: withOpenId(provider.scopes),
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(provenSince && { prompt: 'login', max_age: '0' }),
    });
    if (!mayCall(address.href, this.#httpOnLoopback)) {
      throw new ProviderTrouble('invalid', 'the page to sign in on has no https');
    }
    return address.href;
  }

  async finish(
    provider: Provider,
    { redirectUri, state, nonce, verifier, provenSince }: Flow,
    brought: URLSearchParams,
    wanted: string,
  ): Promise<Claims> {
    const client = await library();
    const config = await this.#configOf(provider).catch(asTrouble);
    const cameTo = new URL(redirectUri);
    cameTo.search = brought.toString();
    const sinceSeconds = provenSince && Math.ceil((this.#clock().getTime() - provenSince.getTime()) / 1_000);
    try {
      const tokens = await client.authorizationCodeGrant(config, cameTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        // Compare with the start of the flow, because a slow person at the provider has still authenticated anew.
        ...(sinceSeconds !== null && { maxAge: sinceSeconds }),
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderTrouble('invalid', 'no ID token');
      const known: Record<string, unknown> = { ...claims };
      // Many providers put the name only into the userinfo answer.
      if (known[wanted] === undefined && config.serverMetadata().userinfo_endpoint !== undefined) {
        Object.assign(known, await client.fetchUserInfo(config, tokens.access_token, claims.sub));
      }
      return { subject: claims.sub, values: known };
    } catch (error) {
      // The provider may have changed its keys or address.
      if (!(error instanceof client.AuthorizationResponseError)) this.#known.delete(keyOf(provider));
      return asTrouble(error);
    }
  }

  async test(provider: Provider): Promise<Finding> {
    if (!mayCall(provider.issuer, this.#httpOnLoopback)) return 'insecureAddress';
    const client = await library();
    this.#known.delete(keyOf(provider));
    let config: OpenIdClient.Configuration;
    try {
      config = await this.#configOf(provider);
    } catch (error) {
      return findingOf(error);
    }
    const said = config.serverMetadata();
    const addresses = [
      said.authorization_endpoint,
      said.token_endpoint,
      said.jwks_uri,
      said.userinfo_endpoint,
    ];
    if (addresses.some((address) => address !== undefined && !mayCall(address, this.#httpOnLoopback))) {
      return 'insecureAddress';
    }
    const { response_types_supported: types, code_challenge_methods_supported: methods } = said;
    if (!said.authorization_endpoint || !said.token_endpoint || types?.includes('code') === false) {
      return 'noCodeFlow';
    }
    // A provider that does not list methods may still support S256.
    if (methods?.includes('S256') === false) return 'noProofKey';
    const algorithms = said.id_token_signing_alg_values_supported;
    if (algorithms && signaturesOf(algorithms).length === 0) return 'noSignature';
    if (!(await this.#hasKeys(said.jwks_uri))) return 'keysMissing';
    return isClientKnown(client, config);
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

  /**
   * Returns the library's configuration. Parallel callers share one request for the metadata, which is cached for an
   * hour.
   */
  async #configOf(provider: Provider): Promise<OpenIdClient.Configuration> {
    const client = await library();
    const key = keyOf(provider);
    const now = this.#clock().getTime();
    let known = this.#known.get(key);
    if (!known || known.until <= now || known.until > now + discoveryLastsMs) {
      const said = this.#discover(client, provider);
      const asked: Known = { until: now + discoveryLastsMs, said, config: null, skew: 0 };
      // Do not cache a failure.
      said.catch(() => this.#known.get(key) === asked && this.#known.delete(key));
      this.#known.set(key, asked);
      known = asked;
    }
    const said = await known.said;
    // The library uses the machine's clock, so it gets the difference to ours.
    const skew = Math.round((now - Date.now()) / 1_000);
    if (known.config === null || known.skew !== skew) {
      known.config = this.#configured(client, provider, said, skew);
      known.skew = skew;
    }
    return known.config;
  }

  async #discover(
    client: typeof OpenIdClient,
    { issuer, clientId }: Provider,
  ): Promise<OpenIdClient.ServerMetadata> {
    if (!mayCall(issuer, this.#httpOnLoopback)) throw new RefusedFetch('an issuer that is not called');
    const found = await client.discovery(new URL(issuer), clientId, {}, client.None(), {
      [client.customFetch]: this.#fetch,
      timeout: answerSeconds,
      ...(this.#httpOnLoopback && { execute: [client.allowInsecureRequests] }),
    });
    const said = found.serverMetadata();
    // The library accepts other tenants of some providers, whose people are strangers to the school.
    if (new URL(said.issuer).href !== new URL(issuer).href) throw new OtherIssuer();
    return said;
  }

  #configured(
    client: typeof OpenIdClient,
    { clientId, clientSecret }: Provider,
    said: OpenIdClient.ServerMetadata,
    skew: number,
  ): OpenIdClient.Configuration {
    const methods = said.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const proof = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: toleranceSeconds };
    const config = new client.Configuration(said, clientId, metadata, proof);
    config[client.customFetch] = this.#fetch;
    config.timeout = answerSeconds;
    client.enableNonRepudiationChecks(config);
    if (this.#httpOnLoopback) client.allowInsecureRequests(config);
    return config;
  }
}

/** Sends an invalid code: the error shows whether the provider knows the client. */
async function isClientKnown(
  client: typeof OpenIdClient,
  config: OpenIdClient.Configuration,
): Promise<Finding> {
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
    return findingOf(error);
  }
  return 'ok';
}

class OtherIssuer extends Error {}

let loaded: Promise<typeof OpenIdClient> | undefined;

function library(): Promise<typeof OpenIdClient> {
  loaded ??= import('openid-client');
  return loaded;
}

const keyOf = ({ id, issuer, clientId, clientSecret }: Provider) =>
  JSON.stringify([id, issuer, clientId, clientSecret]);

const withOpenId = (scopes: string) => (scopes.split(' ').includes('openid') ? scopes : `openid ${scopes}`);

const signaturesOf = (algorithms: readonly string[]) =>
  algorithms.filter((algorithm) => signatures.some((family) => algorithm.startsWith(family)));

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '');

function asTrouble(error: unknown): never {
  if (error instanceof ProviderTrouble) throw error;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const told = `${name} ${codeOf(error)} ${message}`.slice(0, 300);
  if (name === 'AuthorizationResponseError') throw new ProviderTrouble('cancelled', told);
  throw new ProviderTrouble(isAway(error) ? 'unreachable' : 'invalid', told);
}

function isAway(error: unknown): boolean {
  if (['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'].includes(codeOf(error))) return true;
  const cause = (error as { cause?: unknown } | null)?.cause;
  if (cause instanceof RefusedFetch || error instanceof RefusedFetch) return false;
  // Fetch throws this when a connection fails or breaks.
  return error instanceof TypeError ? error.message === 'fetch failed' : cause instanceof TypeError;
}

function findingOf(error: unknown): Finding {
  if (error instanceof OtherIssuer || codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return 'otherIssuer';
  }
  if (error instanceof RefusedFetch) return 'insecureAddress';
  return isAway(error) && codeOf(error) !== 'OAUTH_RESPONSE_IS_NOT_CONFORM' ? 'unreachable' : 'noDiscovery';
}
