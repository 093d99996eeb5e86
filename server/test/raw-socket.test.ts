import { createConnection, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { exchange, type WireAnswer } from './raw-connection.ts';
import { Remote } from './remote.ts';
import { openSchool } from './test-app.ts';

const { test, school, office } = await openSchool();
const userId = school.grades[0].classes[0].students[0].id;
const port = Number(new URL(await test.listen()).port);

const auth = () => `Host: localhost\r\nAuthorization: Bearer ${office.token}\r\n`;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\n${auth()}${headers}\r\n`;
const post = (body: string, headers = `Content-Length: ${Buffer.byteLength(body)}\r\n`) =>
  `POST /api/v1/scores HTTP/1.1\r\n${auth()}Content-Type: application/json\r\n${headers}\r\n${body}`;
const score = () => JSON.stringify({ userId, scoreChange: 1 });

function expectEnvelope({ status, headers, body }: WireAnswer): { code: number; requestId: string } {
  expect(status).toBeLessThan(500);
  const answer = JSON.parse(body);
  expect(Object.keys(answer).sort()).toEqual(['code', 'data', 'message', 'requestId']);
  expect(headers['x-request-id']).toBe(answer.requestId);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(answer.code === 0 ? 200 : Math.floor(answer.code / 100)).toBe(status);
  expect(answer.data === null).toBe(answer.code !== 0);
  return answer;
}

async function expectAudited(requestIds: readonly string[]): Promise<void> {
  await eventually('the answers are audited', async () => {
    const rows = await test.rows(
      'SELECT count(DISTINCT request_id)::int AS n FROM audit_record WHERE request_id = ANY($1::uuid[])',
      requestIds,
    );
    return rows[0].n === requestIds.length;
  });
}

async function recordCount(): Promise<number> {
  const rows = await test.rows('SELECT count(*)::int AS n FROM audit_record');
  return rows[0].n;
}

it.each(['/', '/nothing', '/admin/scoring', '/healthz', '/api/v1/ping', '/api/announcements'])(
  'a connection stays open after GET %s',
  async (path) => {
    const twice = [get(path), get(path)];
    const { answers } = await exchange(port, twice, { expect: 2 });
    expect(answers.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'keep-alive']);
  },
);

const long = (length: number) => 'x'.repeat(length);
const bare = `GET /api/v1/ping HTTP/1.1\r\nX-API-Token: ${office.token}\r\n\r\n`;
const chunked = (body: string) => post(body, 'Transfer-Encoding: chunked\r\n');
const expecting = `Expect: 100-continue\r\nContent-Length: ${score().length}\r\n`;

/** Streams that are not valid requests, and unusual requests. */
const streams: [string, string | (string | Buffer)[], number][] = [
  ['a request line without a target', 'GET\r\n\r\n', 40001],
  ['a method that does not exist', `BREW /api/v1/ping HTTP/1.1\r\n${auth()}\r\n`, 40001],
  ['binary garbage', [Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7 + 128) % 256))], 40001],
  ['a target with bytes beyond ASCII', [Buffer.from(get('/api/v1/students?keyword=李'))], 40001],
  ['a target with a NUL', get('/api/v1/stu\0dents'), 40001],
  ['a header without a colon', get('/api/v1/ping', 'nonsense\r\n'), 40001],
  ['a bare carriage return in a header', get('/api/v1/ping', 'x-note: a\rb\r\n'), 40001],
  ['a header of 20 kB', get('/api/v1/ping', `x-note: ${long(20_000)}\r\n`), 40001],
  ['headers without an end', get('/api/v1/ping', 'x-note: y\r\n'.repeat(5_000)), 40001],
  ['a target of 20 kB', get(`/api/v1/students/${long(20_000)}`), 40001],
  ['a length that is no number', post(score(), 'Content-Length: five\r\n'), 40001],
  ['two lengths that differ', post(score(), 'Content-Length: 5\r\nContent-Length: 6\r\n'), 40001],
  ['a length and chunks', post(score(), 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'), 40001],
  ['chunks that are not the last coding', post('', 'Transfer-Encoding: chunked, gzip\r\n'), 40001],
  ['a chunk size that is no number', chunked('zz\r\nabc\r\n0\r\n\r\n'), 40001],
  ['CONNECT with a path', `CONNECT /api/v1/ping HTTP/1.1\r\n${auth()}\r\n`, 40001],

  ['a request without Host', bare, 0],
  ['a request of HTTP/1.0', `GET /api/v1/ping HTTP/1.0\r\n${auth()}\r\n`, 0],
  ['a request byte by byte', Array.from(get('/api/v1/ping')), 0],
  ['the whole address as target', get('http://localhost/api/v1/ping'), 0],
  ['dot segments', get('/api/v1/students/../ping'), 40401],
  ['a target that cannot be decoded', get('/api/v1/students/%zz'), 40401],
  ['an odd expectation', get('/api/v1/ping', 'Expect: miracles\r\n'), 0],
  ['Expect: 100-continue', post(score(), expecting), 0],
  ['TRACE', `TRACE /api/v1/ping HTTP/1.1\r\n${auth()}\r\n`, 40401],
  ['a body on GET', `${get('/api/v1/ping', 'Content-Length: 3\r\n')}abc`, 0],
  ['a body in chunks', chunked(`${score().length.toString(16)}\r\n${score()}\r\n0\r\n\r\n`), 0],
  ['chunks with extensions and trailers', chunked('2;x="y"\r\n{}\r\n0\r\nx-trailer: 1\r\n\r\n'), 40001],
  ['an unknown coding', post('0\r\n\r\n', 'Transfer-Encoding: gzip, chunked\r\n'), 40001],
  ['a body of 1 MiB and one byte', post(JSON.stringify({ a: long(1_048_576) })), 40001],
  ['a length of 10 GB', post('{', 'Content-Length: 10000000000\r\n'), 40001],
  ['150 headers', get('/api/v1/ping', 'x-h: v\r\n'.repeat(150)), 0],
];

/** Answers by request id, whose audit records the last test expects. */
const answered = new Map<string, string>();

it.each(streams)('%s gets one audited answer, and the connection ends', async (what, stream, code) => {
  const { answers, rest } = await exchange(port, [stream].flat(), { expect: 1 });
  expect([answers.length, rest]).toEqual([1, '']);
  const answer = expectEnvelope(answers[0] as WireAnswer);
  expect(answer.code).toBe(code);
  answered.set(answer.requestId, what);
});

it('a byte stream that is not an HTTP request (addressed outside of the external API) gets 400 and ends the connection', async () => {
  for (const stream of [
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /api/x HTP\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n',
    `CONNECT localhost:443 HTTP/1.1\r\n${auth()}\r\n`,
  ]) {
    const { answers, rest } = await exchange(port, [stream], { expect: 1 });
    expect(answers).toMatchObject([{ status: 400, headers: { 'x-content-type-options': 'nosniff' } }]);
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ success: false, data: null });
    expect(rest).toBe('');
  }
});

it('a byte stream that is not an HTTP request (CONNECT) may be reset by the client, and the server keeps running', async () => {
  const { server } = test.app.http;
  const asked = new Promise<Socket>((resolve) =>
    server.once('connect', (_, socket) => resolve(socket as Socket)),
  );
  const client = createConnection({ port, host: '127.0.0.1' }).on('error', () => {});
  client.write(`CONNECT localhost:443 HTTP/1.1\r\n${auth()}\r\n`);
  const socket = await asked;
  expect(socket.listenerCount('error')).toBeGreaterThan(0);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  client.resetAndDestroy();
  await closed;
});

it('a byte stream that is not an HTTP request (a truncated request) gets 40001 and ends the connection', async () => {
  const whole = post(score());
  for (const length of [3, 30, whole.indexOf('\r\n\r\n') + 2, whole.length - 5]) {
    const { answers } = await exchange(port, [whole.slice(0, length)]);
    expect(answers).toHaveLength(1);
    expect(expectEnvelope(answers[0] as WireAnswer).code).toBe(40001);
  }
});

it('an unusual request with HEAD gets an answer without a body', async () => {
  const head = `HEAD /api/v1/students HTTP/1.1\r\n${auth()}\r\n`;
  const { answers, rest } = await exchange(port, [head], { expect: 1, isHead: true });
  expect(answers[0]?.status).toBe(200);
  expect(rest).toBe('');
});

it('an unusual request in a pipeline gets its answer in the order of sending', async () => {
  const requests = Array.from({ length: 30 }, (_, i) =>
    i % 3 === 0 ? post(score()) : get(i % 3 === 1 ? `/api/v1/students?limit=${i}` : `/api/v1/unknown/${i}`),
  );
  const { answers } = await exchange(port, [requests.join('')], { expect: 30 });
  expect(answers).toHaveLength(30);
  for (const [i, answer] of answers.entries()) {
    const { code } = expectEnvelope(answer);
    expect(code).toBe(i % 3 === 2 ? 40401 : 0);
    if (i % 3 === 1) expect(JSON.parse(answer.body).data.limit).toBe(i);
  }
});

it.each(['h2c', 'websocket'])(
  'an unusual request with an upgrade to %s gets the last answer',
  async (protocol) => {
    const upgrade = get('/api/v1/ping', `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`);
    const { answers, rest } = await exchange(port, [upgrade + get('/api/v1/ping')], { expect: 2 });
    expect([answers.map(({ status, headers }) => [status, headers.connection]), rest]).toEqual([
      [[200, 'close']],
      '',
    ]);
  },
);

it('an unusual request followed by garbage gets one answer, and the connection ends', async () => {
  const { answers } = await exchange(port, [get('/api/v1/ping'), 'garbage\r\n\r\n'], { expect: 2 });
  expect(answers.map((answer) => expectEnvelope(answer).code)).toEqual([0]);
});

it('an unusual request followed by a request with oversized headers gets an answer, and the second request gets 400', async () => {
  const remote = new Remote(await test.listen());
  const ask = (note: string) =>
    remote.call('GET', '/api/v1/ping', { headers: { 'x-api-token': office.token, 'x-note': note } });
  const answers = [await ask('short'), await ask(long(20_000))];
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  await expectAudited(answers.map(({ requestId }) => requestId));
  remote.close();
});

describe('a connection whose request is broken or missing', () => {
  const body = '{"userId":0,"scoreChange":1}';
  const cutOff = post(body, 'Content-Length: 500\r\n');
  const anonymous = cutOff.replace(/Authorization.*\r\n/, '');
  const unknownCoding = post(body, 'Transfer-Encoding: gzip\r\n');

  it.each<[string, string[], { expect?: number; abort?: boolean }, number | null]>([
    ['the body is cut off', [cutOff], {}, 40001],
    ['the connection breaks in the body', [cutOff], { abort: true }, null],
    ['bytes follow the body', [post(body), 'more of it'], { expect: 2 }, 40002],
    ['a chunk size is invalid', [chunked('zz\r\n')], { expect: 1 }, 40001],
    ['the coding is unknown', [unknownCoding], { expect: 1 }, 40001],
    ['the credential is missing and the body cut off', [anonymous], {}, 40101],
  ])('(%s) gets at most one answer, and exactly one audit record', async (what, pieces, how, code) => {
    await expectAudited([(await office.get('/ping')).requestId]);
    const before = await recordCount();
    const note = `broken: ${what}`;
    const [head = '', ...rest] = pieces;
    const named = head.replace('\r\n', `\r\nUser-Agent: ${note}\r\n`);
    const { answers } = await exchange(port, [named, ...rest], how);
    expect(answers.map((answer) => expectEnvelope(answer).code)).toEqual(code === null ? [] : [code]);
    await eventually('everything is audited', async () => (await recordCount()) >= before + 1);
    // Records are written in order, so nothing of the broken request follows this one.
    await expectAudited([(await office.get('/ping')).requestId]);
    expect(await recordCount()).toBe(before + 2);
    const rows = await test.rows(
      'SELECT status_code AS status FROM audit_record WHERE user_agent = $1',
      note,
    );
    expect(rows).toEqual([{ status: Math.floor((code ?? 40001) / 100) }]);
  });

  it('(no byte was sent) gets neither an answer nor an audit record', async () => {
    const { server } = test.app.http;
    const before = await recordCount();
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const exchanged = exchange(port, [], { expect: 1 });
    // Node emits this by itself after a minute.
    const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, await accepted);
    expect(await exchanged).toEqual({ answers: [], rest: '' });
    await expectAudited([(await office.get('/ping')).requestId]);
    expect(await recordCount()).toBe(before + 1);
  });
});

describe('a request whose connection was reset before its address was known', () => {
  const wrong = '{"username":"admin","password":"a guess"}';
  const application = '{"schoolName":"Hill","applicantName":"Lee","contactPhone":"1","reason":"x"}';
  const inside = (path: string, body: string) =>
    `POST /api${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it.each([
    ['of the external API', get('/api/v1/ping'), 200],
    ['to sign in', inside('/auth/login', wrong), 401],
    ['with an application', inside('/applications', application), 200],
    ['on the way to a provider', get('/api/auth/sso/1/start?for=admin'), 404],
  ])('(%s) is answered like any other request', async (_, sent, status) => {
    // Node reports no address for a connection that was reset before it was accepted.
    test.app.http.server.once('connection', (socket) =>
      Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
    );
    const { answers } = await exchange(port, [sent], { expect: 1 });
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });
});

describe('after all requests of this file', () => {
  it('each has an audit record', async () => {
    const ids = 'SELECT request_id AS id FROM audit_record WHERE request_id = ANY($1::uuid[])';
    const audited = async () => {
      const { rows } = await test.database.pool.query<{ id: string }>(ids, [[...answered.keys()]]);
      return rows.map(({ id }) => answered.get(id)).sort();
    };
    await expect.poll(audited).toEqual([...answered.values()].sort());
  });

  it('the audit records of unreadable requests have no credential and no latency', async () => {
    const unread =
      "SELECT DISTINCT token_id, latency_ms FROM audit_record WHERE error_message = 'The request cannot be read as HTTP'";
    expect(await test.rows(unread)).toEqual([{ token_id: null, latency_ms: 0 }]);
  });

  it('the server has no open connection, every total is right, and points can still be given', async () => {
    const { server } = test.app.http;
    await eventually('every connection is closed', async () => {
      return new Promise<boolean>((resolve) => server.getConnections((_, count) => resolve(count === 0)));
    });
    await test.expectVerifiedLedger();
    const { answers } = await exchange(port, [post(score())], { expect: 1 });
    expect(expectEnvelope(answers[0] as WireAnswer).code).toBe(0);
  });
});
