import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { Connections } from '../src/http/connections.ts';
import { createHttpServer } from '../src/http/http-server.ts';
import { Load } from '../src/http/load.ts';

const ask = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

/** A connection that our side keeps open until the test ends. */
export class HalfOpenConnection {
  readonly socket: Socket;
  received = '';
  ended = false;

  constructor(port: number, sent = '') {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.received += text;
    });
    this.socket.on('end', () => {
      this.ended = true;
    });
    this.socket.on('error', () => {
      this.ended = true;
    });
    if (sent !== '') this.socket.write(sent);
    openConnections.push(this);
  }

  async isServed(): Promise<boolean> {
    const before = this.received.length;
    this.socket.write(ask);
    await expect.poll(() => this.ended || this.received.length > before).toBe(true);
    return this.received.slice(before).startsWith('HTTP/1.1 200 ');
  }
}

export const openConnections: HalfOpenConnection[] = [];

/** Closes the connections of the current test; call it after each test. */
export function closeOpenConnections(): void {
  for (const { socket } of openConnections.splice(0)) socket.destroy();
}

/** Starts the server without an application until the test ends. `passed` is the clock of its load. */
export async function startBareServer(
  handle: RequestListener,
  limits: ConstructorParameters<typeof Connections>[0] = { max: 1_000, perAddressMax: null },
) {
  const reports: string[] = [];
  const passed = { ms: 0 };
  const load = new Load({ requestsMax: 1_000, unreadMax: 8_000_000 }, () => passed.ms);
  const connections = new Connections(limits, load, (what) => reports.push(what));
  const server = createHttpServer(handle, connections);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, server, reports, passed };
}
