import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { pageRoutes } from '../web/page-routes.ts';
import { documentationRoutes } from './routes.ts';

const app = Fastify();
await app.register(pageRoutes);
await app.register(documentationRoutes, { version: '1.2.3', keyLengthMax: 64 });
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

const references = ['/docs', '/docs/internal'];
const pages = [...references, '/docs/guide'];
const ownAssets = [
  'guide-contents.css',
  'guide.css',
  'guide.js',
  'icon.svg',
  'page.css',
  'reference.css',
  'reference.js',
];
const everything = ['/api/v1/openapi.json', '/api/openapi.json', ...pages];

describe.each(everything)('%s', (url) => {
  it('is served without a credential, with a policy that lets nothing else in', async () => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    const policy = String(answer.headers['content-security-policy']);
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split(';')).toContain(directive);
    }
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
  });

  it('may be cached, and is not sent again to those who have it', async () => {
    const first = await get(url);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    const etag = String(first.headers.etag);
    const again = await get(url, { 'if-none-match': `"other", ${etag}` });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is the same compressed and plain', async () => {
    const plain = await get(url, { 'accept-encoding': 'gzip;q=0, br' });
    const small = await get(url, { 'accept-encoding': 'br, gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.headers.vary).toBe('accept-encoding');
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true);
  });
});

it('allows inline styles on the references alone, whose viewer writes them, and inline scripts nowhere', async () => {
  for (const url of everything) {
    const policy = String((await get(url)).headers['content-security-policy']);
    expect(policy.includes("style-src 'self' 'unsafe-inline'")).toBe(references.includes(url));
    expect(policy).toContain("script-src 'self';");
  }
});

describe.each(pages)('the page %s', (url) => {
  it('links only to this server and has no inline code', async () => {
    const { body } = await get(url);
    const targets = [...body.matchAll(/\b(?:href|src|action|data|poster|srcset)="([^"]*)"/g)].map(
      ([, to]) => to,
    );
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((target) => !/^(?:\/(?!\/)|#)/.test(target ?? ''))).toEqual([]);
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  });

  it('links to nothing that is missing', async () => {
    const { body } = await get(url);
    const targets = [...body.matchAll(/\b(?:href|src)="(\/[^"#]*)[^"]*"/g)].map(([, to = '']) => to);
    for (const target of new Set(targets)) expect((await get(target)).statusCode, target).toBe(200);
    const fragments = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    for (const id of fragments) expect(body, id).toContain(`id="${id}"`);
  });

  it('names the product and leads to guide, reference and document', async () => {
    const { body, headers } = await get(url);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('Classledger</title>');
    const document = url === '/docs/internal' ? '/api/openapi.json' : '/api/v1/openapi.json';
    for (const href of ['/docs/guide', '/docs', document]) expect(body).toContain(`href="${href}"`);
  });
});

it.each(ownAssets)('our own %s fetches nothing from elsewhere', async (name) => {
  const { body } = await get(`/docs/assets/${name}`);
  expect(body.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
    /https?:|url\(|@import|["'(]\/\//,
  );
});

it('switches off whatever would make the viewer talk to others', async () => {
  const { body } = await get('/docs/assets/reference.js');
  for (const setting of [
    'withDefaultFonts: false',
    'telemetry: false',
    "proxyUrl: ''",
    'agent: { disabled: true }',
    'mcp: { disabled: true }',
    "showDeveloperTools: 'never'",
    'persistAuth: false',
  ]) {
    expect(body).toContain(setting);
  }
});

it.each([
  ['/api/v1/openapi.json', '/api/v1'],
  ['/api/openapi.json', '/api'],
])('serves %s as JSON with the version of the product', async (url, door) => {
  const answer = await get(url);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toMatchObject({
    openapi: '3.1.1',
    info: { version: '1.2.3' },
    servers: [{ url: `http://localhost:80${door}` }],
    components: { parameters: { IdempotencyKey: { schema: { maxLength: 64 } } } },
  });
});

it('gives the addresses of whoever asks, and remembers only a few', async () => {
  for (const [host, origin] of [
    ['scores.example', 'http://scores.example'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ...Array.from({ length: 20 }, (_, n) => [`school-${n}.example`, `http://school-${n}.example`] as const),
    ['[::1]:3000', 'http://[::1]:3000'],
    ['"quoted"', ''],
    ['$&', ''],
  ] as const) {
    const { servers, externalDocs } = (await get('/api/v1/openapi.json', { host })).json();
    expect([servers[0].url, externalDocs.url]).toEqual([`${origin}/api/v1`, `${origin}/docs/guide`]);
  }
});

it('shows each document on a page of its own, and each page names the other', async () => {
  for (const [page, document, other] of [
    ['/docs', '/api/v1/openapi.json', '/docs/internal'],
    ['/docs/internal', '/api/openapi.json', '/docs'],
  ] as const) {
    expect((await get(page)).body).toContain(`data-document="${document}"`);
    expect((await get(document)).json().info.description).toContain(`](${other})`);
  }
});

it('leads from /docs/ to /docs', async () => {
  const answer = await get('/docs/');
  expect([answer.statusCode, answer.headers.location]).toEqual([308, '/docs']);
});
