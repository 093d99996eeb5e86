import { setTimeout as pause } from 'node:timers/promises';
import { headersOf, openRemoteSchool } from '../../server/test/remote.ts';
import { runBenchmark } from './benchmark.ts';
import type { Job, JobResult } from './load/run-job.ts';
import { Child } from './processes/child.ts';
import { firstAdmin, type Product } from './processes/product.ts';
import { quantile } from './repeat-request.ts';
import { printTable } from './report.ts';

/** Measures a small school beside a large one that floods. `npm run bench:fairness`. */

const rounds = 3;
const seconds = 20;
const p99TimesMax = 1.5;
const settings = { RATE_LIMIT_TOTAL_PER_MINUTE: '600', RATE_LIMIT_WRITE_PER_MINUTE: '120' };
const betweenRequestsMs = 100;

/** In milliseconds. */
interface Latencies {
  readonly reads: number[];
  readonly writes: number[];
}

await runBenchmark(
  { name: 'fairness', records: 300_000, settings },
  async ({ port, remote, admin, school }) => {
    const { studentIds, classId, schoolDb } = await openRemoteSchool(remote, firstAdmin, 30);
    const issue = async (count: number, id: string | number) => {
      const tokens: string[] = [];
      while (tokens.length < count) tokens.push((await admin.issue(id)).token);
      return tokens;
    };
    // In rotation, so that each credential stays below its limit.
    const tokens = await issue(4, schoolDb);
    const modest = { remote, tokens, studentIds, classId };
    const greedy: Job = {
      endpoint: { port, prefix: '/api/v1', tokens: await issue(40, school.schoolId) },
      workloads: ['W1', 'W2', 'W4', 'W1', 'W5', 'W4'],
      data: school,
      connections: 64,
      seconds: seconds + 3,
    };
    const { child } = await Child.start('load/run-job.ts');
    const quiet: Latencies = { reads: [], writes: [] };
    const flooded: Latencies = { reads: [], writes: [] };
    await sendRequests(modest, 5);
    for (let round = 0; round < rounds; round++) {
      await sendRequests(modest, seconds, quiet);
      const beside = async () => {
        // All connections of the large school start at once; this wait skips that burst.
        await sendRequests(modest, 2);
        await sendRequests(modest, seconds, flooded);
      };
      const [{ answered, failures }] = await Promise.all([child.ask<JobResult>(greedy), beside()]);
      console.log(`the large school: ${answered} answers, ${failures} refusals`);
    }
    await child.stop();
    return report(quiet, flooded);
  },
);

interface ModestSchool {
  readonly remote: Product['remote'];
  readonly tokens: readonly string[];
  readonly studentIds: readonly number[];
  readonly classId: number;
}

/** Sends ten requests a second without waiting for answers, and adds their latencies. */
async function sendRequests(
  { remote, tokens, studentIds, classId }: ModestSchool,
  seconds: number,
  latencies: Latencies = { reads: [], writes: [] },
): Promise<void> {
  const sendRequest = async (n: number) => {
    const userId = studentIds[n % studentIds.length];
    const own = { headers: headersOf(tokens[Math.floor(n / 2) % tokens.length] as string) };
    const isWrite = n % 2 === 1;
    const list = n % 4 === 0 ? `students?classId=${classId}` : `scores?userId=${userId}`;
    const startedAt = performance.now();
    if (isWrite) {
      const body = { userId, scoreChange: 1, description: 'Homework handed in' };
      await remote.data('POST', '/api/v1/scores', { ...own, body });
    } else await remote.data('GET', `/api/v1/${list}&limit=20`, own);
    latencies[isWrite ? 'writes' : 'reads'].push(performance.now() - startedAt);
  };
  const startedAt = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < (seconds * 1_000) / betweenRequestsMs; n++) {
    await pause(Math.max(0, startedAt + n * betweenRequestsMs - performance.now()));
    const request = sendRequest(n);
    // The error is thrown below. Unhandled, it would end this process before it has stopped the server.
    request.catch(() => {});
    all.push(request);
  }
  await Promise.all(all);
}

function report(quiet: Latencies, flooded: Latencies): string[] {
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  const row = (pick: (latencies: Latencies) => readonly number[]) => {
    const [alone, beside] = [sorted(pick(quiet)), sorted(pick(flooded))];
    return {
      requests: alone.length,
      'p50 alone': quantile(alone, 0.5),
      'p99 alone': quantile(alone, 0.99),
      'p50 beside': quantile(beside, 0.5),
      'p99 beside': quantile(beside, 0.99),
      times: quantile(beside, 0.99) / quantile(alone, 0.99),
    };
  };
  const all = row(({ reads, writes }) => [...reads, ...writes]);
  console.log('\nthe small school, in milliseconds');
  printTable({ reads: row(({ reads }) => reads), scores: row(({ writes }) => writes), all });
  return all.times <= p99TimesMax ? [] : [`its p99 is more than ${p99TimesMax} times as much`];
}
