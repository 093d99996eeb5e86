import type { AttendanceSheet, Picks } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { screens } from './harness/browser.ts';
import { cardOf, openAdminPageAs, startScoringSchool } from './harness/served-school.ts';
import { startProxy } from './harness/test-proxy.ts';
import { translatorFor } from './harness/translator.ts';

const school = await startScoringSchool();
const { admin, ofClass } = school;
const { scoring: t, shell, common: c, projector, signIn: session, studentApp: student } = translatorFor('en');

const givePanel = (page: Page) => page.getByRole('region', { name: t('give') });

async function give(page: Page, number: number): Promise<void> {
  await cardOf(page, number).press('Enter');
  await givePanel(page).getByRole('button', { name: 'Answered +1' }).press('Enter');
}

const latest = (page: Page, state: string) =>
  page.getByRole('list', { name: t('recent') }).getByText(state, { exact: true });

const storedAnswers = (page: Page) => page.evaluate("localStorage.getItem('classledger.kept-answers')");

/** Returns the paths that the service worker has stored, except the build's own files and one page. */
async function storedPathsExcept(page: Page, path: string): Promise<readonly string[]> {
  const paths = (await page.evaluate(`(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const keys = await Promise.all(opened.map((cache) => cache.keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  })()`)) as string[];
  expect(paths).toContain(path);
  return paths.filter((one) => one !== path && !/^\/(?:assets\/.+|icon\.svg)$/.test(one));
}

const absent = async () => (await admin.read<AttendanceSheet>(`/attendance?${ofClass}`)).absences;
const picked = async () => (await admin.read<Picks>(`/picks?${ofClass}`)).userIds;

const proxy = await startProxy(school.origin);
const { page, context } = await openAdminPageAs(proxy, 'class', '/scoring', { offline: true });

describe('While the proxy answers 502 with its own page', () => {
  it('points wait, pages open from the cache, and points are saved once the server answers', async () => {
    await cardOf(page, 6).waitFor();
    await page.evaluate('navigator.serviceWorker.ready');
    await expect.poll(() => storedAnswers(page)).toContain('Student 60');
    expect(await storedPathsExcept(page, '/admin')).toEqual([]);

    proxy.serverAnswers = false;
    await give(page, 6);
    // The server may have received the points, so the state is "failing", not "waiting".
    await latest(page, t('stateFailing')).waitFor();
    await page.reload();
    await latest(page, t('stateFailing')).waitFor();
    await cardOf(page, 6).waitFor();
    await page.getByRole('link', { name: t('projector') }).press('Enter');
    await page.getByText(projector('stale')).waitFor();

    proxy.serverAnswers = true;
    await page.getByText(projector('live'), { exact: true }).waitFor();
    await page.getByRole('link', { name: projector('back') }).click();
    await latest(page, t('stateDone')).waitFor();
    expect(await school.totalOf(6)).toBe(1);
  });
});

describe('Without a network', () => {
  it('the app opens with the last class, and later sends points, absences and random picks exactly once', async () => {
    await context.setOffline(true);
    const menu = page.getByRole('navigation').first();
    await menu.getByRole('link', { name: shell('records'), exact: true }).click();
    await page.getByText(shell('offline')).waitFor();
    const back = page.getByRole('main').getByRole('link', { name: shell('toScoring') });
    // Keys work even if a notice moves the link.
    await back.last().press('Enter');
    await give(page, 3);
    await latest(page, t('stateWaiting')).waitFor();
    await cardOf(page, 5).press('Enter');
    const absence = givePanel(page).getByRole('button', { name: t('markAbsent') });
    await absence.press('Enter');
    await give(page, 4);
    await page.getByText(t('offline', { count: 2 })).waitFor();
    await page.close();
    const again = await context.newPage();
    await again.goto(`${proxy.origin}/admin/scoring`);
    await again.getByText(t('offline', { count: 2 })).waitFor();
    await cardOf(again, 5).getByText(t('absent')).waitFor();
    expect(await cardOf(again, 3).textContent()).toContain('1');
    await again.getByRole('button', { name: t('random') }).press('Enter');
    const dialog = again.getByRole('dialog');
    await dialog.getByText(t('pickRound', { done: 1, total: 59 })).waitFor();
    await dialog.press('Escape');
    expect([await absent(), await picked()]).toEqual([[], []]);
    await context.setOffline(false);
    await expect.poll(() => latest(again, t('stateDone')).count()).toBe(3);
    expect([await school.totalOf(3), await school.totalOf(4)]).toEqual([1, 1]);
    await expect.poll(absent).toMatchObject([{ state: 'absent' }]);
    await expect.poll(async () => (await picked()).length).toBe(1);

    // A shared computer keeps no answers.
    await again.evaluate("localStorage.setItem('classledger.shared-computer', '1')");
    await context.setOffline(true);
    await again.reload();
    await again.getByRole('heading', { name: shell('offlineTitle') }).waitFor();
    expect(await cardOf(again, 3).count()).toBe(0);
    await again.evaluate("localStorage.removeItem('classledger.shared-computer')");
    await context.setOffline(false);
    await cardOf(again, 3).waitFor();
    await expect.poll(() => storedAnswers(again)).toContain('Student 60');
    // Without a network the session stays open, and the page says so, but its answers are gone.
    await context.setOffline(true);
    await again.getByRole('button', { name: /^teacher/ }).click();
    await again.getByRole('button', { name: c('signOut') }).click();
    await again.getByText(shell('stillSignedIn')).waitFor();
    expect([new URL(again.url()).pathname, await storedAnswers(again)]).toEqual(['/admin/scoring', null]);
    await context.setOffline(false);
    await again.close();
  });
});

describe('The student app without the server', () => {
  it('opens with a hint and no data, recovers once the server answers, and marks an open page as outdated', async () => {
    const page = await context.newPage();
    await page.setViewportSize(screens.phone);
    const { token } = await school.app.signInStudent(school.schoolDb, 's07', 'secret-password');
    await page.goto(`${proxy.origin}/icon.svg`);
    await page.evaluate(
      `localStorage.setItem('classledger.language', 'en');
       localStorage.setItem('classledger.student-token', '${token}');`,
    );
    await page.goto(`${proxy.origin}/student`);
    const greeting = page.getByRole('heading', { level: 1, name: /Student 7/ });
    await greeting.waitFor();
    await page.evaluate('navigator.serviceWorker.ready');
    // The administrators' app has stored its own page.
    expect(await storedPathsExcept(page, '/student')).toEqual(['/admin']);

    proxy.serverAnswers = false;
    await page.reload();
    await page.getByText(student('noNetworkHint')).waitFor();
    expect(await greeting.count()).toBe(0);
    proxy.serverAnswers = true;
    await greeting.waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: student('news'), exact: true }).click();
    await page.getByText(student('offline')).waitFor();
    await page.getByRole('link', { name: student('account'), exact: true }).click();
    await page.getByRole('button', { name: c('signOut') }).click();
    await page.waitForURL(`${proxy.origin}/student`);
    await page.goto(`${proxy.origin}/student/records`);
    await page.getByRole('heading', { level: 1, name: session('studentTitle') }).waitFor();
    expect(await page.getByText('Student 7').count()).toBe(0);
  });
});
