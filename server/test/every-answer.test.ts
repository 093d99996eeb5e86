import { externalOperations, internalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';
import { startTestApp } from './test-app.ts';

/** Requests every operation of both APIs, every page and file, and unknown paths; `raw-socket.test.ts` sends other streams. */

const proxied = await startTestApp({ TRUST_PROXY: 'true' });
const direct = await startTestApp({}, { shareDatabaseWith: proxied });

const of = (prefix: string, operations: object) =>
  Object.values(operations as Record<string, { method: string; path: string }>).map(
    ({ method, path }) => [method, prefix + path.replaceAll(/:\w+/g, '1')] as const,
  );
const paths = `
  / /admin /admin/students /student /student/x /docs /docs/ /llms.txt /api/openapi.json /api/v1/openapi.json /healthz /readyz
  /api/auth/sso/1/start /api/auth/sso/callback
  /nothing /api /api/nothing /api/v1 /api/v1/nothing /%zz /api/%zz /assets/x.js`;
const html = (await direct.app.http.inject('/')).body;
const asset = /\b(?:src|href)="(\/[^"]+\.(?:js|css))"/.exec(html)?.[1] as string;
const requests = [
  ['GET', asset] as const,
  ...of('/api', internalOperations),
  ...of('/api/v1', externalOperations),
  ...paths
    .trim()
    .split(/\s+/)
    .map((path) => ['GET', path] as const),
  ...['HEAD', 'OPTIONS', 'PUT'].map((method) => [method, '/api/auth/login'] as const),
  ['HEAD', '/'] as const,
];

/** Returns the requests whose answer has other headers. */
async function findOthers(
  of: typeof direct,
  headers: Record<string, string>,
  expected: string,
  some = requests,
) {
  const others: string[] = [];
  for (const [method, url] of some) {
    const { headers: got } = await of.app.http.inject({ method: method as 'GET', url, headers });
    const said = `${got['x-content-type-options']}, ${got['strict-transport-security']}`;
    if (said !== expected) others.push(`${method} ${url}: ${said}`);
  }
  return others;
}

const https = { 'x-forwarded-proto': 'https' };

it('the headers of every answer forbid content sniffing, and demand HTTPS if the request came over HTTPS', async () => {
  expect(await findOthers(proxied, https, 'nosniff, max-age=31536000')).toEqual([]);
});

it('the headers of every answer demand no HTTPS over HTTP, and an untrusted X-Forwarded-Proto changes nothing', async () => {
  const some = requests.filter((_, i) => i % 10 === 0);
  expect(await findOthers(proxied, {}, 'nosniff, undefined', some)).toEqual([]);
  expect(await findOthers(direct, https, 'nosniff, undefined', some)).toEqual([]);
});
