import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from '../bystander.ts';
import { Child } from '../processes/child.ts';
import {
  adminCaller,
  issueCredential,
  startProduct,
  verifyFolder,
  withTemporaryFolder,
} from '../processes/product.ts';
import { describeMachine } from '../report.ts';
import { prepareData } from '../seed/prepare-data.ts';
import { createClass } from '../strangers/teacher.ts';
import type { Answers, GreedySchool } from './greedy-school.ts';
import { type Latencies, sendRequests } from './modest-school.ts';

/** `npm run bench:fairness`. Exits with 1 if a large school raises a small school's p99 by more than half. */

const usage = `npm run bench:fairness -- [options]

  --rounds R        how often the large school rests and floods (3)
  --seconds S       for so long each time (20)
  --credentials N   of the large school (40)
  --connections N   of the large school (64)
  --records N       of the large school to begin with (300000)`;

const mostTimes = 1.5;
const limits = { RATE_LIMIT_TOTAL_PER_MINUTE: '600', RATE_LIMIT_WRITE_PER_MINUTE: '120' };

const greedySchool = fileURLToPath(new URL('greedy-school.ts', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '20' },
    credentials: { type: 'string', default: '40' },
    connections: { type: 'string', default: '64' },
    records: { type: 'string', default: '300000' },
    help: { type: 'boolean' },
  },
});
const toPositiveInteger = (text: string) => Math.max(1, Math.trunc(Number(text)) || 1);

if (values.help) console.log(usage);
else process.exitCode = await withTemporaryFolder('fairness', run);

async function run(folder: string): Promise<number> {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  const { school: data } = await prepareData(folder, toPositiveInteger(values.records), () => {});
  console.log(`${describeMachine()}\n`);
  const { quiet, underFlood } = await measure(folder, data, interruption.signal);
  const { ok, output } = await verifyFolder(folder);
  console.log(output);
  return report(quiet, underFlood) && ok ? 0 : 1;
}

interface FairnessResult {
  readonly quiet: Latencies;
  readonly underFlood: Latencies;
}

async function measure(
  folder: string,
  data: GreedySchool['data'],
  signal: AbortSignal,
): Promise<FairnessResult> {
  const product = await startProduct(folder, [], limits);
  try {
    const { port } = product;
    const issue = (count: number, schoolId: number) =>
      Promise.all(Array.from({ length: count }, () => issueCredential(port, schoolId)));
    const { schoolDb, classId, students } = await createClass(await adminCaller(port));
    const modest = { port, classId, students, tokens: await issue(4, schoolDb) };
    const tokens: string[] = [];
    while (tokens.length < toPositiveInteger(values.credentials))
      tokens.push(...(await issue(1, data.schoolId)));
    const greedy: GreedySchool = { port, data, tokens, connections: toPositiveInteger(values.connections) };
    const { child } = await Child.start<string>(greedySchool, [JSON.stringify(greedy)], { signal });
    const seconds = toPositiveInteger(values.seconds);
    await sendRequests(5, modest);
    const quiet: Latencies[] = [];
    const underFlood: Latencies[] = [];
    for (let round = 0; round < toPositiveInteger(values.rounds); round++) {
      quiet.push(await sendRequests(seconds, modest));
      await child.ask({ go: true });
      // All connections of the large school start at once; this wait skips that burst.
      await sendRequests(2, modest);
      underFlood.push(await sendRequests(seconds, modest));
      const answers = await child.ask<Answers>({ go: false });
      const counts = Object.entries(answers).map(([status, count]) => `${count} x ${status}`);
      console.log(`the large school: ${counts.join(', ')}`);
      // Lets requests of the large school end that are still running.
      await sendRequests(3, modest);
    }
    await child.stop();
    return { quiet: mergeRounds(quiet), underFlood: mergeRounds(underFlood) };
  } finally {
    await product.stop();
  }
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function mergeRounds(rounds: readonly Latencies[]): Latencies {
  return {
    reads: sorted(rounds.flatMap(({ reads }) => reads)),
    writes: sorted(rounds.flatMap(({ writes }) => writes)),
  };
}

function report(quiet: Latencies, underFlood: Latencies): boolean {
  const kinds = [
    ['reads', quiet.reads, underFlood.reads],
    ['scores', quiet.writes, underFlood.writes],
    ['all', sorted([...quiet.reads, ...quiet.writes]), sorted([...underFlood.reads, ...underFlood.writes])],
  ] as const;
  console.log('\nthe small school        by itself p50 / p99      beside p50 / p99   times');
  for (const [kind, alone, flooded] of kinds) {
    const figures = (latencies: readonly number[]) =>
      `${quantile(latencies, 0.5)} / ${quantile(latencies, 0.99)} ms`.padStart(22);
    const times = Number(quantile(flooded, 0.99)) / Number(quantile(alone, 0.99));
    console.log(
      `${`${alone.length} ${kind}`.padEnd(20)}${figures(alone)}${figures(flooded)}   ${times.toFixed(2)}`,
    );
  }
  const [, , [, alone, flooded]] = kinds;
  const isFair = Number(quantile(flooded, 0.99)) <= mostTimes * Number(quantile(alone, 0.99));
  if (!isFair) console.log(`BROKEN: its p99 is more than ${mostTimes} times as much`);
  return isFair;
}
