import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from '../bystander.ts';
import { Child } from '../processes/child.ts';
import {
  adminCaller,
  inOwnFolder,
  issueCredential,
  startProduct,
  verifyFolder,
} from '../processes/product.ts';
import { machine } from '../report.ts';
import { prepareData } from '../seed/prepare-data.ts';
import { makeClass } from '../strangers/teacher.ts';
import type { Answers, GreedySchool } from './greedy-school.ts';
import { askFor, type Latencies } from './modest-school.ts';

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
const whole = (text: string) => Math.max(1, Math.trunc(Number(text)) || 1);

if (values.help) console.log(usage);
else process.exitCode = await inOwnFolder('fairness', run);

async function run(folder: string): Promise<number> {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  const { school: data } = await prepareData(folder, whole(values.records), () => {});
  console.log(`${machine()}\n`);
  const { quiet, beside } = await measure(folder, data, interruption.signal);
  const { ok, output } = await verifyFolder(folder);
  console.log(output);
  return report(quiet, beside) && ok ? 0 : 1;
}

interface Measured {
  readonly quiet: Latencies;
  readonly beside: Latencies;
}

async function measure(folder: string, data: GreedySchool['data'], signal: AbortSignal): Promise<Measured> {
  const product = await startProduct(folder, [], limits);
  try {
    const { port } = product;
    const issue = (count: number, schoolId: number) =>
      Promise.all(Array.from({ length: count }, () => issueCredential(port, schoolId)));
    const { schoolDb, classId, students } = await makeClass(await adminCaller(port));
    const modest = { port, classId, students, tokens: await issue(4, schoolDb) };
    const tokens: string[] = [];
    while (tokens.length < whole(values.credentials)) tokens.push(...(await issue(1, data.schoolId)));
    const greedy: GreedySchool = { port, data, tokens, connections: whole(values.connections) };
    const { child } = await Child.start<string>(greedySchool, [JSON.stringify(greedy)], { signal });
    const seconds = whole(values.seconds);
    await askFor(5, modest);
    const quiet: Latencies[] = [];
    const beside: Latencies[] = [];
    for (let round = 0; round < whole(values.rounds); round++) {
      quiet.push(await askFor(seconds, modest));
      await child.ask({ go: true });
      // All connections of the large school start at once; this wait skips that burst.
      await askFor(2, modest);
      beside.push(await askFor(seconds, modest));
      const answers = await child.ask<Answers>({ go: false });
      const told = Object.entries(answers).map(([status, count]) => `${count} x ${status}`);
      console.log(`the large school: ${told.join(', ')}`);
      // Lets requests of the large school end that are still running.
      await askFor(3, modest);
    }
    await child.stop();
    return { quiet: together(quiet), beside: together(beside) };
  } finally {
    await product.stop();
  }
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function together(rounds: readonly Latencies[]): Latencies {
  return {
    reads: sorted(rounds.flatMap(({ reads }) => reads)),
    writes: sorted(rounds.flatMap(({ writes }) => writes)),
  };
}

function report(quiet: Latencies, beside: Latencies): boolean {
  const kinds = [
    ['reads', quiet.reads, beside.reads],
    ['scores', quiet.writes, beside.writes],
    ['all', sorted([...quiet.reads, ...quiet.writes]), sorted([...beside.reads, ...beside.writes])],
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
