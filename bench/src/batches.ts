import { headersOf } from '../../server/test/remote.ts';
import { runBenchmark } from './benchmark.ts';
import { formatLatencies, percentileMs, repeatFor, repeatRequest } from './repeat-request.ts';

/**
 * Times single points while another client of the same school gives points to 200 students at once, again and again.
 * `npm run bench:batches`.
 */

const seconds = 10;
const batchSize = 200;
const classesOfEach = 6;

await runBenchmark({ name: 'batches', records: 100_000 }, async ({ remote, admin, school }) => {
  const headers = headersOf((await admin.issue(school.schoolId)).token);
  const { studentIds, classIds } = school;
  // The seed puts one student after another into the next class.
  const classOf = (n: number) => n % classIds.length;
  const inBatches = studentIds.filter((_, n) => classOf(n) < classesOfEach).slice(0, batchSize);
  const others = studentIds.filter((_, n) => classOf(n) >= classIds.length - classesOfEach);
  const give = (body: object) => remote.data('POST', '/api/v1/scores', { headers, body });
  const timePoints = (students: readonly number[]) => {
    let n = 0;
    return repeatFor(seconds, () => give({ userId: students[n++ % students.length], scoreChange: 1 }));
  };
  await timePoints(others);
  const alone = await timePoints(others);
  console.log(`points by themselves: ${formatLatencies(alone)}`);
  const items = inBatches.map((userId) => ({ userId, scoreChange: 1 }));
  const batches = repeatRequest(() => give({ items }), 0);
  const beside = await timePoints(others);
  console.log(`beside batches: ${formatLatencies(beside)}`);
  console.log(`of the students in the batches: ${formatLatencies(await timePoints(inBatches))}`);
  console.log(`the batches: ${formatLatencies(await batches.stop())}`);
  const times = percentileMs(beside, 50) / percentileMs(alone, 50);
  console.log(`the median point takes ${times.toFixed(2)} times as long beside batches`);
  return [];
});
