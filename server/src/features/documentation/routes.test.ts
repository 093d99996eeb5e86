import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { externalOperations, internalOperations } from '@classledger/contract';
import Fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { pageRoutes } from '../web/page-routes.ts';
import { documentationRoutes } from './routes.ts';

const app = Fastify({ pluginTimeout: 0 });
await app.register(pageRoutes);
await app.register(documentationRoutes, { version: '1.2.3', keyLengthMax: 64 });
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

const pages = [
  '/docs?lang=en',
  '/docs?lang=zh',
  '/docs/internal',
  '/docs/oneroster',
  '/docs/guide?lang=en',
  '/docs/guide?lang=zh',
  '/docs/teachers-guide?lang=en',
  '/docs/teachers-guide?lang=zh',
];
const files = ['/api/v1/openapi.json', '/api/openapi.json', '/docs/guide.md?lang=zh', '/llms.txt'];
const client = '/docs/classledger-client.tgz';
const everything = [...files, ...pages, client];

it.each(everything)('%s shows only this server’s content, and answers 304 to its ETag', async (url) => {
  const answer = await get(url);
  expect(answer.statusCode).toBe(200);
  const policy = String(answer.headers['content-security-policy']);
  for (const none of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
    expect(policy.split(';')).toContain(`${none} 'none'`);
  }
  for (const kind of ['script', 'style', 'connect', 'font']) {
    expect(policy.split(';')).toContain(`${kind}-src 'self'`);
  }
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  const { etag, ...headers } = answer.headers;
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cache-control': 'public, max-age=300',
  });
  const again = await get(url, { 'if-none-match': `"other", ${etag}` });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
});

