import {
  type Product,
  type Settings,
  verify,
  withProduct,
  withTemporaryFolder,
} from './processes/product.ts';
import { describeMachine } from './report.ts';
import { prepareData } from './seed/prepare-data.ts';
import type { DataSize } from './seed/records.ts';
import type { Dataset } from './workloads.ts';

interface Benchmark extends DataSize {
  readonly name: string;
  readonly settings?: Settings;
}

interface Measured extends Product {
  /** Holds all data of the server. */
  readonly folder: string;
  /** A large school. */
  readonly school: Dataset;
}

/**
 * Measures a server with a new large school, and verifies all totals at the end. `measure` returns descriptions of the
 * bounds that are broken; with one of them, the exit code is 1.
 */
export async function runBenchmark(
  { name, settings = {}, ...size }: Benchmark,
  measure: (measured: Measured) => Promise<readonly string[]>,
): Promise<void> {
  console.log(`${describeMachine()}\n`);
  await withTemporaryFolder(name, async (folder) => {
    const { school } = await prepareData(folder, size);
    const broken = await withProduct(folder, settings, (product) => measure({ ...product, folder, school }));
    for (const each of broken) console.log(`BROKEN: ${each}`);
    const isVerified = await verify(folder);
    if (broken.length > 0 || !isVerified) process.exitCode = 1;
  });
}
