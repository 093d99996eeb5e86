import { setTimeout } from 'node:timers/promises';
import { formatLatencies, quantile, repeatRequest } from './bystander.ts';
import { issueCredential, startProduct, verifyFolder, withTemporaryFolder } from './processes/product.ts';
import { describeMachine } from './report.ts';
import { prepareData } from './seed/prepare-data.ts';

/**
 * Times single points while another client of the same school gives points to 200 students at once, again and again.
 * `npm run bench:batches`. Exits with 1 if the totals do not follow from the ledger.
 */

const seconds = 10;
const batchSize = 200;
const records = 100_000;

console.log(describeMachine());
process.exitCode = await withTemporaryFolder('batches', async (folder) => {
  const { school } = await prepareData(folder, records, () => {});
  const product = await startProduct(folder);
  try {
    await measure(await apiCaller(product.port, school.schoolId), school.classIds);
  } finally {
    await product.stop();
  }
  const { ok, output } = await verifyFolder(folder);
  console.log(output);
  return ok ? 0 : 1;
});

async function apiCaller(port: number, schoolId: number) {
  const headers = {
    authorization: `Bearer ${await issueCredential(port, schoolId)}`,
    'content-type': 'application/json',
  };
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const url = `http://127.0.0.1:${port}/api/v1${path}`;
    const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  };
}

async function measure(
  call: Awaited<ReturnType<typeof apiCaller>>,
  classIds: readonly number[],
): Promise<void> {
  const studentsOf = async (ids: readonly number[]) => {
    const lists = await Promise.all(
      ids.map((id) => call<{ list: { id: number }[] }>('GET', `/students?classId=${id}&limit=100`)),
    );
    return lists.flatMap(({ list }) => list.map(({ id }) => id));
  };
  const inBatches = (await studentsOf(classIds.slice(0, 6))).slice(0, batchSize);
  const others = await studentsOf(classIds.slice(-6));
  const items = inBatches.map((userId) => ({ userId, scoreChange: 1 }));
  const pointOf = (students: readonly number[]) => {
    let n = 0;
    return () => call('POST', '/scores', { userId: students[n++ % students.length], scoreChange: 1 });
  };
  const timePoints = async (students: readonly number[]) => {
    const points = repeatRequest(pointOf(students));
    await setTimeout(seconds * 1_000);
    return points.stop();
  };
  await timePoints(others);
  const alone = await timePoints(others);
  console.log(`points by themselves: ${formatLatencies(alone)}`);
  const batches = repeatRequest(() => call('POST', '/scores', { items }), 0);
  const beside = await timePoints(others);
  console.log(`beside batches: ${formatLatencies(beside)}`);
  const same = await timePoints(inBatches);
  console.log(`of the students in the batches: ${formatLatencies(same)}`);
  console.log(`the batches: ${formatLatencies(await batches.stop())}`);
  const times = Number(quantile(beside, 0.5)) / Number(quantile(alone, 0.5));
  console.log(`the median point takes ${times.toFixed(2)} times as long beside batches`);
}
