import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from '../bystander.ts';
import { Child } from '../processes/child.ts';
import {
  adminCaller,
  type Call,
  signIn,
  startProduct,
  verifyFolder,
  withTemporaryFolder,
} from '../processes/product.ts';
import { peakMiB, resetPeakMemory } from '../processes/usage.ts';
import { describeMachine } from '../report.ts';
import { type FloodCount, type FloodName, floodNames } from './floods.ts';
import { createClass, tapUntil } from './teacher.ts';

/** `npm run bench:strangers`: floods the server while a teacher gives points. Exits with 1 if a limit in `bounds` breaks or totals are wrong. */

const usage = `npm run bench:strangers -- [options]

  --seconds S   how long the floods last (60)
  --only A,B    only these of ${floodNames.join(', ')}`;

const bounds = { memoryMiB: 400, tapMedianMs: 100, diskGiBPerHour: 1 };

const flooder = fileURLToPath(new URL('flooder.ts', import.meta.url));
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const seconds = Math.min(3_600, Math.max(1, Number(values.seconds) || 60));
const names = (values.only?.split(',') ?? floodNames).filter((name): name is FloodName =>
  (floodNames as string[]).includes(name),
);

if (values.help || names.length === 0) console.log(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  return withTemporaryFolder('strangers', async (folder) => {
    console.log(`${describeMachine()}\n${names.join(', ')} for ${seconds} s\n`);
    const failures = await flood(folder, interruption.signal);
    const { ok, output } = await verifyFolder(folder);
    console.log(output);
    if (!ok) failures.push('the totals do not follow from the ledger');
    for (const failure of failures) console.log(`BROKEN: ${failure}`);
    return failures.length === 0 ? 0 : 1;
  });
}

async function flood(folder: string, signal: AbortSignal): Promise<string[]> {
  const product = await startProduct(folder, []);
  const failures: string[] = [];
  try {
    const { port, pid } = product;
    const headers = await signIn(port);
    const call = await adminCaller(port);
    const school = await createClass(call);
    const diskBefore = await sizeOf(folder);
    resetPeakMemory(pid);
    // Uses two processes, so that a slow flood cannot slow the others.
    const rude = names.filter((name) => name !== 'refusedCalls');
    const parts = [rude, names.filter((name) => name === 'refusedCalls')].filter((part) => part.length > 0);
    const children = await Promise.all(
      parts.map((part) => Child.start<string>(flooder, [String(port), ...part], { signal })),
    );
    const over = new AbortController();
    const taps = tapUntil(over.signal, port, headers, school);
    const isLost = await Promise.race([
      pause(seconds * 1_000, false, { signal }).catch(() => false),
      product.lost.catch(() => true),
    ]);
    over.abort();
    const { latencies, failures: tapFailures, points } = await taps;
    const memory = peakMiB(pid);
    const gibPerHour = (((await sizeOf(folder)) - diskBefore) / 2 ** 30) * (3_600 / seconds);
    const counts = await Promise.all(
      children.map(({ child }) => child.ask<Partial<Record<FloodName, FloodCount>>>({})),
    );
    await Promise.all(children.map(({ child }) => child.stop()));
    for (const [name, { sent, cut }] of Object.entries(
      Object.assign({}, ...counts) as Record<string, FloodCount>,
    ))
      console.log(`${name.padEnd(16)} ${sent} sent, ${cut} connections refused or cut`);
    const [median, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    console.log(
      `\ntaps: ${points} points, median ${median} ms, p99 ${p99} ms, ${tapFailures.length} failed\n` +
        `peak memory ${memory?.toFixed(0) ?? '?'} MiB, disk ${gibPerHour.toFixed(2)} GiB an hour`,
    );
    for (const failure of new Set(tapFailures)) console.log(`  ${failure}`);
    if (!(Number(median) <= bounds.tapMedianMs)) failures.push(`a tap takes ${median} ms at the median`);
    if (memory !== null && memory > bounds.memoryMiB) failures.push(`${memory.toFixed(0)} MiB of memory`);
    if (gibPerHour > bounds.diskGiBPerHour) failures.push(`${gibPerHour.toFixed(2)} GiB of disk an hour`);
    if (!isLost) failures.push(...(await pointsMissing(call, school, points, tapFailures.length)));
  } finally {
    await product.stop().catch((error: Error) => failures.push(error.message));
  }
  return failures;
}

/** Checks that the total contains each acknowledged point, and at most the points of failed calls besides. */
async function pointsMissing(
  call: Call,
  { schoolDb }: { schoolDb: number },
  acknowledged: number,
  unheard: number,
): Promise<string[]> {
  const overview = `/stats/overview?schoolDb=${schoolDb}`;
  const { totalScores } = await call<{ totalScores: number }>('GET', overview);
  if (totalScores >= acknowledged && totalScores <= acknowledged + unheard) return [];
  return [`${acknowledged} points were acknowledged and ${totalScores} are there`];
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // Counts 0 for files that PostgreSQL removes meanwhile.
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
