import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface FloodCount {
  /** Messages. */
  sent: number;
  /** Connections that were refused, or closed before their time. */
  cut: number;
}

interface Flood {
  readonly connections: number;
  /** Gives each connection an address of its own. */
  readonly hasManyAddresses?: true;
  readonly reads: 'nothing' | 'everything' | 'one answer';
  readonly pauseMs: number;
  /** Sends more over the same connection after the pause. Default: opens another one. */
  readonly isRepeated?: true;
  /** Returns what the nth message of the flood sends. */
  readonly bytes: (n: number) => string;
}

const request = (method: string, path: string, headers: readonly string[] = [], body = '') =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');

const jsonRequest = (path: string, body: string) => {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return request('POST', path, ['Content-Type: application/json', length], body);
};

const halfBody = jsonRequest('/api/auth/login', `{"username":"${'x'.repeat(1_000_000)}"}`).slice(0, -1);

/** Small bodies that are expensive to parse. */
const weirdBodies = [
  `{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join()}}`,
  `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  `{"username":${'9'.repeat(1_000_000)}}`,
  `{"username":"${'\\u0041'.repeat(160_000)}","password":"x"}`,
].map((body) => jsonRequest('/api/auth/login', body));

const loginPaths = ['/api/auth/login', '/api/auth/student/login'];

const floods = {
  unreadPipelines: {
    connections: 300,
    reads: 'nothing',
    pauseMs: 10_000,
    bytes: () => request('GET', '/api/announcements').repeat(200),
  },
  halfHeaders: {
    connections: 700,
    reads: 'everything',
    pauseMs: 120_000,
    bytes: () => 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: ',
  },
  halfBodies: { connections: 200, reads: 'everything', pauseMs: 20_000, bytes: () => halfBody },
  weirdBodies: {
    connections: 4,
    reads: 'one answer',
    pauseMs: 2_000,
    bytes: (n) => weirdBodies[n % weirdBodies.length] as string,
  },
  // 6,400 calls a second.
  refusedCalls: {
    connections: 16,
    hasManyAddresses: true,
    reads: 'everything',
    pauseMs: 20,
    isRepeated: true,
    bytes: () => request('GET', '/api/v1/ping', ['Authorization: Bearer cls_nobody']).repeat(8),
  },
  wrongLogins: {
    connections: 16,
    hasManyAddresses: true,
    reads: 'one answer',
    pauseMs: 5_000,
    bytes: (n) => {
      const body = JSON.stringify({ username: `somebody${n}`, password: 'a wrong password' });
      return jsonRequest(loginPaths[n % 2] as string, body);
    },
  },
} satisfies Record<string, Flood>;

export type FloodName = keyof typeof floods;
export const floodNames = Object.keys(floods) as FloodName[];

/** Runs a flood until `stop` aborts, from addresses of its own, because the teacher uses 127.0.0.1. */
async function runFlood(name: FloodName, port: number, count: FloodCount, stop: AbortSignal): Promise<void> {
  const flood: Flood = floods[name];
  const network = `127.0.${floodNames.indexOf(name) + 1}`;
  const holdConnection = async (index: number) => {
    while (!stop.aborted) {
      const localAddress = `${network}.${flood.hasManyAddresses ? index + 1 : 1}`;
      const socket = connect({ host: '127.0.0.1', port, localAddress });
      const closed = new AbortController();
      socket.once('close', () => closed.abort()).on('error', () => {});
      if (flood.reads === 'nothing') socket.pause();
      if (flood.reads === 'everything') socket.resume();
      if (flood.reads === 'one answer') socket.once('data', () => socket.destroy());
      const ended = AbortSignal.any([stop, closed.signal]);
      do {
        // A slow server gets new requests only after it has read the earlier ones.
        if (socket.writableLength < 100_000) socket.write(flood.bytes(count.sent++));
        await pause(flood.pauseMs, null, { signal: ended }).catch(() => {});
      } while (flood.isRepeated && !ended.aborted);
      if (closed.signal.aborted) {
        count.cut++;
        await pause(50);
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: flood.connections }, (_, index) => holdConnection(index)));
}

/** As a program, floods a port with the named floods until its parent sends a message or ends. */
if (import.meta.main) {
  const [port, ...names] = process.argv.slice(2);
  const stop = new AbortController();
  process.on('disconnect', () => process.exit());
  const counts: Record<string, FloodCount> = {};
  const all = Promise.all(
    (names as FloodName[]).map((name) => {
      counts[name] = { sent: 0, cut: 0 };
      return runFlood(name, Number(port), counts[name], stop.signal);
    }),
  );
  process.on('message', async () => {
    stop.abort();
    await all;
    process.send?.(counts);
  });
  process.send?.('ready');
}
