import { mkdtemp } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../server/test/server-process.ts';
import { type Product, type Settings, verify, withProduct } from './processes/product.ts';
import { type PreparedData, prepareData } from './seed/prepare-data.ts';

interface Benchmark {
  readonly name: string;
  /** Point records of the school at the start. */
  readonly records?: number;
  /** Keeps the data for later runs. Default: a temporary folder. */
  readonly keptFolder?: string | null;
  readonly settings?: Settings;
}

export interface Measured extends Product, PreparedData {
  /** Holds all data of the server, unless `settings` name another database. */
  readonly folder: string;
}

/**
 * Measures a server with a large school, and verifies all totals at the end. `measure` returns descriptions of the
 * bounds that are broken; with one of them, the exit code is 1.
 */
export async function runBenchmark(
  { name, records = 0, keptFolder = null, settings = {} }: Benchmark,
  measure: (measured: Measured) => Promise<readonly string[]>,
): Promise<void> {
  const model = cpus()[0]?.model ?? 'unknown processor';
  console.log(`${cpus().length} x ${model}, Node ${process.version}, ${process.platform}\n`);
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), `classledger-${name}-`)));
  try {
    const data = await prepareData(folder, records, settings);
    const broken = await withProduct(folder, settings, (product) => measure({ ...product, ...data, folder }));
    for (const each of broken) console.log(`BROKEN: ${each}`);
    const isVerified = await verify(folder, settings);
    if (broken.length > 0 || !isVerified) process.exitCode = 1;
  } finally {
    if (keptFolder === null) await removeFolder(folder);
  }
}
