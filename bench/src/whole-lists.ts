import { get, type IncomingMessage } from 'node:http';
import { runBenchmark } from './benchmark.ts';
import { peakMiB, resetPeakMemory } from './processes/usage.ts';
import { formatLatencies, repeatRequest } from './repeat-request.ts';

/** Reads whole lists beside clients that never read. `npm run bench:lists`. */

const memoryMiB = 400;
const students = 100_000;
const readers = 6;

await runBenchmark({ name: 'lists', students }, async ({ port, pid, admin, school }) => {
  const path = `/api/users?schoolDb=${school.schoolId}`;
  const begin = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie: admin.cookie };
      get({ port, host: '127.0.0.1', path, headers, agent: false }, resolve).on('error', reject);
    });
  resetPeakMemory(pid);
  const bystander = repeatRequest(() => admin.data('GET', '/auth/me'));
  const unread = Array.from({ length: readers }, () => begin().then((response) => response.pause()));
  const startedAt = performance.now();
  const counts = await Promise.all(Array.from({ length: readers }, async () => countEntries(await begin())));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const response of await Promise.all(unread)) response.destroy();
  const memory = peakMiB(pid);
  const least = Math.min(...counts);
  console.log(
    `${readers} whole lists at once beside ${readers} that are not read: ${seconds.toFixed(1)} s, ${least} entries each\n` +
      `peak memory ${memory?.toFixed(0) ?? '?'} MiB\n${formatLatencies(await bystander.stop())}`,
  );
  return [
    ...(least < students ? ['a list is not whole'] : []),
    ...(memory !== null && memory > memoryMiB ? [`more than ${memoryMiB} MiB of memory`] : []),
  ];
});

/** Counts the entries of the list; rejects if the answer is cut off. */
async function countEntries(response: IncomingMessage): Promise<number> {
  // Searches the text, because parsing 25 MB here would distort the measurement.
  let entries = 0;
  let tail = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const text = tail + chunk;
    entries += text.split('"username":').length - 1;
    tail = text.slice(-10);
  }
  if (response.statusCode !== 200) throw new Error(`Answered ${response.statusCode}`);
  return entries;
}
