import { get, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/src/commands/open-database.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { formatLatencies, repeatRequest } from './bystander.ts';
import { adminCaller, type Product, signIn, withProduct, withTemporaryFolder } from './processes/product.ts';
import { peakMiB, resetPeakMemory } from './processes/usage.ts';
import { describeMachine } from './report.ts';
import { createSchool, schoolSize } from './seed/school.ts';

/** `npm run bench:lists`: reads whole lists beside clients that never read. Exits with 1 if a bound is broken. */

const memoryMiB = 400;
const { values } = parseArgs({
  options: {
    students: { type: 'string', default: '100000' },
    readers: { type: 'string', default: '6' },
    path: { type: 'string', default: '/users' },
  },
});
const students = Number(values.students);
const readers = Number(values.readers);

async function seed(folder: string): Promise<number> {
  const database = await openDatabase(readConfig({ DATA_DIR: folder }));
  const client = await database.connection.pool.connect();
  try {
    const { schoolId } = await createSchool(client, new Date());
    await client.query(
      `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
       SELECT s.school_id, s.class_id, s.username || '.' || n, s.actual_name, s.password_hash, s.created_at
       FROM student AS s, generate_series(1, $1::int) AS n`,
      [Math.ceil(students / schoolSize.students) - 1],
    );
    await client.query(
      'UPDATE class SET student_count = (SELECT count(*) FROM student WHERE class_id = class.id)',
    );
    return schoolId;
  } finally {
    client.release();
    await database.close();
  }
}

/** Counts the entries of the list; rejects if the answer is cut off. */
async function readWhole(port: number, path: string, headers: Record<string, string>): Promise<number> {
  const response = await begin(port, path, headers);
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

const begin = (port: number, path: string, headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: `/api${path}`, headers, agent: false }, resolve).on('error', reject);
  });

async function run({ port, pid }: Product, schoolDb: number): Promise<void> {
  const headers = await signIn(port);
  const path = `${values.path}?schoolDb=${schoolDb}`;
  resetPeakMemory(pid);
  const call = await adminCaller(port);
  const bystander = repeatRequest(() => call('GET', '/auth/me'));
  const unread = Array.from({ length: readers }, () => begin(port, path, headers).then((one) => one.pause()));
  const startedAt = performance.now();
  const counts = await Promise.all(Array.from({ length: readers }, () => readWhole(port, path, headers)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const one of await Promise.all(unread)) one.destroy();
  const latencies = await bystander.stop();
  const memory = peakMiB(pid);
  console.log(
    `${readers} whole lists at once beside ${readers} that are not read: ${seconds.toFixed(1)} s, ${Math.min(...counts)} entries each\n` +
      `peak memory ${memory?.toFixed(0) ?? '?'} MiB\n${formatLatencies(latencies)}`,
  );
  if (Math.min(...counts) < students) throw new Error('A list is not whole');
  if (memory !== null && memory > memoryMiB) throw new Error(`More than ${memoryMiB} MiB of memory`);
}

try {
  console.log(describeMachine());
  await withTemporaryFolder('lists', async (folder) => {
    const schoolDb = await seed(folder);
    await withProduct(folder, (product) => run(product, schoolDb));
  });
} catch (error) {
  console.log(`BROKEN: ${(error as Error).message}`);
  process.exitCode = 1;
}
