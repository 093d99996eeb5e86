import { limits } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { runBenchmark } from '../../../bench/src/benchmark.ts';
import { median } from '../../../bench/src/measure.ts';
import type { Product } from '../../../bench/src/processes/product.ts';
import { ensureBuilt } from '../../../server/src/commands/ensure-built.ts';
import { headersOf, signInAt } from '../../../server/test/remote.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { cardOf, openAdminPageAs, people, seedScoringSchool } from '../harness/served-school.ts';
import { measureFirstLoads, throttlePage } from './first-loads.ts';
import { type MeasuredTimes, measureClassOpening, measureGiving, measureSelecting } from './measure-class.ts';

/**
 * Measures how fast pages respond: `npm run bench:pages`, or one part: `-- slow`.
 * Exit code 1 means that even the fastest round was too slow; other load only lengthens rounds.
 */

/** This machine; a slow processor; a slow processor and network. */
const parts = ['quick', 'slow', 'first'] as const;
type Part = (typeof parts)[number];

const rounds: Readonly<Record<Part, number>> = { quick: 7, slow: 5, first: 3 };

/** Milliseconds. */
const bounds: Readonly<Record<Part, (what: string) => number>> = {
  quick: (what) => (/class of 60/.test(what) ? 500 : what.includes('select') ? 100 : 50),
  slow: (what) => (/all|select|5,000/.test(what) ? 200 : 100),
  first: (what) => (what.endsWith('again') ? 2_500 : 4_000),
};

const wanted = process.argv[2];
const chosen = parts.filter((part) => wanted === undefined || part === wanted);
if (chosen.length === 0) throw new Error(`The parts are ${parts.join(', ')}`);

await ensureBuilt();
await runBenchmark({ name: 'pages', records: 30_000 }, async (product) => {
  const origin = `http://127.0.0.1:${product.port}`;
  const token = await furnish(product);
  const slow: string[] = [];
  const browser = await sharedBrowser();
  try {
    console.log(`${''.padEnd(40)}  median  quickest   bound`);
    for (const part of chosen) {
      for await (const measured of measure(part, origin, token)) {
        for (const [what, times] of Object.entries(measured)) {
          if (!isQuick(part, what, times)) slow.push(`too slow: ${what}`);
        }
      }
    }
  } finally {
    await browser.close();
  }
  return slow;
});

/** Prints a measurement. Returns whether the quickest round is within the bound. */
function isQuick(part: Part, what: string, times: readonly number[]): boolean {
  const name = part === 'slow' ? `${what}, slow` : what;
  const bound = bounds[part](what);
  const quickest = Math.min(...times);
  const figures = [median(times), quickest, bound].map((ms) => `${ms.toFixed(0)} ms`.padStart(8));
  console.log(`${name.padEnd(40)}${figures.join('  ')}`);
  return quickest <= bound;
}

async function* measure(part: Part, origin: string, token: string): AsyncGenerator<MeasuredTimes> {
  if (part === 'first') {
    yield* measureFirstLoads(origin, token, rounds.first);
    return;
  }
  const prepare = async (page: Page) => {
    if (part === 'slow') await throttlePage(page, { network: false });
  };
  const scoring = await openAdminPageAs({ origin }, 'class', '/scoring', { reducedMotion: false, prepare });
  await cardOf(scoring.page, 60).waitFor();
  if (part === 'quick') yield await measureClassOpening(scoring.page, rounds.quick);
  yield await measureGiving(scoring.page, rounds[part]);
  await scoring.context.close();
  const { page, context } = await openAdminPageAs({ origin }, 'school', '/students?size=200', { prepare });
  await page.getByRole('row').nth(200).waitFor();
  yield await measureSelecting(page, rounds[part]);
  await context.close();
}

/** Creates a class of sixty beside the large school. @returns a student's token */
async function furnish({ remote, admin }: Product): Promise<string> {
  // Replaces initial passwords, because the pages would ask for new ones.
  const create = async <T>(path: string, body: object): Promise<T> => {
    if (path !== '/admin/manage') return admin.data<T>('POST', path, body);
    const { username, password } = body as { username: string; password: string };
    const first = { username, password: `first ${password}` };
    const created = await admin.data<T>('POST', path, { ...body, ...first });
    const person = await signInAt(remote, first);
    await person.data('PATCH', '/auth/me', { oldPassword: first.password, newPassword: password });
    return created;
  };
  const [large] = await admin.data<readonly { id: number; schoolDb: string }[]>('GET', '/schools');
  await create('/admin/manage', { schoolId: large?.id, role: 'school_admin', ...people.school });
  await addStudents(admin, large?.schoolDb ?? '', 2_000);
  await seedScoringSchool(create);
  return studentToken(remote);
}

async function addStudents(admin: Product['admin'], schoolDb: string, count: number): Promise<void> {
  const [first] = await admin.data<readonly { id: number }[]>('GET', `/classes?schoolDb=${schoolDb}`);
  const added = Array.from({ length: count }, (_, n) => ({ username: `new${n}`, actualName: `New ${n}` }));
  const ofClass = { schoolDb, classId: first?.id, defaultPassword: 'secret-password' };
  for (let from = 0; from < count; from += limits.studentsPerBatchMax) {
    const students = added.slice(from, from + limits.studentsPerBatchMax);
    await admin.data('POST', '/users', { ...ofClass, students });
  }
}

async function studentToken(remote: Product['remote']): Promise<string> {
  const login = { username: 's01', password: 'secret-password' };
  const { token } = await remote.data<{ token: string }>('POST', '/api/auth/student/login', { body: login });
  const body = { oldPassword: login.password, newPassword: 'a password of my own' };
  await remote.data('PATCH', '/api/auth/student/me', { headers: headersOf(token), body });
  return token;
}