it.each(['/docs/oneroster', '/docs/guide.md?lang=zh', '/llms.txt'])(
  '%s has the same content compressed',
  async (url) => {
    const plain = await get(url, { 'accept-encoding': 'gzip;q=0, deflate' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      for (const _time of ['compressed', 'cached']) {
        const small = await get(url, { 'accept-encoding': encoding });
        expect(small.headers['content-encoding']).toBe(encoding);
        expect(small.headers.vary).toContain('accept-encoding');
        expect(unpack(small.rawPayload).equals(plain.rawPayload)).toBe(true);
      }
    }
  },
);

it('the client package is a gzipped file with its own file name', async () => {
  const { headers, rawPayload } = await get(client, { 'accept-encoding': 'gzip, br' });
  expect(headers).toMatchObject({
    'content-type': 'application/gzip',
    'content-disposition': 'attachment; filename="classledger-client.tgz"',
  });
  expect(headers).not.toHaveProperty('content-encoding');
  expect(gunzipSync(rawPayload).toString()).toContain('"name": "@classledger/client"');
  expect((await app.inject({ url: client, method: 'HEAD' })).statusCode).toBe(200);
});

it('the client package answers 404 with a reason while missing, and 200 once built, without a restart', async () => {
  const clientBuilds = await mkdtemp(join(tmpdir(), 'classledger-client-builds-'));
  const without = Fastify({ pluginTimeout: 0 });
  await without.register(documentationRoutes, { version: '1.2.3', keyLengthMax: 64, clientBuilds });
  try {
    expect(await without.inject(client)).toMatchObject({
      statusCode: 404,
      body: expect.stringContaining('npm run client:build'),
      headers: { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8' },
    });
    await mkdir(join(clientBuilds, 'later'));
    await writeFile(join(clientBuilds, 'later/classledger-client.tgz'), 'packed');
    expect(await without.inject(client)).toMatchObject({ statusCode: 200, body: 'packed' });
  } finally {
    await without.close();
    await rm(clientBuilds, { recursive: true });
  }
});

it.each(pages)('%s names the product, and links only to this server, without a broken link', async (url) => {
  const { body, headers } = await get(url);
  const targets = [...body.matchAll(/\b(href|src|action|data|poster|srcset)="([^"]*)"/g)];
  expect(targets.length).toBeGreaterThan(5);
  const foreign = targets.map(([, , to = '']) => to).filter((to) => !/^(?:\/(?!\/)|#)/.test(to));
  // People may follow a link to the standard itself.
  expect(foreign).toEqual(
    url === '/docs/oneroster' ? ['https://www.imsglobal.org/oneroster-v1p2-specifications'] : [],
  );
  const local = targets.flatMap(([, name = '', to = '']) => (/^(?:href|src)$/.test(name) ? to : []));
  for (const target of new Set(local.filter((to) => to.startsWith('/')))) {
    const [path = ''] = target.replaceAll('&amp;', '&').split('#');
    expect((await get(path)).statusCode, target).toBe(200);
  }
  for (const target of local.filter((to) => to.startsWith('#'))) {
    expect(body, target).toContain(`id="${target.slice(1)}"`);
  }
  const bare = body.replace(/=\s*"[^"]*"/g, '=""');
  expect(bare).not.toMatch(/<script(?![^>]*\ssrc=)|<style|<[a-z][^>]*\s(?:style|on\w+)=/i);
  expect(body).not.toMatch(/javascript:/i);

  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toContain('Classledger</title>');
  const document = url === '/docs/internal' ? '/api/openapi.json' : '/api/v1/openapi.json';
  const language = url.endsWith('zh') ? 'zh' : 'en';
  expect(body).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`);
  const isForTeachers = url.startsWith('/docs/teachers-guide');
  for (const href of [`/docs/guide?lang=${language}`, `/docs?lang=${language}`, document]) {
    expect(body.includes(`href="${href}"`), href).toBe(!isForTeachers);
  }
});

it.each([
  ['de, zh-CN;q=0.8, en;q=0.7', '/docs', 'zh-CN'],
  ['zh-Hans', '/docs/guide', 'zh-CN'],
  ['zh-TW', '/docs/teachers-guide', 'zh-CN'],
  ['en-GB, zh;q=0.9', '/docs/guide.md', 'en'],
  ['en;q=0, zh;q=0.1', '/docs', 'zh-CN'],
  ['fr', '/docs', 'en'],
  ['', '/docs', 'en'],
  ['zh', '/docs?lang=en', 'en'],
  ['en', '/docs/guide?lang=zh', 'zh-CN'],
  ['en', '/docs?lang=zh-CN', 'zh-CN'],
  ['zh', '/docs?lang=constructor', 'zh-CN'],
])('Accept-Language "%s" for %s gives %s', async (preferred, url, language) => {
  const { headers } = await get(url, { 'accept-language': preferred });
  expect(headers['content-language']).toBe(language);
  expect(headers.vary).toContain('accept-language');
});

it.each([
  ['/api/v1/openapi.json', '/api/v1'],
  ['/api/openapi.json', '/api'],
])('%s is JSON and contains the product version', async (url, api) => {
  const answer = await get(url);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toMatchObject({
    openapi: '3.1.1',
    info: { version: '1.2.3' },
    servers: [{ url: `http://localhost:80${api}` }],
    components: { parameters: { IdempotencyKey: { schema: { maxLength: 64 } } } },
  });
});

// More hosts than are cached.
const hosts = Array.from({ length: 10 }, (_, n) => `school-${n}.example`);

it('the document contains the address of the request’s host, or relative addresses for an invalid host', async () => {
  const valid = [...hosts, '127.0.0.1:3000', '[::1]:3000'].map((host) => [host, `http://${host}`] as const);
  for (const [host, origin] of [...valid, ['"quoted"', ''], ['$&', '']] as const) {
    const { servers, externalDocs } = (await get('/api/v1/openapi.json', { host })).json();
    expect([servers[0].url, externalDocs.url]).toEqual([`${origin}/api/v1`, `${origin}/docs/guide`]);
  }
});

it.each(['?lang=en', '?lang=zh', '.md?lang=en'])(
  'the commands of /docs/guide%s contain the address of the installation',
  async (which) => {
    const { body } = await get(`/docs/guide${which}`, { host: 'scores.example' });
    expect(body).toContain('CLASSLEDGER_URL=http://scores.example');
    expect(body).toContain('http://scores.example/docs/classledger-client.tgz');
    expect(body).not.toMatch(/127\.0\.0\.1:3000|points\.school\.example/);
    const unknown = await get(`/docs/guide${which}`, { host: '"quoted"' });
    expect(unknown.body).toContain('CLASSLEDGER_URL=http://127.0.0.1:3000');
  },
);

it('each OpenAPI document has its own page, which links to the other document', async () => {
  for (const [page, operations, other] of [
    ['/docs?lang=zh', externalOperations, '/docs/internal'],
    ['/docs/internal', internalOperations, '/docs?lang=en'],
  ] as const) {
    const { body } = await get(page);
    for (const id of Object.keys(operations)) expect(body).toContain(`<div class="inside" id="${id}">`);
    expect(body).toContain(`href="${other}"`);
  }
});

it('forms of the reference leave optional fields empty, and ask before a deletion', async () => {
  const { body } = await get('/docs?lang=en');
  const forms = [...body.matchAll(/<form data-method="(\w+)"([^>]*)>([\s\S]*?)<\/form>/g)];
  expect(forms).toHaveLength(Object.keys(externalOperations).length);
  for (const [, method, attributes = '', fields = ''] of forms) {
    expect(fields).not.toMatch(/<input[^>]*\svalue=|<option[^>]*\sselected|name="confirm"/);
    for (const [, options = ''] of fields.matchAll(/<select[^>]*>([\s\S]*?)<\/select>/g)) {
      expect(options).toMatch(/^<option value="">/);
    }
    expect(attributes.includes('data-asks')).toBe(method === 'DELETE');
  }
});

it('/llms.txt lists the guide, the documents and every operation', async () => {
  const { body } = await get('/llms.txt', { host: 'scores.example' });
  expect(body).toMatch(/^# Classledger\n\n> [^\n]+\n/);
  expect(body).toContain('npm install --allow-remote=root http://scores.example/docs/classledger-client.tgz');
  const sections = body.split(/^## /m).slice(1);
  for (const line of sections.flatMap((section) => section.split('\n').slice(1))) {
    expect(line).toMatch(/^(- \[[^\]]+\]\(http:\/\/scores\.example\/[^)]+\): .+)?$/);
  }
  for (const { method, path } of Object.values(externalOperations)) {
    expect(body).toContain(`\`${method} /api/v1${path.replace(/:(\w+)/g, '{$1}')}\``);
  }
});

it('/docs/ redirects to /docs with 308', async () => {
  const answer = await get('/docs/');
  expect([answer.statusCode, answer.headers.location]).toEqual([308, '/docs']);
});
