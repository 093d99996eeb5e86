import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { Operations, openPool } from './operations.ts';

/** The floor to compare with: a node:http and pg process with the server's SQL, without checks, limits or logs. */
const { target, schoolId } = JSON.parse(process.argv[2] as string) as {
  target: pg.PoolConfig;
  schoolId: number;
};
const pool = openPool(target);
const operations = new Operations(pool, schoolId);

function answer(request: IncomingMessage): unknown {
  const [path, search] = (request.url as string).split('?', 2);
  const query = new URLSearchParams(search);
  switch (`${request.method} ${path}`) {
    case 'GET /students':
      return operations.listStudents(Number(query.get('classId')));
    case 'GET /scores':
      return operations.listScores(Number(query.get('userId')));
    case 'GET /stats/overview':
      return operations.overview();
    case 'POST /scores':
      return write(request);
    default:
      throw new Error(`The floor has no ${request.method} ${path}`);
  }
}

async function write(request: IncomingMessage): Promise<unknown> {
  const body = await readJson(request);
  return body.items ? operations.writeScores(body.items, body.description) : operations.writeScore(body);
}

// biome-ignore lint/suspicious/noExplicitAny: the floor validates nothing
function readJson(request: IncomingMessage): Promise<any> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    request.on('error', reject);
  });
}

function send(response: ServerResponse, status: number, data: unknown): void {
  // Sends a string, because node:http would send a buffer separately from the head.
  const body = JSON.stringify(data);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer(async (request, response) => {
  try {
    send(response, 200, await answer(request));
  } catch (error) {
    send(response, 500, { message: (error as Error).message });
  }
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.once('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
});
