import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../../server/src/access/passwords.ts';
import { ask, quantile, type Request } from './bystander.ts';
import { adminCaller, startProduct } from './processes/product.ts';
import { machine } from './report.ts';

/**
 * How long it takes to bring a large school's students in by batches, passwords generated and hashed, and how long
 * everyone else waits meanwhile. `npm run bench:bulk`.
 */

const students = 2_000;
const batchSize = 200;
const hashes = 100;

/** Milliseconds of one hash, with so many at once. */
async function hashCost(atOnce: number): Promise<number> {
  let left = hashes;
  const worker = async () => {
    while (left-- > 0) await hashPassword('a password of usual length');
  };
  await hashPassword('the first one loads the library');
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - startedAt) / hashes;
}

/** Creates the students, batch after batch. @returns the seconds that it took */
async function createAll(request: Request): Promise<number> {
  const { id: schoolDb } = (await request('POST', '/schools', { name: 'Large School' })) as { id: number };
  const { id: gradeId } = (await request('POST', '/grades', { schoolDb, name: 'Grade 1' })) as { id: number };
  const startedAt = performance.now();
  for (let from = 0; from < students; from += batchSize) {
    const klass = (await request('POST', '/classes', { schoolDb, gradeId, name: `Class ${from}` })) as {
      id: number;
    };
    const batch = Array.from({ length: batchSize }, (_, n) => ({ username: `student${from + n}` }));
    const body = { schoolDb, classId: klass.id, students: batch };
    const { successCount } = (await request('POST', '/users', body)) as { successCount: number };
    if (successCount !== batchSize) throw new Error(`Only ${successCount} of ${batchSize} were created`);
  }
  return (performance.now() - startedAt) / 1000;
}

const folder = await mkdtemp(join(tmpdir(), 'classledger-bulk-'));
try {
  console.log(machine());
  const [alone, both] = [await hashCost(1), await hashCost(2)];
  console.log(`one password hash: ${alone.toFixed(1)} ms; two at once: one every ${both.toFixed(1)} ms`);
  const product = await startProduct(folder, []);
  try {
    const bystander = ask(await adminCaller(product.port), '/auth/me');
    const seconds = await createAll(await adminCaller(product.port));
    const latencies = await bystander.stop();
    console.log(
      `${students} students in batches of ${batchSize}: ${seconds.toFixed(1)} s\n` +
        `${latencies.length} other requests meanwhile: median ${quantile(latencies, 0.5)} ms, ` +
        `p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`,
    );
  } finally {
    await product.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
