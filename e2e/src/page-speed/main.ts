import { limits } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { median } from '../../../bench/src/measure.ts';
import {
  adminCaller,
  type Call,
  withProduct,
  withTemporaryFolder,
} from '../../../bench/src/processes/product.ts';
import { describeMachine } from '../../../bench/src/report.ts';
import { prepareData } from '../../../bench/src/seed/prepare-data.ts';
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

await withTemporaryFolder('pages', async (folder) => {
  await prepareData(folder, 30_000, () => {});
  await withProduct(folder, async ({ port }) => {
    const origin = `http://127.0.0.1:${port}`;
    const token = await furnish(port);
    const browser = await sharedBrowser();
    try {
      console.log(`${describeMachine()}\n\n${''.padEnd(40)}  median  quickest   bound`);
      for (const part of chosen) {
        for await (const measured of measure(part, origin, token)) {
          for (const [what, times] of Object.entries(measured)) report(part, what, times);
        }
      }
    } finally {
      await browser.close();
    }
  });
});

function report(part: Part, what: string, times: readonly number[]): void {
  const name = part === 'slow' ? `${what}, slow` : what;
  const bound = bounds[part](what);
  const quickest = Math.min(...times);
  const figures = [median(times), quickest, bound].map((ms) => `${ms.toFixed(0)} ms`.padStart(8));
  console.log(`${name.padEnd(40)}${figures.join('  ')}${quickest <= bound ? '' : '  TOO SLOW'}`);
  if (!(quickest <= bound)) process.exitCode = 1;
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
async function furnish(port: number): Promise<string> {
  const asChief = await adminCaller(port);
  // Replaces initial passwords, because the pages would ask for new ones.
  const create = async <T>(path: string, body: object): Promise<T> => {
    if (path !== '/admin/manage') return asChief<T>('POST', path, body);
    const { username, password } = body as { username: string; password: string };
    const first = { username, password: `first ${password}` };
    const created = await asChief<T>('POST', path, { ...body, ...first });
    const asPerson = await adminCaller(port, first);
    await asPerson('PATCH', '/auth/me', { oldPassword: first.password, newPassword: password });
    return created;
  };
  const [large] = await asChief<readonly { id: number; schoolDb: string }[]>('GET', '/schools');
  await create('/admin/manage', { schoolId: large?.id, role: 'school_admin', ...people.school });
  await addStudents(asChief, large?.schoolDb ?? '', 2_000);
  await seedScoringSchool(create);
  return studentToken(port);
}

async function addStudents(asChief: Call, schoolDb: string, count: number): Promise<void> {
  const [first] = await asChief<readonly { id: number }[]>('GET', `/classes?schoolDb=${schoolDb}`);
  const added = Array.from({ length: count }, (_, n) => ({ username: `new${n}`, actualName: `New ${n}` }));
  const ofClass = { schoolDb, classId: first?.id, defaultPassword: 'secret-password' };
  for (let from = 0; from < count; from += limits.studentsPerBatchMax) {
    const students = added.slice(from, from + limits.studentsPerBatchMax);
    await asChief('POST', '/users', { ...ofClass, students });
  }
}

async function studentToken(port: number): Promise<string> {
  const send = async (method: string, path: string, body: object, token?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/auth/student/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return ((await answer.json()) as { data: { token: string } }).data.token;
  };
  const token = await send('POST', 'login', { username: 's01', password: 'secret-password' });
  const own = { oldPassword: 'secret-password', newPassword: 'a password of my own' };
  await send('PATCH', 'me', own, token);
  return token;
}
