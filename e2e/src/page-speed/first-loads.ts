import type { Page } from 'playwright-core';
import { openWatchedPage } from '../harness/browser.ts';
import { signInAs } from '../harness/served-school.ts';
import { type MeasuredTimes, stopwatch } from './measure-class.ts';

interface FirstLoad {
  readonly path: string;
  readonly done: string;
  readonly as?: 'school' | 'class';
  readonly token?: string;
}

const nothingLoads = "!document.querySelector('.mantine-Skeleton-root')";

function firstLoads(token: string): Readonly<Record<string, FirstLoad>> {
  const form = "document.querySelector('input[type=password]')";
  const heading = `document.querySelector('h1') && ${nothingLoads}`;
  return {
    '/admin, signing in': { path: '/admin', done: form },
    '/admin': { path: '/admin', done: heading, as: 'school' },
    '/admin/scoring': { path: '/admin/scoring', done: 'cards().length === 60', as: 'class' },
    '/admin/students': {
      path: '/admin/students',
      done: `${heading} && document.querySelector('ul[aria-label=Students] li')`,
      as: 'school',
    },
    '/student, signing in': { path: '/student', done: form },
    '/student': {
      path: '/student',
      done: `document.querySelector('[aria-current=page]') && ${nothingLoads}`,
      token,
    },
  };
}

/** Measures opening each page with an empty cache, and again with a filled one. */
export async function* measureFirstLoads(
  origin: string,
  token: string,
  rounds: number,
): AsyncGenerator<MeasuredTimes> {
  for (const [name, load] of Object.entries(firstLoads(token))) {
    const [first, again]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const [one, other] = await openTwice(origin, load);
      first.push(one);
      again.push(other);
    }
    yield { [`${name}, first`]: first, [`${name}, again`]: again };
  }
}

async function openTwice(origin: string, load: FirstLoad): Promise<readonly [number, number]> {
  const { page, context } = await openWatchedPage(origin, { screen: 'phone', reducedMotion: false });
  try {
    if (load.as) await signInAs({ context, origin }, load.as);
    await page.addInitScript(`(() => {
      localStorage.setItem('classledger.language', 'en');
      ${load.as ? "localStorage.setItem('classledger.admin-signed-in', '1');" : ''}
      ${load.token ? `localStorage.setItem('classledger.student-token', '${load.token}');` : ''}
      ${stopwatch}
      window.isThere = (async () => {
        while (!(${load.done})) await frame();
        await painted();
        return performance.now();
      })();
    })();`);
    await throttlePage(page, { network: true });
    const first = await open(page, `${origin}${load.path}`);
    return [first, await open(page, `${origin}${load.path}`)];
  } finally {
    await context.close();
  }
}

async function open(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate<number>('window.isThere');
}

/** A cheap phone. */
const slowdown = 4;

/** Lighthouse's slow 4G. */
const slow4G = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};

/** Slows a page down to a cheap phone, and its network to slow 4G. */
export async function throttlePage(page: Page, { network }: { readonly network: boolean }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (!network) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4G);
}
