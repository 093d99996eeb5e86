import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type LightMyRequestResponse } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { pageRoutes } from './page-routes.ts';

type Get = (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;

async function serve(builds?: string): Promise<Get> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(pageRoutes, { builds });
  return (url, headers = {}) => app.inject({ url, headers });
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'classledger-builds-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @param wanted when a start last asked for these pages, in seconds */
function addBuild(folder: string, name: string, wanted: number): void {
  mkdirSync(join(folder, name, 'assets'), { recursive: true });
  for (const page of ['index', 'admin', 'student']) {
    writeFileSync(join(folder, name, `${page}.html`), `${page} of ${name} <meta nonce="__CSP_NONCE__">`);
  }
  writeFileSync(join(folder, name, 'assets', `part-${name}.js`), `part of ${name}`);
  writeFileSync(join(folder, name, 'assets', 'page.html'), 'a page without protection');
  writeFileSync(join(folder, name, 'icon.svg'), `icon of ${name}`);
  writeFileSync(join(folder, name, `only-${name}.js`), '');
  utimesSync(join(folder, name), wanted, wanted);
}

it('pages forbid scripts and styles of others, and framing', async () => {
  const get = await serve();
  for (const path of ['/', '/admin/students', '/student']) {
    const [first, second] = await Promise.all([get(path), get(path)]);
    const policy = String(first.headers['content-security-policy']);
    const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? 'missing';
    expect(policy).toContain("default-src 'none';script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(first.body).toContain(`nonce="${nonce}"`);
    expect(second.headers['content-security-policy']).not.toBe(policy);
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(first.headers).not.toHaveProperty('strict-transport-security');
  }
});

it('an unknown address answers 404: a page without caching to browsers, JSON to programs', async () => {
  const get = await serve();
  const seen = await get('/nonsense/x', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
  expect(seen).toMatchObject({ statusCode: 404, body: expect.stringContaining('<div id="root">') });
  expect(seen.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'DENY' });
  for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }, {}]) {
    expect((await get('/nonsense', headers)).json()).toMatchObject({ statusCode: 404, error: 'Not Found' });
  }
});

it('assets are compressed and cached for a year as immutable', async () => {
  const get = await serve();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec((await get('/admin')).body)?.[1] ?? '';
  const plain = await get(script, { 'accept-encoding': 'br;q=0, deflate' });
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined]);
  for (const [accepted, encoding, expand] of [
    ['gzip, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ] as const) {
    const small = await get(script, { 'accept-encoding': accepted });
    expect(small.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/^accept-encoding$/i),
    });
    expect(expand(small.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
});

it('icon, workers and style sheets are revalidated, and answer 304 to a matching ETag', async () => {
  const get = await serve();
  for (const path of ['/icon.svg', '/student-worker.js', '/admin-worker.js', '/docs/assets/page.css']) {
    const first = await get(path, { 'accept-encoding': 'br' });
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-cache']);
    const etag = String(first.headers.etag);
    for (const known of [`"other", ${etag}`, etag.replace('W/', '')]) {
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  }
});

it.each([
  ...['/assets/none.js', '/assets/', '/assets/..%2fadmin.html', '/assets/../admin.html', '/admin.html'],
  ...['/icon.svg.br', '/.vite/main.json', '/docs/assets/', '/docs/assets/nothing.css'],
  ...['/docs/assets/constructor', '/docs/assets/..%2f..%2f..%2f..%2f..%2fpackage.json'],
  ...['/docs/assets/%2e%2e%2f%2e%2e%2fadmin.html', '/docs/assets/..%5C..%5Cadmin.html'],
  ...['/docs/assets/../../admin.html', '/docs/assets/guide.css%00.js'],
])('%s is not a served file and answers 404', async (url) => {
  const answer = await (await serve())(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.body).not.toContain('<html');
});

it('/admin answers 503 with the build command before the first build', async () => {
  const folder = temporaryFolder();
  for (const builds of [folder, join(folder, 'nowhere')]) {
    const answer = await (await serve(builds))('/admin');
    expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining('npm run web:build')]);
  }
});

it('the newest requested build is served, and assets of earlier builds stay available', async () => {
  const folder = temporaryFolder();
  addBuild(folder, 'old', 1_000);
  addBuild(folder, 'new', 3_000);
  addBuild(folder, 'middle', 2_000);
  const get = await serve(folder);
  expect((await get('/admin')).body).toMatch(/^admin of new <meta nonce="[\w-]{20,}">$/);
  expect((await get('/icon.svg')).body).toBe('icon of new');
  expect((await get('/assets/page.html')).statusCode).toBe(404);
  for (const name of ['old', 'middle', 'new']) {
    expect((await get(`/assets/part-${name}.js`)).body).toBe(`part of ${name}`);
    expect((await get(`/only-${name}.js`)).statusCode).toBe(name === 'new' ? 200 : 404);
  }
});
