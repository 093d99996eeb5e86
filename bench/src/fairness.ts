import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { headersOf, openRemoteSchool } from '../../server/test/remote.ts';
import { runBenchmark } from './benchmark.ts';
import type { Job, JobResult } from './load/run-job.ts';
import { Child } from './processes/child.ts';
import { firstAdmin } from './processes/product.ts';
import { formatLatencies, percentileMs } from './repeat-request.ts';

/** Measures a small school beside a large one that floods. `npm run bench:fairness`. */

const rounds = 3;
const seconds = 20;
const p99TimesMax = 1.5;
const settings = { RATE_LIMIT_TOTAL_PER_MINUTE: '600', RATE_LIMIT_WRITE_PER_MINUTE: '120' };
const betweenRequestsMs = 100;

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
    const sendRequest = async (n: number) => {
      const userId = studentIds[n % studentIds.length];
      const headers = headersOf(tokens[Math.floor(n / 2) % tokens.length] as string);
      if (n % 2 === 1) {
        const body = { userId, scoreChange: 1, description: 'Homework handed in' };
        return remote.data('POST', '/api/v1/scores', { headers, body });
      }
      const list = n % 4 === 0 ? `students?classId=${classId}` : `scores?userId=${userId}`;
      return remote.data('GET', `/api/v1/${list}&limit=20`, { headers });
    };
    const greedy: Job = {
      endpoint: { port, prefix: '/api/v1', tokens: await issue(40, school.schoolId) },
      workloads: ['W1', 'W2', 'W4', 'W1', 'W5', 'W4'],
      data: school,
      connections: 64,
      seconds: seconds + 3,
    };
    const { child } = await Child.start('load/run-job.ts');
    const [alone, beside] = [createHistogram(), createHistogram()];
    const sendAlone = performance.timerify(sendRequest, { histogram: alone });
    const sendBeside = performance.timerify(sendRequest, { histogram: beside });
    await sendSteadily(5, sendRequest);
    for (let round = 0; round < rounds; round++) {
      await sendSteadily(seconds, sendAlone);
      const measureBeside = async () => {
        // All connections of the large school start at once; this wait skips that burst.
        await sendSteadily(2, sendRequest);
        await sendSteadily(seconds, sendBeside);
      };
      const [{ answered, failures }] = await Promise.all([child.ask<JobResult>(greedy), measureBeside()]);
      console.log(`the large school: ${answered} answers, ${failures} refusals`);
    }
    await child.stop();
    console.log(`the small school alone: ${formatLatencies(alone)}`);
    console.log(`beside the large school: ${formatLatencies(beside)}`);
    const times = percentileMs(beside, 99) / percentileMs(alone, 99);
    return times <= p99TimesMax ? [] : [`its p99 is ${times.toFixed(2)} times as much`];
  },
);

/** Sends ten requests a second without waiting for answers. */
async function sendSteadily(seconds: number, sendRequest: (n: number) => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < (seconds * 1_000) / betweenRequestsMs; n++) {
    await pause(Math.max(0, startedAt + n * betweenRequestsMs - performance.now()));
    const request = sendRequest(n);
    // The error is thrown below. Unhandled, it would end this process before it has stopped the server.
    request.catch(() => {});
    all.push(request);
  }
  await Promise.all(all);
}
