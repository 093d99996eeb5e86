import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { AuditLog } from './audit-log.ts';
import { recordProtocolError } from './credential-calls.ts';
import { noSniff } from './every-answer.ts';
import { externalPrefix } from './external-door.ts';
import { brokenOff } from './json-body.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were being read, a Buffer in fact. */
  readonly rawPacket?: unknown;
}

const message = 'The request cannot be read as HTTP';
const cutOffMessage = 'The request cannot be read';

/** The last request of each connection that reached a door, by its answer. */
const lastOf = new WeakMap<Duplex, ServerResponse<IncomingMessage>>();
/** Connections on which the last word is said. */
const dismissed = new WeakSet<Duplex>();
/** For so long whoever was refused may take the answer, in milliseconds. */
const graceMs = 1_000;

/**
 * Answers what Node refuses before a request comes into being (a request line or header that is not HTTP, too
 * many or endless headers, a method such as CONNECT) in the envelope of the door that was meant, as far as the
 * bytes tell, and closes the connection. A request that has come into being already is answered and audited by
 * its door alone.
 */
export function answerProtocolError(error: ParserError, socket: Duplex, audit: AuditLog, clock: Clock): void {
  // What else comes in the meantime changes nothing.
  if (dismissed.has(socket)) return;
  // No one to answer, or nothing: some connections are opened just in case and never used.
  if (!socket.writable || (socket as Socket).bytesRead === 0) {
    socket.destroy();
    return;
  }
  const last = lastOf.get(socket);
  if (last && !last.writableFinished) {
    breakOff(last, socket);
    return;
  }
  const bytes = error.rawPacket instanceof Buffer ? error.rawPacket.subarray(0, 2_000) : Buffer.alloc(0);
  const line = /^([A-Za-z]+) (\S+)/.exec(bytes.toString('latin1'));
  // What follows an answered request belongs to it, unless it looks like the next one.
  if (last && !(last.req.complete && (line || error.code === 'HPE_HEADER_OVERFLOW'))) {
    socket.destroy();
    return;
  }
  refuse(socket, line?.[1] ?? '', line?.[2]?.split('?', 1)[0] ?? '', audit, clock);
}

/** Lets a request be answered by its door, without what is missing of its body, and closes the connection. */
function breakOff(response: ServerResponse<IncomingMessage>, socket: Duplex): void {
  const request = response.req;
  if (brokenOff.has(request)) return;
  brokenOff.add(request);
  response.shouldKeepAlive = false;
  response.once('finish', () => dismiss(socket));
  // Who reads the body is told here, who is about to when it begins; no one else needs it.
  if (!request.complete && request.listenerCount('error') > 0) {
    request.emit('error', new AppError('malformed', cutOffMessage));
  }
}

/** Treats what HTTP allows and this server has no use for like any other request, or refuses it properly. */
export function handleUnusualRequests(http: FastifyInstance, audit: AuditLog, clock: Clock): void {
  const { server } = http;
  // An expectation that is not known is ignored rather than answered outside the envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => {
    // Node takes its own listener off: whoever breaks such a connection off would end the process.
    socket.on('error', () => {});
    refuse(socket, 'CONNECT', request.url ?? '', audit, clock);
  });
  server.on('request', (request, response) => {
    lastOf.set(request.socket, response);
    response.on('finish', () => {
      // Answered before its body came: no one waits for the rest of it.
      if (!request.complete) dismiss(request.socket);
      // A connection that is kept alive past the last answer would hold up a stop until it times out.
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
}

function refuse(socket: Duplex, method: string, path: string, audit: AuditLog, clock: Clock): void {
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
  dismiss(
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

/**
 * Says the last word on a connection. Closed at once, it could cut off an answer that the other side, still sending,
 * has not read; but who never closes the own side must not hold a connection for ever.
 */
function dismiss(socket: Duplex, lastWord = ''): void {
  if (dismissed.has(socket)) return;
  dismissed.add(socket);
  const timer = setTimeout(() => socket.destroy(), graceMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(lastWord);
  // What is still sent has to be taken off the wire to see the other side close.
  socket.resume();
}
