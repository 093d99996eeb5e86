import { execFileSync } from 'node:child_process';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  closeOpenConnections,
  HalfOpenConnection,
  openConnections,
  startBareServer,
} from './half-open-connection.ts';
import { startTestApp, type TestApp } from './test-app.ts';

afterEach(closeOpenConnections);

const halfHeaders = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: ';
const halfBody =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"';

const countOf = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const startServer = (limits: Parameters<typeof startBareServer>[1]) =>
  startBareServer((_request, response) => response.end('ok'), limits);

async function listening(test: TestApp) {
  return { port: Number(new URL(await test.listen()).port), server: test.app.http.server as Server };
}
const behindProxy = await startTestApp({ CONNECTIONS_PER_ADDRESS_MAX: '1', TRUST_PROXY: 'true' });

it('a refused connection is closed after its 400 although the client keeps its side open', async () => {
  const { port, server } = await listening(behindProxy);
  const garbage = new HalfOpenConnection(port, 'garbage\r\n\r\n');
  const strange = new HalfOpenConnection(port, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => garbage.received !== '' && strange.received !== '').toBe(true);
  for (const sent of [halfHeaders, halfBody]) {
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    new HalfOpenConnection(port, sent);
    const socket = await accepted;
    await expect.poll(() => socket.bytesRead).toBe(sent.length);
    // Node emits this by itself when the time for a request is over.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, socket);
  }
  await expect.poll(() => countOf(server)).toBe(0);
  for (const { received } of openConnections) expect(received).toMatch(/^HTTP\/1\.1 400 /);
  expect(openConnections).toHaveLength(4);
});

it('connections of one address beyond the limit replace the connection that has gone longest without a request', async () => {
  const { port, server, reports } = await startServer({ max: 100, perAddressMax: 3 });
  const first = new HalfOpenConnection(port);
  expect(await first.isServed()).toBe(true);
  const half = new HalfOpenConnection(port, halfHeaders);
  await expect.poll(() => countOf(server)).toBe(2);
  expect(await first.isServed()).toBe(true);
  const third = new HalfOpenConnection(port);
  expect(await third.isServed()).toBe(true);
  expect(half.ended).toBe(false);

  const fourth = new HalfOpenConnection(port);
  expect(await fourth.isServed()).toBe(true);
  await expect.poll(() => half.ended).toBe(true);
  expect([await first.isServed(), await third.isServed()]).toEqual([true, true]);
  expect(await countOf(server)).toBe(3);
  expect(reports).toEqual(['more than 3 connections from 127.0.0.1']);
});

it('connections of one address beyond the limit are closed if all other connections have an active request', async () => {
  const direct = await startTestApp({ CONNECTIONS_PER_ADDRESS_MAX: '2' }, { shareDatabaseWith: behindProxy });
  const { port, server } = await listening(direct);
  const asking = [new HalfOpenConnection(port, halfBody), new HalfOpenConnection(port, halfBody)];
  let requests = 0;
  server.on('request', () => requests++);
  await expect.poll(() => requests).toBe(2);
  const late = new HalfOpenConnection(port);
  await expect.poll(() => late.ended).toBe(true);
  expect(asking.map(({ ended }) => ended)).toEqual([false, false]);
});

it('connections of one address are not limited behind a proxy, where all clients share the proxy’s address', async () => {
  const { port, server } = await listening(behindProxy);
  const all = [new HalfOpenConnection(port), new HalfOpenConnection(port), new HalfOpenConnection(port)];
  for (const each of all) expect(await each.isServed()).toBe(true);
  expect(await countOf(server)).toBe(3);
});

it('all connections together are limited, and new clients get in because connections without a request are closed', async () => {
  const { port, server, reports } = await startServer({ max: 4, perAddressMax: null });
  for (let i = 0; i < 12; i++) new HalfOpenConnection(port, halfHeaders);
  await expect.poll(() => openConnections.filter(({ ended }) => ended).length).toBe(8);
  for (let i = 0; i < 3; i++) expect(await new HalfOpenConnection(port).isServed()).toBe(true);
  expect(await countOf(server)).toBe(4);
  expect(reports[0]).toBe('more than 4 connections');
});

it.skipIf(process.platform === 'win32').each([
  [1_024, 448],
  [20_000, 5_000],
])(
  'all connections together of a process with %i files are limited to %i, so that answers can open files',
  (files, expected) => {
    const module = JSON.stringify(new URL('../src/http/http-server.ts', import.meta.url));
    const script = `import(${module}).then((http) => console.log(http.connectionsMaxOf(1_000)))`;
    const limited = ['-c', `ulimit -n ${files}; exec "$0" -e "$1"`, process.execPath, script];
    expect(Number(execFileSync('/bin/sh', limited, { encoding: 'utf8' }))).toBe(expected);
  },
);
