import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Person {
  readonly username: string;
  readonly name?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
}

export const client = { clientId: 'classledger', clientSecret: 'secret-that-only-the-provider-knows' };

interface Token {
  readonly header: { alg: string; kid?: string };
  readonly claims: Record<string, unknown>;
}

const idTokenSeconds = 120;

/** A real OpenID Connect provider on a local port. People sign in by subject. Tests can make it fail. */
export class IdentityProvider {
  readonly issuer: string;
  readonly people = new Map<string, Person>();
  /** Changes the ID token of the token endpoint, unless null. */
  forge: ((token: Token) => Token | string) | null = null;
  acceptsSignIns = true;
  /** How answers fail; null if they succeed. */
  fault: 'silent' | 'redirecting' | 'endless' | 'failing' | null = null;
  readonly requestedPaths: string[] = [];
  readonly #server: Server;
  readonly #key: KeyObject;

  private constructor(server: Server, issuer: string, key: KeyObject) {
    this.#server = server;
    this.issuer = issuer;
    this.#key = key;
  }

  static async start(redirectUris: readonly string[]): Promise<IdentityProvider> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    const provider = new IdentityProvider(server, issuer, privateKey);
    const engine = provider.#engine(redirectUris);
    const answer = engine.callback();
    server.on('request', (request, response) => provider.#answer(engine, answer, request, response));
    return provider;
  }

  add(subject: string, person: Person): void {
    this.people.set(subject, person);
  }

  /** Signs a token, with the provider's key by default. */
  signToken({ header, claims }: Token, key: KeyObject = this.#key): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part(header)}.${part(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #engine(redirectUris: readonly string[]): Provider {
    const key = {
      ...this.#key.export({ format: 'jwk' }),
      kid: 'key of the school',
      use: 'sig',
      alg: 'RS256',
    };
    const engine = new Provider(this.issuer, {
      clients: [
        { client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: redirectUris },
        { client_id: 'another-app', client_secret: 'of another-app', redirect_uris: redirectUris },
      ],
      jwks: { keys: [key] },
      cookies: { keys: ['of the test'] },
      ttl: {
        IdToken: idTokenSeconds,
        AccessToken: 60,
        AuthorizationCode: 60,
        Session: 600,
        Interaction: 600,
        Grant: 600,
      },
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'name'],
        email: ['email', 'email_verified'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, subject: string) => ({
        accountId: subject,
        claims: async () => {
          const { username, name, email, emailVerified } = this.people.get(subject) as Person;
          return { sub: subject, preferred_username: username, name, email, email_verified: emailVerified };
        },
      }),
      // Grants all scopes, so that nobody is asked for consent.
      loadExistingGrant: async ({
        oidc,
      }: {
        oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } };
      }) => {
        const { clientId } = oidc.client;
        const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
    });
    engine.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined;
      if (context.path === '/token' && body?.id_token && this.forge) {
        const [header, claims] = body.id_token
          .split('.')
          .slice(0, 2)
          .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
        const forged = this.forge({ header, claims });
        context.body = { ...body, id_token: typeof forged === 'string' ? forged : this.signToken(forged) };
      }
    });
    return engine;
  }

  #answer(
    engine: Provider,
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const path = (request.url ?? '').split('?')[0] ?? '';
    this.requestedPaths.push(path);
    if (this.fault) this.#sendFaultyAnswer(this.fault, response);
    else if (!path.startsWith('/interaction/')) answer(request, response);
    else if (request.method === 'POST') void this.#signIn(engine, request, response);
    else response.setHeader('content-type', 'text/html').end(signInPage);
  }

  #sendFaultyAnswer(fault: NonNullable<IdentityProvider['fault']>, response: ServerResponse): void {
    if (fault === 'failing') response.writeHead(500).end('out of order');
    if (fault === 'redirecting') {
      response.writeHead(302, { location: 'http://localhost:1/elsewhere' }).end();
    }
    if (fault === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"issuer":"${'x'.repeat(1_000_000)}"}`);
    }
    if (fault === 'silent') response.destroy();
  }

  async #signIn(engine: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request) body += String(part);
    const accountId = new URLSearchParams(body).get('login') ?? '';
    const isKnown = this.acceptsSignIns && this.people.has(accountId);
    const result = isKnown ? { login: { accountId } } : { error: 'access_denied' };
    await engine.interactionFinished(request, response, result);
  }
}

const signInPage = `<!doctype html><html lang="en"><title>School account</title><h1>School account</h1>
<form method="post"><label>Who are you? <input name="login"></label><button>Continue</button></form>`;

/** Returns an address with changed parameters. */
export function withQuery(address: string, change: (query: URLSearchParams) => void): string {
  const url = new URL(address);
  change(url.searchParams);
  return url.href;
}

/** A browser without pages that keeps cookies and follows redirects on request. */
export class PlainBrowser {
  readonly #cookies = new Map<string, string>();

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  keep(cookie: string): void {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    this.#cookies.set(name, value);
  }

  /** Removes the cookies by which the provider knows this browser. */
  leaveProvider(): void {
    for (const name of this.#cookies.keys()) if (name.startsWith('_')) this.#cookies.delete(name);
  }

  /** Makes one request without following redirects. */
  async open(address: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { cookie: this.cookie, ...init.headers },
    });
    for (const header of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(header)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Signs in at the provider and returns the URL to which the provider sends the browser back. */
  async signInAt({ issuer }: IdentityProvider, address: string, subject: string): Promise<string> {
    let next = address;
    for (let hops = 0; hops < 10 && next.startsWith(issuer); hops++) {
      const asksWho = new URL(next).pathname.startsWith('/interaction/');
      const response = await this.open(
        next,
        asksWho ? { method: 'POST', body: new URLSearchParams({ login: subject }) } : {},
      );
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next}: ${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }
}
