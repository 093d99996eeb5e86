import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { collectLogLines } from '../../../test/collect-log-lines.ts';
import { client, PlainBrowser, withQuery } from '../../../test/identity-provider.ts';
import { openSchoolWithProvider } from '../../../test/school-with-provider.ts';
import { removeExpired } from '../../../test/stored-rows.ts';

/* Manipulates sign-ins. The provider answers wrongly where it can; otherwise its ID tokens are forged. */

const lines = collectLogLines();
const setup = await openSchoolWithProvider({ LOG_LEVEL: 'info' });
const { test, provider, school, origin } = setup;
const subject = 'subject of zhao.mei';

// Moves the database's test clock up to the provider's real time.
test.clock.advance(Date.now() - test.clock.ofDatabase().getTime());
test.clock.set(new Date().toISOString());

afterAll(() => provider.stop());
afterEach(() => {
  provider.forge = null;
  provider.fault = null;
  provider.acceptsSignIns = true;
  test.clock.set(new Date().toISOString());
});

/** Signs in at the provider in a new browser, up to the return. */
async function begin(options: Parameters<typeof setup.signInAtProvider>[3] = {}) {
  const browser = new PlainBrowser();
  return { browser, address: await setup.signInAtProvider(browser, 'admin', subject, options) };
}

const flows = () => test.database.db.selectFrom('sign_in_flow').selectAll().execute();

