import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Clock } from '../time/clock.ts';
import type { AuditLog } from './audit-log.ts';
import { toStorable } from './credential-calls.ts';
import { brokenRequests } from './json-body.ts';
import { externalPrefix } from './request-parts.ts';
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

/** Answers input that Node cannot parse, and closes the connection. The path in the bytes selects the envelope. */
export function answerProtocolError(error: ParserError, socket: Duplex, audit: AuditLog, clock: Clock): void {
  // Ignores further errors on a connection that is being closed.
  if (closingSockets.has(socket)) return;
  // Closes without an answer if the client has disconnected, or opened the connection in reserve and sent nothing.
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
  // Drops bytes of an answered request, and answers those that look like the next request.
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
  // Handles unknown expectations as requests, because Node would answer them without an envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => {
    // Node has removed its own listener. Without this one, a broken connection would end the process.
    socket.on('error', () => {});
    refuseRequest(socket, 'CONNECT', request.url ?? '', audit, clock);
  });
  server.on('request', (request, response) => {
    lastResponseOf.set(request.socket, response);
    response.on('finish', () => {
      // Nobody reads the rest of a body that was answered before it arrived.
      if (!request.complete) sendAndClose(request.socket);
      // Closes idle connections during a stop, because they would delay it until they time out.
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
}

function refuseRequest(socket: Duplex, method: string, path: string, audit: AuditLog, clock: Clock): void {
  const requestId = randomUUID();
  const external = path === '' || path === externalPrefix || path.startsWith(`${externalPrefix}/`);
  if (external) {
    audit.record({
      ...{ requestId, tokenId: null, tokenPrefix: null, schoolId: null },
      ...{ method: toStorable(method, 20), path: toStorable(path, 500), statusCode: 400, latencyMs: 0 },
      ...{ ip: (socket as Socket).remoteAddress ?? '', userAgent: null, errorMessage: message, at: clock() },
    });
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

/** Sends a final answer and closes the socket within a second, because closing at once could cut the answer off. */
function sendAndClose(socket: Duplex, answer = ''): void {
  if (closingSockets.has(socket)) return;
  closingSockets.add(socket);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(answer);
  // Reads incoming bytes, because Node otherwise does not notice that the client closes.
  socket.resume();
}
