import type { Page } from 'playwright-core';
import { median } from '../../bench/src/measure.ts';
import { adminCaller, inOwnFolder, withProduct } from '../../bench/src/processes/product.ts';
import { machine } from '../../bench/src/report.ts';
import { prepareData } from '../../bench/src/seed/prepare-data.ts';
import { theBrowser } from './harness/browser.ts';
import { cardOf, furnishScoringSchool } from './harness/scoring-school.ts';
import { openAs, people } from './harness/served-school.ts';

/**
 * How quick the pages are that people wait for with a class before them: `npm run bench:pages`. The exit code is 1 where the
 * quickest round is slower than people should wait: the work is the processor's, which others only ever lengthen.
 */

const rounds = 7;

/** Measures inside the page, from the click to the picture on the screen. */
const inPage = `
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = () => new Promise(requestAnimationFrame);
  // A message that is posted before a frame is drawn arrives right after it.
  const painted = async () => {
    await frame();
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  };
  const measure = async (act, done) => {
    const began = performance.now();
    act();
    while (!done()) await frame();
    await painted();
    return performance.now() - began;
  };
  const cards = () => [...document.querySelectorAll('[data-student]')];
  const button = (name) => [...document.querySelectorAll('button')]
    .find((one) => (one.getAttribute('aria-label') ?? one.textContent).startsWith(name));
  const chosen = () => document.querySelectorAll('[data-chosen=yes]').length;
  const text = () => cards().map((card) => card.textContent).join();
`;

type Times = Readonly<Record<string, readonly number[]>>;

/** A class of sixty is opened inside the app, and on a fresh load. */
async function openings(page: Page): Promise<Times> {
  const [inside, fresh]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await page.getByRole('link', { name: 'Students', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Students' }).waitFor();
    inside.push(
      await page.evaluate<number>(`(async () => {
        ${inPage}
        const link = document.querySelector('a[href^="/admin/scoring"]');
        return measure(() => link.click(), () => cards().length === 60);
      })()`),
    );
  }
  // Nothing is in the page's memory, as at the first opening of the day.
  for (let round = 0; round < rounds; round++) {
    await page.reload();
    fresh.push(
      await page.evaluate<number>(`(async () => {
        ${inPage}
        while (cards().length < 60) await frame();
        await painted();
        return performance.now();
      })()`),
    );
  }
  return { 'a class of 60, inside the app': inside, 'a class of 60, fresh load': fresh };
}

/** Students are chosen and given points. */
function taps(page: Page): Promise<Times> {
  return page.evaluate<Times>(`(async () => {
    ${inPage}
    const times = { 'choose one': [], 'give to one': [], 'choose all': [], 'give to all': [] };
    const give = async (into, name) => {
      const before = text();
      into.push(await measure(() => button(name).click(), () => text() !== before));
      await pause(700);
    };
    for (let round = 0; round < ${rounds}; round++) {
      button('Clear').click();
      await pause(100);
      times['choose one'].push(await measure(() => cards()[round].click(), () => chosen() === 1));
      await pause(200);
      await give(times['give to one'], 'Answered');
      times['choose all'].push(await measure(() => button('Select all').click(), () => chosen() === 60));
      await pause(100);
      await give(times['give to all'], 'Homework');
    }
    return times;
  })()`);
}

/** All 200 rows of a page of the list of students are selected. */
function selections(page: Page): Promise<Times> {
  return page.evaluate<Times>(`(async () => {
    ${inPage}
    const times = [];
    for (let round = 0; round < ${rounds}; round++) {
      const box = () => document.querySelector('thead input');
      times.push(await measure(() => box().click(), () => box().checked));
      box().click();
      await pause(200);
    }
    return { 'select 200 rows': times };
  })()`);
}

/** Creates something as a super administrator; people choose a password of their own, or the pages would ask for one. */
async function creator(port: number) {
  const asChief = await adminCaller(port);
  return async <T>(path: string, body: object): Promise<T> => {
    if (path !== '/admin/manage') return asChief<T>('POST', path, body);
    const { username, password } = body as { username: string; password: string };
    const first = { username, password: `first ${password}` };
    const created = await asChief<T>('POST', path, { ...body, ...first });
    const asPerson = await adminCaller(port, first);
    await asPerson('PATCH', '/auth/me', { oldPassword: first.password, newPassword: password });
    return created;
  };
}

async function measureAll(port: number, schoolId: number): Promise<Times> {
  const create = await creator(port);
  await furnishScoringSchool(create);
  await create('/admin/manage', { schoolId, role: 'school_admin', ...people.school });
  const origin = `http://127.0.0.1:${port}`;
  const scoring = await openAs({ origin }, 'class', '/scoring', { calm: false });
  await cardOf(scoring.page, 60).waitFor();
  const times = { ...(await openings(scoring.page)), ...(await taps(scoring.page)) };
  await scoring.context.close();
  const { page, context } = await openAs({ origin }, 'school', '/students?size=200');
  await page.getByRole('row').nth(200).waitFor();
  Object.assign(times, await selections(page));
  await context.close();
  return times;
}

/** Milliseconds in which it has to be there. */
const boundOf = (what: string) => (what.includes('class of 60') ? 500 : what.includes('200 rows') ? 100 : 50);

await inOwnFolder('pages', async (folder) => {
  const { school } = await prepareData(folder, 30_000, () => {});
  await withProduct(folder, async ({ port }) => {
    const browser = await theBrowser();
    try {
      console.log(`${machine()}\n\n${''.padEnd(32)}  median  quickest   bound`);
      for (const [what, times] of Object.entries(await measureAll(port, school.schoolId))) {
        const quickest = Math.min(...times);
        const bound = boundOf(what);
        const figures = [median(times), quickest, bound].map((ms) => `${ms.toFixed(0)} ms`.padStart(8));
        console.log(`${what.padEnd(32)}${figures.join('  ')}${quickest <= bound ? '' : '  TOO SLOW'}`);
        if (!(quickest <= bound)) process.exitCode = 1;
      }
    } finally {
      await browser.close();
    }
  });
});
