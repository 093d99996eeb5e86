import { once } from 'node:events';
import { createConnection } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface WireExchange {
  readonly answers: readonly WireAnswer[];
  readonly rest: string;
}

/** Parses the whole answers and skips interim ones (1xx). */
function readAnswers(received: Buffer, isHead = false): WireExchange {
  const answers: WireAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (!status) break;
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = status < 200 || isHead ? 0 : Number(headers['content-length'] ?? 0);
    const bodyAt = end + 4;
    if (rest.length < bodyAt + length) break;
    const body = rest.subarray(bodyAt, bodyAt + length).toString('utf8');
    if (status >= 200) answers.push({ status, headers, body });
    rest = rest.subarray(bodyAt + length);
  }
  return { answers, rest: rest.toString('latin1') };
}

/**
 * Sends bytes over a new connection and returns the answers when the server closes it.
 * @param options.expect answers to await before our side closes; without it, our side closes at once
 * @param options.abort resets the connection once the bytes are sent
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  options: { expect?: number; abort?: boolean; isHead?: boolean } = {},
): Promise<WireExchange> {
  const { expect = 0, abort = false, isHead = false } = options;
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  // Ignores the error, because the server can close while we write; earlier answers count.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const parts: Buffer[] = [];
  const received = () => readAnswers(Buffer.concat(parts), isHead);
  socket.on('data', (bytes: Buffer) => {
    parts.push(bytes);
    if (expect > 0 && received().answers.length >= expect) socket.end();
  });
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece, 'latin1');
  if (abort) socket.write('', () => socket.destroy());
  else if (expect === 0) socket.end();
  await closed;
  return received();
}
