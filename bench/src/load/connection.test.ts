import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Answer, Connection } from './connection.ts';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

async function connected(answer: (socket: Socket) => void): Promise<Connection> {
  const server = createServer((socket) => socket.on('data', () => answer(socket)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = await Connection.open((server.address() as AddressInfo).port);
  closings.push(() => {
    connection.close();
    server.close();
  });
  return connection;
}

const ask = (connection: Connection) =>
  new Promise<Answer | Error>((resolve) => connection.send('GET / HTTP/1.1\r\n\r\n', resolve));

describe('Connection of the load generator', () => {
  it('reads several answers in sequence', async () => {
    const connection = await connected((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    for (let n = 0; n < 3; n++) {
      expect(await ask(connection)).toEqual({ status: 200, body: Buffer.from('ok') });
    }
  });

  it('assembles an answer that arrives byte by byte', async () => {
    const connection = await connected(async (socket) => {
      for (const byte of 'HTTP/1.1 409 Conflict\r\ncontent-length: 5\r\n\r\nhello') {
        socket.write(byte);
        await new Promise(setImmediate);
      }
    });
    expect(await ask(connection)).toEqual({ status: 409, body: Buffer.from('hello') });
  });

  it('reports an error when the server hangs up', async () => {
    const connection = await connected((socket) => socket.destroy());
    expect(await ask(connection)).toBeInstanceOf(Error);
  });

  it('rejects an answer without Content-Length', async () => {
    const connection = await connected((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    );
    expect(await ask(connection)).toMatchObject({
      message: expect.stringContaining('without Content-Length'),
    });
  });
});
