import { hashPassword } from '../../server/src/access/passwords.ts';
import { ask, summary } from './bystander.ts';
import { adminCaller, type Call, createGrade, inOwnFolder, withProduct } from './processes/product.ts';
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
async function createAll(call: Call): Promise<number> {
  const { schoolDb, gradeId } = await createGrade(call);
  const startedAt = performance.now();
  for (let from = 0; from < students; from += batchSize) {
    const made = { schoolDb, gradeId, name: `Class ${from}` };
    const { id: classId } = await call<{ id: number }>('POST', '/classes', made);
    const batch = Array.from({ length: batchSize }, (_, n) => ({ username: `student${from + n}` }));
    const body = { schoolDb, classId, students: batch };
    const { successCount } = await call<{ successCount: number }>('POST', '/users', body);
    if (successCount !== batchSize) throw new Error(`Only ${successCount} of ${batchSize} were created`);
  }
  return (performance.now() - startedAt) / 1000;
}

console.log(machine());
const [alone, both] = [await hashCost(1), await hashCost(2)];
console.log(`one password hash: ${alone.toFixed(1)} ms; two at once: one every ${both.toFixed(1)} ms`);
await inOwnFolder('bulk', (folder) =>
  withProduct(folder, async ({ port }) => {
    const bystander = ask(await adminCaller(port), '/auth/me');
    const seconds = await createAll(await adminCaller(port));
    console.log(`${students} students in batches of ${batchSize}: ${seconds.toFixed(1)} s`);
    console.log(summary(await bystander.stop()));
  }),
);
