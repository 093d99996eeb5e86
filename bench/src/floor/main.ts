import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { typeParsers } from '../../../server/src/database/connect.ts';
import { classPage, insertScore, insertScores, overview, studentRecords } from './statements.ts';

/** The floor to compare with: a node:http and pg process with the server's SQL, without checks, limits or logs. */
const { target, schoolId } = JSON.parse(process.argv[2] as string) as {
  target: pg.PoolConfig;
  schoolId: number;
};
/** As many connections as the server has for ordinary reads and writes. The server has two more for pages of lists. */
const poolSize = 10;
const attemptsMax = 5;

const pool = new pg.Pool({
  ...target,
  max: poolSize,
  idleTimeoutMillis: 0,
  application_name: 'benchmark floor',
  options: '-c timezone=UTC -c datestyle=ISO',
  types: typeParsers,
});
// Ignores the error, because the next request replaces a connection that broke while idle.
pool.on('error', () => {});

/** Runs a prepared statement that commits by itself. */
async function query(name: string, text: string, values: readonly unknown[]) {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await pool.query({ name, text, values: [schoolId, ...values] })).rows;
    } catch (error) {
      const deadlock = error instanceof pg.DatabaseError && error.code === '40P01';
      if (!deadlock || attempt >= attemptsMax) throw error;
    }
  }
}

async function page(name: string, text: string, id: string | null) {
  const rows = await query(name, text, [Number(id)]);
  const total = rows[0]?.total ?? 0;
  for (const row of rows) delete row.total;
  return { list: rows, total };
}

async function summarise() {
  const [{ topStudents, ...sums }] = await query('overview', overview, []);
  return { ...sums, topStudents: topStudents ?? [] };
}

type ScoreItem = { userId: number; scoreChange: number };
type Scores = { description: string } & (ScoreItem | { items: readonly ScoreItem[] });

function readJson<T>(request: IncomingMessage): Promise<T> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    request.on('error', reject);
  });
}

async function write(request: IncomingMessage) {
  const body = await readJson<Scores>(request);
  if (!('items' in body)) {
    const [row] = await query('score', insertScore, [body.userId, body.scoreChange, body.description]);
    return { logId: row.id };
  }
  const students = body.items.map((item) => item.userId);
  const changes = body.items.map((item) => item.scoreChange);
  const rows = await query('scores', insertScores, [students, changes, body.description]);
  return { logIds: rows.map((row) => row.id) };
}

async function answer(request: IncomingMessage): Promise<object> {
  const [path, search] = (request.url as string).split('?', 2);
  const asked = new URLSearchParams(search);
  switch (`${request.method} ${path}`) {
    case 'GET /students':
      return page('page', classPage, asked.get('classId'));
    case 'GET /scores':
      return page('records', studentRecords, asked.get('userId'));
    case 'GET /stats/overview':
      return summarise();
    case 'POST /scores':
      return write(request);
    default:
      throw new Error(`The floor has no ${request.method} ${path}`);
  }
}

const server = createServer(async (request, response) => {
  const [status, data] = await answer(request).then(
    (data) => [200, data] as const,
    ({ message }: Error) => [500, { message }] as const,
  );
  // Sends a string, because node:http would send a buffer separately from the head.
  const body = JSON.stringify(data);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.once('disconnect', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
});
