import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { auditRecordOf } from './audit.ts';
import { closeOpenConnections, HalfOpenConnection, startBareServer } from './half-open-connection.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

afterEach(closeOpenConnections);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const halfBody =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"';

/** Starts the server without the application; the test answers each request itself. */
async function startServer() {
  const asked: ServerResponse<IncomingMessage>[] = [];
  return { asked, ...(await startBareServer((_request, response) => asked.push(response))) };
}

const urls = (asked: readonly ServerResponse<IncomingMessage>[]) => asked.map(({ req }) => req.url);

it('requests of one connection are handled one at a time and answered in order, while another connection is served', async () => {
  const { port, asked } = await startServer();
  const sent = Array.from({ length: 20 }, (_, i) => `/${i}`);
  const one = new HalfOpenConnection(port, sent.map(get).join(''));
  const other = new HalfOpenConnection(port, get('/other'));
  await expect.poll(() => urls(asked)).toEqual(['/0', '/other']);
  for (let i = 0; i < 20; i++) {
    const response = asked.find(({ req }) => req.url === `/${i}`);
    expect(response).toBeDefined();
    response?.end(`answer ${i};`);
    if (i < 19) await expect.poll(() => urls(asked)).toContain(`/${i + 1}`);
  }
  await expect.poll(() => one.received.match(/answer \d+;/g)).toEqual(sent.map((_, i) => `answer ${i};`));
  expect(urls(asked)).toHaveLength(21);
  expect([one.ended, other.ended]).toEqual([false, false]);
});

it('requests of one connection are all answered, even thousands, while the client reads', async () => {
  const { port, asked, reports } = await startServer();
  const many = new HalfOpenConnection(port, get(`/${'x'.repeat(250)}`).repeat(3_000));
  const answered = () => many.received.split('HTTP/1.1 200 ').length - 1;
  const answering = setInterval(() => {
    for (const response of asked.splice(0)) response.end('ok');
  }, 0);
  await expect.poll(answered).toBe(3_000);
  clearInterval(answering);
  expect(reports).toEqual([]);
});

it('requests of one connection close the connection if hundreds wait at once, while others are served', async () => {
  const { port, asked, reports } = await startServer();
  const greedy = new HalfOpenConnection(port, get('/x').repeat(1_000));
  await expect.poll(() => greedy.ended).toBe(true);
  expect(reports).toEqual(['a connection with too many unanswered requests']);
  const modest = new HalfOpenConnection(port, get('/modest').repeat(200));
  await expect.poll(() => urls(asked)).toEqual(['/x', '/modest']);
  expect(modest.ended).toBe(false);
});

const large = Buffer.alloc(20_000_000);

it('an answer that the client does not read is dropped after a time without reads, while slow work is kept', async () => {
  const { server, port, asked } = await startServer();
  const [unread, working] = [new HalfOpenConnection(port), new HalfOpenConnection(port)];
  unread.socket.pause().write(get('/unread'));
  await expect.poll(() => urls(asked)).toEqual(['/unread']);
  working.socket.write(get('/working'));
  await expect.poll(() => urls(asked)).toEqual(['/unread', '/working']);
  const [first, second] = asked as [ServerResponse, ServerResponse];
  first.end(large);
  // Node emits this when a connection was idle for the configured time.
  for (const { socket } of [first, second]) server.emit('timeout', socket);
  await expect.poll(() => first.destroyed).toBe(true);
  second.end('done');
  await expect.poll(() => working.received).toContain('done');
});

it('an answer that the client does not read is dropped early if too much unread output waits', async () => {
  const { port, asked, passed } = await startServer();
  const unread = new HalfOpenConnection(port);
  unread.socket.pause().write(get('/unread'));
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.end(large);
  await expect
    .poll(() => {
      passed.ms += 1_000;
      return asked[0]?.destroyed;
    })
    .toBe(true);
});

it('an answer that is read without a pause is sent completely, however long it takes, even if too much unread output waits', async () => {
  const { port, asked, passed } = await startServer();
  const reader = new HalfOpenConnection(port, get('/large'));
  reader.socket.pause();
  await expect.poll(() => asked.length).toBe(1);
  asked[0]?.end(large);
  let received = 0;
  reader.socket.removeAllListeners('data').on('data', (bytes: string) => {
    received += bytes.length;
    reader.socket.pause();
    // The system buffers a few megabytes, so the server sees reads only now and then.
    passed.ms += 20;
    setTimeout(() => reader.socket.resume(), 5);
  });
  reader.socket.resume();
  await expect.poll(() => received > large.length || reader.ended).toBe(true);
  expect(received).toBeGreaterThan(large.length);
});

it('a full server answers 503 with Retry-After at both APIs and the pages, stays healthy, and audits the calls', async () => {
  const test = await startTestApp({}, { requestsMax: 2 });
  const office = await (await createSampleSchool(await test.signIn())).issue({});
  const admin = await test.signIn();
  const address = await test.listen();
  const port = Number(new URL(address).port);
  const ask = (path: string, token = '') =>
    fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}`, connection: 'close' } });
  expect((await ask('/api/v1/ping', office.token)).status).toBe(200);

  for (let i = 0; i < 2; i++) new HalfOpenConnection(port, halfBody);
  const full = { code: 50301, message: 'The server is temporarily unavailable', data: null };
  await expect.poll(async () => (await ask('/api/v1/ping', office.token)).status).toBe(503);
  const external = await ask('/api/v1/ping', office.token);
  expect(external.headers.get('retry-after')).toBe('1');
  const answer = (await external.json()) as { requestId: string };
  expect(answer).toEqual({ ...full, requestId: external.headers.get('x-request-id') });
  const stranger = (await (await ask('/api/v1/students', 'cls_unknown')).json()) as { requestId: string };
  expect(stranger).toMatchObject(full);

  const [internal, page] = [await ask('/api/announcements'), await ask('/')];
  for (const { status, headers } of [internal, page]) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  }
  expect(await internal.json()).toMatchObject({ success: false, data: null, message: full.message });
  for (const path of ['/healthz', '/readyz']) expect((await ask(path)).status).toBe(200);

  // Clients that keep others waiting are disconnected after two seconds.
  test.clock.advance(3_000);
  await expect
    .poll(async () => {
      test.clock.advance(1_000);
      return (await ask('/api/v1/ping', office.token)).status;
    })
    .toBe(200);
  const refused = { tokenPrefix: expect.any(String), statusCode: 503 };
  expect(await auditRecordOf(admin, answer.requestId)).toMatchObject(refused);
  expect(await auditRecordOf(admin, stranger.requestId)).toMatchObject({ ...refused, tokenPrefix: null });
});