async function expectRefused(browser: PlainBrowser, back: Response, status: number, sentence: string) {
  const page = await back.text();
  expect([back.status, back.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page).toContain(sentence);
  expect(page).toMatch(/<section lang="zh"><h1>未能登录/);
  // The page's own nonce is random and could match a pattern.
  const said = page.replaceAll(/nonce="[\w-]+"/g, '');
  expect(said).not.toMatch(/nonce "|invalid_|JWT|claim|issuer|zhao\.mei/i);
  expect(back.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await setup.readSignedInUsername(browser)).toBeNull();
}

const ended = 'This sign-in took too long, was used already, or began in another browser.';
const unverified = 'could not be verified';

it('a sign-in request to the provider contains PKCE with S256, state and nonce, but no secret', async () => {
  const browser = new PlainBrowser();
  const started = await setup.start(browser, 'admin');
  const address = new URL(started.headers.get('location') as string);
  const sent = Object.fromEntries(address.searchParams);
  expect(sent).toMatchObject({
    response_type: 'code',
    client_id: 'classledger',
    scope: 'openid profile',
    code_challenge_method: 'S256',
    redirect_uri: `${origin}/api/auth/sso/callback`,
  });
  expect([sent.state?.length, sent.nonce?.length]).toEqual([45, 43]);
  expect(address.href).not.toContain('secret');
  expect(started.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^classledger_sign_in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  // With the stored data alone, a reader of the database cannot finish the sign-in.
  const stored = JSON.stringify(await flows());
  for (const value of [sent.state, sent.nonce, sent.code_challenge, browser.cookie.split('=')[1]]) {
    expect(stored).not.toContain(value);
  }
});

it('a sign-in request to the provider returns to the requested host, with a __Host- cookie over https', async () => {
  const { headers } = await test.app.http.inject({
    url: `/api/auth/sso/${setup.id}/start?for=admin&schoolDb=${school.schoolDb}`,
    headers: { host: 'school.example', 'x-forwarded-proto': 'https' },
  });
  const address = new URL(headers.location as string);
  expect(address.searchParams.get('redirect_uri')).toBe('https://school.example/api/auth/sso/callback');
  expect(String(headers['set-cookie'])).toMatch(/^__Host-classledger_sign_in=.* Path=\/; HttpOnly; Secure;/);
});

it.each([
  ['an unknown provider', '/api/auth/sso/4711/start?for=admin&schoolDb=SCHOOL'],
  ['another school', '/api/auth/sso/ID/start?for=admin&schoolDb=school_4711'],
  ['no school', '/api/auth/sso/ID/start?for=admin'],
  ['an unknown purpose', '/api/auth/sso/ID/start?for=other&schoolDb=SCHOOL'],
  ['an id that is not a number', '/api/auth/sso/x/start?for=admin&schoolDb=SCHOOL'],
])('a sign-in request to the provider answers 404 for %s', async (_what, path) => {
  const browser = new PlainBrowser();
  const real = path.replace('SCHOOL', school.schoolDb).replace('ID', String(setup.id));
  await expectRefused(browser, await browser.open(origin + real), 404, 'does not exist any more');
});

it('a sign-in request to the provider stores data that expires', async () => {
  await setup.start(new PlainBrowser(), 'admin');
  expect(await flows()).not.toEqual([]);
  test.clock.advance(2 * 3_600_000);
  await removeExpired(test, 'sign_in_flow');
  expect(await flows()).toEqual([]);
});

const codeOf = (address: string) => new URL(address).searchParams.get('code') ?? '';

it.each<[string, (query: URLSearchParams) => unknown, number, string]>([
  ['an unknown state', (query) => query.set('state', `1.${'A'.repeat(43)}`), 400, ended],
  ['an invalid state', (query) => query.set('state', "' OR 1=1 --"), 400, ended],
  ['no state', (query) => query.delete('state'), 400, ended],
  ['a second state', (query) => query.append('state', 'another'), 400, ended],
  ['a delay of more than ten minutes', () => test.clock.advance(600_001), 400, ended],
  [
    'the code of another sign-in, because of PKCE,',
    async (query) => query.set('code', codeOf((await begin()).address)),
    403,
    unverified,
  ],
  ['another issuer', (query) => query.set('iss', 'https://evil.example'), 403, unverified],
  ['no issuer', (query) => query.delete('iss'), 403, unverified],
])('a return from the provider with %s is rejected', async (_what, change, status, sentence) => {
  const { browser, address } = await begin();
  const url = new URL(address);
  await change(url.searchParams);
  await expectRefused(browser, await browser.open(url.href), status, sentence);
});

it('a return from the provider works once, also when sent several times at once', async () => {
  const { browser, address } = await begin();
  const backs = await Promise.all([browser.open(address), browser.open(address), browser.open(address)]);
  expect(backs.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  expect((await browser.open(address)).status).toBe(400);
  expect(await setup.readSignedInUsername(browser)).toBe('zhao.mei');
});

it('a return from the provider works only in the browser of its start, and other browsers cannot invalidate it', async () => {
  const [foreign, other] = [new PlainBrowser(), new PlainBrowser()];
  const { browser, address } = await begin();
  await expectRefused(foreign, await foreign.open(address), 400, ended);
  await setup.start(other, 'admin');
  await expectRefused(other, await other.open(address), 400, ended);
  expect((await browser.open(address)).status).toBe(303);
});

it('a return from the provider of a person whom the provider did not sign in opens no session', async () => {
  provider.acceptsSignIns = false;
  const browser = new PlainBrowser();
  const back = await setup.signIn(browser, 'admin', subject);
  await expectRefused(browser, back, 403, 'You were not signed in at');
});

it('a return from the provider to a provider that was disabled meanwhile answers 404', async () => {
  const { id } = await setup.add({ name: 'For a moment' });
  const { browser, address } = await begin({ which: id });
  await setup.admin.patch(`/sign-in-providers/${id}`, { schoolDb: school.schoolDb, enabled: false });
  await expectRefused(browser, await browser.open(address), 404, 'does not exist any more');
});

type Forge = NonNullable<typeof provider.forge>;
const later = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const claiming =
  (changed: object): Forge =>
  ({ header, claims }) => ({ header, claims: { ...claims, ...changed } });

it.each<[string, Forge]>([
  ['another issuer', claiming({ iss: 'https://evil.example' })],
  ['another audience', claiming({ aud: 'another-app' })],
  ['audiences, made out to another', claiming({ aud: ['classledger', 'another-app'], azp: 'another-app' })],
  ['no nonce', claiming({ nonce: undefined })],
  ['no expiry', claiming({ exp: undefined })],
  ['no subject', claiming({ sub: undefined })],
  ['an expiry that is over', claiming({ exp: later(-31) })],
  ['a beginning in the future', claiming({ nbf: later(3_600) })],
  ['the signature of another key', (token) => provider.signToken(token, privateKey)],
  [
    'the signature of other claims',
    (token) => {
      const [header, , signature] = provider.signToken(token).split('.');
      return [header, part({ ...token.claims, sub: 'renamed' }), signature].join('.');
    },
  ],
  ['a shared secret', ({ claims }) => provider.signToken({ header: { alg: 'HS256' }, claims })],
  ['no signature', ({ claims }) => `${part({ alg: 'none' })}.${part(claims)}.`],
  ['an unknown key', ({ header, claims }) => ({ header: { ...header, kid: 'unknown' }, claims })],
])('an ID token with %s is rejected', async (_what, forge) => {
  provider.forge = forge;
  const browser = new PlainBrowser();
  await expectRefused(browser, await setup.signIn(browser, 'admin', subject), 403, unverified);
});

it('an ID token with a changed nonce is rejected', async () => {
  const change = (address: string) => withQuery(address, (query) => query.set('nonce', 'of somebody else'));
  const { browser, address } = await begin({ change });
  await expectRefused(browser, await browser.open(address), 403, unverified);
});

it('the times of an ID token may differ from the server’s clock by half a minute, not more', async () => {
  const { browser, address } = await begin();
  test.clock.advance(145_000);
  expect((await browser.open(address)).status).toBe(303);
  const slow = await begin();
  test.clock.advance(160_000);
  await expectRefused(slow.browser, await slow.browser.open(slow.address), 403, unverified);
});

describe('Faulty provider', () => {
  it.each(['silent', 'endless'] as const)(
    'a sign-in at a provider that is %s ends with an error page, and the next sign-in works',
    async (fault) => {
      const { browser, address } = await begin();
      provider.fault = fault;
      const before = provider.requestedPaths.length;
      const answer = await browser.open(address);
      expect([502, 403]).toContain(answer.status);
      expect(await setup.readSignedInUsername(browser)).toBeNull();
      expect(provider.requestedPaths.length - before).toBeLessThanOrEqual(2);
      provider.fault = null;
      expect((await setup.signIn(browser, 'admin', subject)).status).toBe(303);
    },
  );

  it('gets one discovery request an hour, shared by all sign-ins', async () => {
    const discoveries = () => provider.requestedPaths.filter((path) => path.includes('well-known')).length;
    const { id } = await setup.add({ name: 'Asked once' });
    const before = discoveries();
    const start = () => setup.start(new PlainBrowser(), 'admin', '', id);
    await Promise.all([start(), start(), start()]);
    expect(discoveries() - before).toBe(1);
    test.clock.advance(3_600_001);
    await start();
    expect(discoveries() - before).toBe(2);
  });
});

it.each([
  ['unknown starts', '/api/auth/sso/4711/start'],
  ['returns without a start', '/api/auth/sso/callback?state=x'],
])('a flood of %s gets 429 after 300, and logs no more than 300 lines', async (_what, url) => {
  const before = lines.length;
  const answers = new Map<number, number>();
  for (let n = 0; n < 400; n++) {
    const { statusCode } = await test.app.http.inject({ url, remoteAddress: '192.0.2.7' });
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
  }
  expect([answers.get(429), lines.length - before]).toEqual([100, 300]);
  expect((await setup.signIn(new PlainBrowser(), 'admin', subject)).status).toBe(303);
});

it('sign-ins never store or log secrets in plaintext, and each writes a log line', async () => {
  const secrets: string[] = [client.clientSecret];
  provider.forge = (token) => {
    secrets.push(provider.signToken(token));
    return token;
  };
  const keep = (address: string) => {
    const { searchParams } = new URL(address);
    for (const name of ['state', 'nonce', 'code']) secrets.push(...searchParams.getAll(name));
    return address;
  };
  const pupil = school.grades[0].classes[0].students[0].username;
  provider.add('pupil', { username: pupil });
  provider.add('nobody', { username: 'typed by nobody' });
  for (const [as, who] of [
    ['admin', subject],
    ['student', 'pupil'],
    ['admin', 'nobody'],
  ] as const) {
    const browser = new PlainBrowser();
    const address = await setup.signInAtProvider(browser, as, who, { change: keep });
    keep(address);
    secrets.push(...browser.cookie.split('; ').map((cookie) => cookie.split('=')[1] as string));
    const back = await browser.open(address);
    secrets.push(...(/code=(.+)$/.exec(back.headers.get('location') ?? '')?.slice(1) ?? []));
  }
  const { address: stolen } = await begin({ change: keep });
  keep(stolen);
  await new PlainBrowser().open(stolen);
  await setup.admin.get('/admin/activity?limit=1');

  const texts = [JSON.stringify(lines), await test.readAllRows()];
  expect(secrets.length).toBeGreaterThan(20);
  for (const text of texts) {
    expect(secrets.filter((secret) => secret !== '' && text.includes(secret))).toEqual([]);
  }
  expect(texts[0]).not.toContain('typed by nobody');
  const events = lines.filter(({ event }) => event !== undefined);
  expect(events.map(({ event, reason }) => [event, reason])).toEqual(
    expect.arrayContaining([
      ['signedIn', undefined],
      ['signInFailed', 'noAccount'],
      ['signInFailed', 'ended'],
    ]),
  );
});
