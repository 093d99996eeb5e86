import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface FloodCount {
  sent: number;
  /** Connections that the server refused or closed. */
  cut: number;
}

interface FloodTarget {
  readonly port: number;
  readonly stop: AbortSignal;
}

type Flood = (target: FloodTarget, count: FloodCount) => Promise<void>;

/** Gives each flood its own addresses, because the teacher uses 127.0.0.1. */
const addressOf = (kind: number, n = 1) => `127.0.${kind}.${n}`;

const request = (method: string, path: string, headers: readonly string[] = [], body = '') =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');

const jsonRequest = (path: string, body: string) =>
  request(
    'POST',
    path,
    ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`],
    body,
  );

async function open(port: number, localAddress: string): Promise<Socket | null> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(null));
    socket.on('error', () => {});
  });
}

async function holdConnections(
  { port, stop }: FloodTarget,
  count: FloodCount,
  how: { connections: number; heldMs: number; address: string; use: (socket: Socket) => void },
): Promise<void> {
  const one = async () => {
    while (!stop.aborted) {
      const socket = await open(port, how.address);
      if (socket === null) {
        count.cut++;
        await pause(100);
        continue;
      }
      count.sent++;
      const cut = new AbortController();
      socket.once('close', () => cut.abort());
      how.use(socket);
      await pause(how.heldMs, null, { signal: AbortSignal.any([stop, cut.signal]) }).catch(() => {});
      if (cut.signal.aborted) {
        count.cut++;
        await pause(50);
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: how.connections }, one));
}

const unreadPipelines: Flood = (target, count) =>
  holdConnections(target, count, {
    connections: 300,
    heldMs: 10_000,
    address: addressOf(1),
    use: (socket) => {
      socket.pause();
      socket.write(request('GET', '/api/announcements').repeat(200));
    },
  });

const halfHeaders: Flood = (target, count) =>
  holdConnections(target, count, {
    connections: 700,
    heldMs: 120_000,
    address: addressOf(2),
    use: (socket) => socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\nX: '),
  });

const halfBodies: Flood = (target, count) => {
  const body = `{"username":"${'x'.repeat(1_000_000)}"`;
  const bytes = jsonRequest('/api/auth/login', `${body}}`).slice(0, -1);
  return holdConnections(target, count, {
    connections: 200,
    heldMs: 20_000,
    address: addressOf(3),
    use: (socket) => socket.resume().write(bytes),
  });
};

/** Sends small bodies that are expensive to parse. */
const weirdBodies: Flood = (target, count) => {
  const fields = Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join();
  const bodies = [
    `{${fields}}`,
    `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    `{"username":${'9'.repeat(1_000_000)}}`,
    `{"username":"${'\\u0041'.repeat(160_000)}","password":"x"}`,
  ];
  let next = 0;
  return holdConnections(target, count, {
    connections: 4,
    heldMs: 2_000,
    address: addressOf(4),
    use: (socket) =>
      socket
        .once('data', () => socket.destroy())
        .write(jsonRequest('/api/auth/login', bodies[next++ % bodies.length] as string)),
  });
};

const refusedCalls: Flood = async ({ port, stop }, count) => {
  const perSecond = 6_000;
  const connections = 16;
  const tickMs = 20;
  const call = request('GET', '/api/v1/ping', ['Authorization: Bearer cls_nobody']);
  const perTick = Math.ceil((perSecond * tickMs) / 1_000 / connections);
  const one = async (n: number) => {
    let socket: Socket | null = null;
    while (!stop.aborted) {
      if (socket === null || socket.destroyed || socket.writableEnded) {
        socket = await open(port, addressOf(5, n + 1));
        if (socket === null) {
          count.cut++;
          await pause(100);
          continue;
        }
        socket.resume().once('close', () => count.cut++);
      }
      // A slow server gets new requests only after it has read the earlier ones.
      if (socket.writableLength < 100_000) {
        socket.write(call.repeat(perTick));
        count.sent += perTick;
      }
      await pause(tickMs);
    }
    socket?.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => one(n)));
};

const wrongLogins: Flood = async (target, count) => {
  const addresses = 200;
  let next = 0;
  const one = (n: number) =>
    holdConnections(target, count, {
      connections: 1,
      heldMs: 5_000,
      address: addressOf(6, (n % addresses) + 1),
      use: (socket) => {
        const path = next % 2 === 0 ? '/api/auth/login' : '/api/auth/student/login';
        const body = JSON.stringify({ username: `somebody${next++}`, password: 'a wrong password' });
        socket.once('data', () => socket.destroy()).write(jsonRequest(path, body));
      },
    });
  await Promise.all(Array.from({ length: 16 }, (_, n) => one(n)));
};

const floods = {
  unreadPipelines,
  halfHeaders,
  halfBodies,
  weirdBodies,
  refusedCalls,
  wrongLogins,
} satisfies Record<string, Flood>;

export type FloodName = keyof typeof floods;
export const floodNames = Object.keys(floods) as FloodName[];

/** As a program, floods a port with the named floods until its parent sends a message or ends. */
if (import.meta.main) {
  const [port, ...names] = process.argv.slice(2);
  const stop = new AbortController();
  process.on('disconnect', () => process.exit());
  const counts: Record<string, FloodCount> = {};
  const all = Promise.all(
    (names as FloodName[]).map((name) => {
      const count = { sent: 0, cut: 0 };
      counts[name] = count;
      return floods[name]({ port: Number(port), stop: stop.signal }, count);
    }),
  );
  process.on('message', async () => {
    stop.abort();
    await all;
    process.send?.(counts);
  });
  process.send?.('ready');
}
