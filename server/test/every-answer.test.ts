import { externalOperations, internalOperations } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { exchange } from './raw-connection.ts';
import { startTestApp } from './test-app.ts';

/** Requests every operation of both APIs, every page and file, and unknown paths. */

const proxied = await startTestApp({ TRUST_PROXY: 'true' });
const direct = await startTestApp({}, { shareDatabaseWith: proxied });

const of = (prefix: string, operations: object) =>
  Object.values(operations as Record<string, { method: string; path: string }>).map(
    ({ method, path }) => [method, prefix + path.replaceAll(/:\w+/g, '1')] as const,
  );
const pages = [
  '/',
  '/admin',
  '/admin/students',
  '/student',
  '/student/x',
  '/docs',
  '/docs/',
  '/docs/internal',
];
const files = [
  '/docs/guide',
  '/docs/guide.md',
  '/llms.txt',
  '/api/openapi.json',
  '/api/v1/openapi.json',
  '/healthz',
  '/readyz',
];
const providers = ['/api/auth/sso/1/start', '/api/auth/sso/callback'];
const nothing = [
  '/nothing',
  '/api',
  '/api/nothing',
  '/api/v1',
  '/api/v1/nothing',
  '/%zz',
  '/api/%zz',
  '/assets/x.js',
];
const html = (await direct.app.http.inject('/')).body;
const asset = /\b(?:src|href)="(\/[^"]+\.(?:js|css))"/.exec(html)?.[1] as string;
const requests = [
  ['GET', asset] as const,
  ...of('/api', internalOperations),
  ...of('/api/v1', externalOperations),
  ...[...pages, ...files, ...providers, ...nothing].map((path) => ['GET', path] as const),
  ...['HEAD', 'OPTIONS', 'PUT'].map((method) => [method, '/api/auth/login'] as const),
  ['HEAD', '/'] as const,
];

async function found(app: typeof direct, headers: Record<string, string>) {
  const seen = new Map<string, string[]>();
  for (const [method, url] of requests) {
    const { headers: got } = await app.app.http.inject({ method: method as 'GET', url, headers });
    const said = `${got['x-content-type-options']}, ${got['strict-transport-security']}`;
    seen.set(said, [...(seen.get(said) ?? []), `${method} ${url}`]);
  }
  return [...seen.entries()].map(([said, by]) => (by.length === requests.length ? said : [said, by]));
}

describe('the headers of every answer', () => {
  const https = { 'x-forwarded-proto': 'https' };

  it('forbid content sniffing, and demand HTTPS if the request came over HTTPS', async () => {
    expect(await found(proxied, https)).toEqual(['nosniff, max-age=31536000']);
  });

  it('demand no HTTPS over HTTP, and an untrusted X-Forwarded-Proto changes nothing', async () => {
    expect(await found(proxied, {})).toEqual(['nosniff, undefined']);
    expect(await found(direct, https)).toEqual(['nosniff, undefined']);
  });

  it('forbid content sniffing even if the stream was not HTTP', async () => {
    const port = Number(new URL(await direct.listen()).port);
    for (const request of [
      'GET /api/x HTP\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\n\r\n',
    ]) {
      const { answers } = await exchange(port, [request]);
      expect(answers.map(({ headers }) => headers['x-content-type-options'])).toEqual(['nosniff']);
    }
  });
});
