import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Load, type MeasuredConnection } from './load.ts';

/** Returns the connection of a client that is sending a request, and lets it send. */
function uploading() {
  const socket = new Socket();
  let bytesRead = 0;
  Object.defineProperty(socket, 'bytesRead', { get: () => bytesRead });
  const served = new ServerResponse(new IncomingMessage(socket));
  const connection: MeasuredConnection = { socket, served, waitingSince: null, progressBytes: 0 };
  return {
    connection,
    send: (bytes: number) => {
      bytesRead += bytes;
    },
  };
}

it('under pressure, clients are disconnected that sent less than 16 KiB in the last two seconds', () => {
  let now = 60_000;
  const load = new Load({ requestsMax: 2, unreadMax: 1_000_000 }, () => now);
  const [slow, steady] = [uploading(), uploading()];
  const connections = [slow, steady].map(({ connection }) => connection);
  for (const { served } of connections) load.startRequest((served as ServerResponse).req);
  const disconnected = () => {
    load.measure(connections);
    return connections.map(({ socket }) => socket.destroyed);
  };
  expect(disconnected()).toEqual([false, false]);
  now += 1_999;
  slow.send(16_383);
  steady.send(16_384);
  expect(disconnected()).toEqual([false, false]);
  now += 1;
  expect(disconnected()).toEqual([true, false]);
  now += 1_999;
  expect(disconnected()).toEqual([true, true]);
});
