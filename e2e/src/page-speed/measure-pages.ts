import { limits } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { adminCaller, type Call } from '../../../bench/src/processes/product.ts';
import { cardOf, seedScoringSchool } from '../harness/scoring-school.ts';
import { openAdminPageAs, people } from '../harness/served-school.ts';
import { measureFirstLoads } from './first-loads.ts';
import { measureClassOpening, measureGiving, measureSelecting } from './measure-class.ts';
import { throttlePage } from './slow-device.ts';
import type { MeasuredTimes } from './stopwatch.ts';

/** This machine; a slow processor; a slow processor and network. */
export const measurementParts = ['quick', 'slow', 'first'] as const;
type Part = (typeof measurementParts)[number];

interface Measured {
  readonly times: readonly number[];
  /** Milliseconds. */
  readonly bound: number;
}

const rounds: Readonly<Record<Part, number>> = { quick: 7, slow: 5, first: 3 };

const bounds: Readonly<Record<Part, (what: string) => number>> = {
  quick: (what) => (/class of 60/.test(what) ? 500 : what.includes('select') ? 100 : 50),
  slow: (what) => (/all|select|5,000/.test(what) ? 200 : 100),
  first: (what) => (what.endsWith('again') ? 2_500 : 4_000),
};

/** Creates a class of sixty beside the large school and measures the parts. */
export async function* measurePages(
  port: number,
  wanted: readonly Part[],
): AsyncGenerator<readonly [what: string, Measured]> {
  const origin = `http://127.0.0.1:${port}`;
  const token = await furnish(port);
  for (const part of wanted) {
    for await (const times of measure(part, origin, token)) {
      for (const [what, each] of Object.entries(times)) {
        yield [part === 'slow' ? `${what}, slow` : what, { times: each, bound: bounds[part](what) }];
      }
    }
  }
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
  for (let from = 0; from < count; from += limits.studentsPerBatchMax) {
    const students = Array.from(
      { length: Math.min(limits.studentsPerBatchMax, count - from) },
      (_, index) => ({
        username: `new${from + index}`,
        actualName: `New ${from + index}`,
      }),
    );
    await asChief('POST', '/users', {
      schoolDb,
      classId: first?.id,
      defaultPassword: 'secret-password',
      students,
    });
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
