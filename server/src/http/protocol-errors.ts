import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Clock } from '../time/clock.ts';
import type { AuditLog } from './audit-log.ts';
import { recordProtocolError } from './credential-calls.ts';
import { externalPrefix } from './external-api.ts';
import { brokenRequests } from './json-body.ts';
import { noSniff } from './security-headers.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** A Buffer in practice. */
  readonly rawPacket?: unknown;
}

const message = 'The request cannot be read as HTTP';
const cutOffMessage = 'The request cannot be read';

const lastResponseOf = new WeakMap<Duplex, ServerResponse<IncomingMessage>>();
const closingSockets = new WeakSet<Duplex>();
const graceMs = 1_000;

/** Answers input that Node cannot parse, and closes the connection. The path in the bytes decides on the envelope. */
export function answerProtocolError(error: ParserError, socket: Duplex, audit: AuditLog, clock: Clock): void {
  // Further errors on a connection that is being closed change nothing.
  if (closingSockets.has(socket)) return;
  // The client has left, or opened the connection in reserve and sent nothing.
  if (!socket.writable || (socket as Socket).bytesRead === 0) {
    socket.destroy();
    return;
  }
  const last = lastResponseOf.get(socket);
  if (last && !last.writableFinished) {
    abortRequest(last, socket);
    return;
  }
  const bytes = error.rawPacket instanceof Buffer ? error.rawPacket.subarray(0, 2_000) : Buffer.alloc(0);
  const line = /^([A-Za-z]+) (\S+)/.exec(bytes.toString('latin1'));
  // Bytes after an answered request belong to that request, unless they look like the next one.
  if (last && !(last.req.complete && (line || error.code === 'HPE_HEADER_OVERFLOW'))) {
    socket.destroy();
    return;
  }
  refuseRequest(socket, line?.[1] ?? '', line?.[2]?.split('?', 1)[0] ?? '', audit, clock);
}

/** Lets the API answer a request whose body stays incomplete, then closes the connection. */
function abortRequest(response: ServerResponse<IncomingMessage>, socket: Duplex): void {
  const request = response.req;
  if (brokenRequests.has(request)) return;
  brokenRequests.add(request);
  response.shouldKeepAlive = false;
  response.once('finish', () => sendAndClose(socket));
  // A reader of the body gets the error here. A reader that starts later checks `brokenRequests`.
  if (!request.complete && request.listenerCount('error') > 0) {
    request.emit('error', new AppError('malformed', cutOffMessage));
  }
}

/** Ignores unknown expectations, refuses CONNECT, and closes connections whose answer came before the body. */
export function handleUnusualRequests(http: FastifyInstance, audit: AuditLog, clock: Clock): void {
  const { server } = http;
  // Node would answer an unknown expectation itself, without an envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => {
    // Node removes its own listener. Without one, a broken connection would end the process.
    socket.on('error', () => {});
    refuseRequest(socket, 'CONNECT', request.url ?? '', audit, clock);
  });
  server.on('request', (request, response) => {
    lastResponseOf.set(request.socket, response);
    response.on('finish', () => {
      // Answered before its body arrived: nothing waits for the rest.
      if (!request.complete) sendAndClose(request.socket);
      // A connection kept alive past the last answer would delay a stop until it times out.
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
}

function refuseRequest(socket: Duplex, method: string, path: string, audit: AuditLog, clock: Clock): void {
  const requestId = randomUUID();
  const external = path === '' || path === externalPrefix || path.startsWith(`${externalPrefix}/`);
  if (external) {
    const ip = (socket as Socket).remoteAddress ?? '';
    recordProtocolError(audit, { requestId, method, path, message, ip, at: clock() });
  }
  const body = JSON.stringify(
    external
      ? { code: 40001, message, data: null, requestId }
      : { success: false, data: null, message, requestId },
  );
  sendAndClose(
    socket,
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      noSniff.join(': '),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Sends a final answer and closes the socket within a second: closing at once could cut the answer off. */
function sendAndClose(socket: Duplex, answer = ''): void {
  if (closingSockets.has(socket)) return;
  closingSockets.add(socket);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(answer);
  // Incoming bytes must be read to notice that the client closes.
  socket.resume();
}
