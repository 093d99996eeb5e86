import { randomUUID } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { type Dataset, type Request, type WorkloadName, workloads } from '../workloads.ts';
import { type Answer, Connection } from './connection.ts';

export interface Endpoint {
  readonly port: number;
  readonly prefix: string;
  /** Each connection uses another one; the floor needs none. */
  readonly tokens: readonly string[];
}

export interface Job {
  readonly endpoint: Endpoint;
  /** Each connection sends them in turn. */
  readonly workloads: readonly WorkloadName[];
  readonly data: Dataset;
  readonly connections: number;
  readonly seconds: number;
}

export interface JobResult {
  readonly answered: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}

/** Sends a request right after each answer, also after a failure. */
export async function runJob(job: Job): Promise<JobResult> {
  const { endpoint, data, seconds } = job;
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(endpoint.port)),
  );
  // Microseconds with three significant digits.
  const latencies = createHistogram();
  let failures = 0;
  let firstFailure: string | null = null;
  const endsAt = performance.now() + seconds * 1000;

  const drive = (connection: Connection, index: number) =>
    new Promise<void>((resolve) => {
      let n = index;
      const next = () => {
        const draw = workloads[job.workloads[n++ % job.workloads.length] as WorkloadName];
        const request = encode(endpoint, draw(data), index);
        const sentAt = performance.now();
        connection.send(request, (answer) => {
          const now = performance.now();
          const failure = failureOf(answer);
          if (failure !== null) {
            failures++;
            firstFailure ??= failure;
          } else if (now <= endsAt) {
            latencies.record(Math.max(1, Math.round((now - sentAt) * 1000)));
          }
          if (now >= endsAt || answer instanceof Error) resolve();
          else next();
        });
      };
      next();
    });
  await Promise.all(connections.map(drive));

  for (const connection of connections) connection.close();
  return {
    answered: latencies.count,
    requestsPerSecond: latencies.count / seconds,
    p50Ms: latencies.percentile(50) / 1000,
    p99Ms: latencies.percentile(99) / 1000,
    failures,
    firstFailure,
  };
}

export async function sendRequest(endpoint: Endpoint, request: Request): Promise<unknown> {
  const connection = await Connection.open(endpoint.port);
  try {
    const answer = await new Promise<Answer | Error>((resolve) =>
      connection.send(encode(endpoint, request), resolve),
    );
    const failure = failureOf(answer);
    if (failure !== null) throw new Error(failure);
    return JSON.parse((answer as Answer).body.toString());
  } finally {
    connection.close();
  }
}

function encode(endpoint: Endpoint, { method, path, body, keyed }: Request, index = 0): string {
  const { port, prefix, tokens } = endpoint;
  const head = [`${method} ${prefix}${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  const token = tokens[index % tokens.length];
  if (token !== undefined) head.push(`Authorization: Bearer ${token}`);
  if (keyed && token !== undefined) head.push(`Idempotency-Key: ${randomUUID()}`);
  if (body !== undefined) {
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

function failureOf(answer: Answer | Error): string | null {
  if (answer instanceof Error) return answer.message;
  if (answer.status >= 200 && answer.status < 300) return null;
  return `HTTP ${answer.status}: ${answer.body.toString().slice(0, 300)}`;
}

if (import.meta.main) {
  process.on('message', async (job: Job) => {
    process.send?.(await runJob(job));
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}
