import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { AuditLog } from './audit-log.ts';
import { externalPrefix, recordProtocolError } from './external-door.ts';

interface ParserError extends Error {
  /** The bytes that were being read, a Buffer in fact. */
  readonly rawPacket?: unknown;
}

const message = 'The request cannot be read as HTTP';

/**
 * Answers what Node refuses before a request comes into being (a request line or header that is not HTTP, too
 * many or endless headers, a method such as CONNECT) in the envelope of the door that was meant, as far as the
 * bytes tell, and closes the connection.
 */
export function answerProtocolError(error: ParserError, socket: Duplex, audit: AuditLog, clock: Clock): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const bytes = error.rawPacket instanceof Buffer ? error.rawPacket.subarray(0, 2_000) : Buffer.alloc(0);
  const line = /^([A-Za-z]+) (\S+)/.exec(bytes.toString('latin1'));
  refuse(socket, line?.[1] ?? '', line?.[2]?.split('?', 1)[0] ?? '', audit, clock);
}

/** Treats what HTTP allows and this server has no use for like any other request, or refuses it properly. */
export function handleUnusualRequests(server: Server, audit: AuditLog, clock: Clock): void {
  // An expectation that is not known is ignored rather than answered outside the envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request, socket) => refuse(socket, 'CONNECT', request.url ?? '', audit, clock));
  // A connection that is kept alive past the last answer would hold up a stop until it times out.
  server.on('request', (_request, response) => {
    response.on('finish', () => {
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
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
