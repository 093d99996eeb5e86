import { type Answer, Connection } from '../load/connection.ts';
import { type Dataset, type WorkloadName, workloads } from '../workloads.ts';

export interface GreedySchool {
  readonly port: number;
  readonly data: Dataset;
  readonly tokens: readonly string[];
  readonly connections: number;
}

export type Answers = Record<number, number>;

const mix: readonly WorkloadName[] = ['W1', 'W2', 'W4', 'W1', 'W5', 'W4'];

/** A process of a large school: each connection sends its next request right after an answer, even after a refusal. */
const { port, data, tokens, connections } = JSON.parse(process.argv[2] as string) as GreedySchool;
const all = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
let answers: Answers = {};
let isRunning = false;

function sendNext(connection: Connection, n: number): void {
  const { method, path, body } = workloads[mix[n % mix.length] as WorkloadName].draw(data, Math.random) as {
    method: string;
    path: string;
    body?: string;
  };
  const head = `${method} /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${tokens[n % tokens.length]}\r\n`;
  const sent =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  connection.send(`${head}${sent}\r\n${body ?? ''}`, (answer: Answer | Error) => {
    const status = answer instanceof Error ? 0 : answer.status;
    answers[status] = (answers[status] ?? 0) + 1;
    if (isRunning && status !== 0) sendNext(connection, n + connections);
  });
}

process.on('disconnect', () => process.exit());
process.on('message', ({ go }: { go: boolean }) => {
  isRunning = go;
  if (go) {
    answers = {};
    for (const [n, connection] of all.entries()) sendNext(connection, n);
  }
  process.send?.(answers);
});
process.send?.('ready');
