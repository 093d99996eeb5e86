import type { RequestListener } from 'node:http';
import type { AttendanceSheet, Picks } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts as attendanceTexts } from '../../web/src/admin/classroom/attendance/texts.ts';
import { texts as projectorTexts } from '../../web/src/admin/classroom/projector/texts.ts';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as marksTexts } from '../../web/src/admin/outbox/texts.ts';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { texts as sessionTexts } from '../../web/src/session/texts.ts';
import { texts as studentTexts } from '../../web/src/student/texts.ts';
import { screens } from './harness/browser.ts';
import { boxOf, navigateInApp } from './harness/page-actions.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAdminPageAs } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const school = await startScoringSchool();
const { admin, schoolDb, ofClass, students, origin } = school;
const say = translatorFor('en');
const [t, shell, c] = [say(texts), say(shellTexts), say(commonTexts)];
const [marks, sheet, projector] = [say(marksTexts), say(attendanceTexts), say(projectorTexts)];
const [session, student] = [say(sessionTexts), say(studentTexts)];

const idOf = (number: number) => students.find(({ actualName }) => actualName === `Student ${number}`)?.id;

/** The tests share this page and build on each other. A service worker keeps the app's files for it. */
const { page, context, complaints } = await openAdminPageAs(school, 'class', '/scoring', { offline: true });
const card = (number: number) => cardOf(page, number);
await card(1).waitFor();

/** A card shows new points behind the total for a moment. */
async function totalShown(number: number): Promise<number> {
  const parts = await card(number).locator('> span').allTextContents();
  return Number(parts.find((part) => /^−?\d+$/.test(part))?.replace('−', '-'));
}

const panelOn = (tab: Page) => tab.getByRole('region', { name: t('give'), exact: true });
const panel = panelOn(page);
const latestOn = (tab: Page) => tab.getByRole('list', { name: t('recent') }).getByRole('listitem');
const latest = latestOn(page);
const template = (name: string) => panel.getByRole('button', { name });
const settled = (state: string) => latest.first().getByText(state, { exact: true }).waitFor();

/** Uses keys, which work even if a notice moves the card. */
async function give(tab: Page, number: number, name: string): Promise<void> {
  await cardOf(tab, number).press('Enter');
  await panelOn(tab).getByRole('button', { name }).press('Enter');
}

/** Cuts the pause before the next attempt short, as a network does that is back. */
const sendNow = () => page.evaluate("dispatchEvent(new Event('online'))");

const markAbsent = (tab: Page, number: number) => give(tab, number, t('markAbsent'));

async function absentNames(): Promise<(string | undefined)[]> {
  const { absences } = (await admin.get(`/attendance?${ofClass}`)).data as AttendanceSheet;
  return absences.map(({ userId }) => students.find(({ id }) => id === userId)?.actualName);
}

describe('The scoring page', () => {
  beforeEach(async () => {
    complaints.length = 0;
    await page.unrouteAll();
    await page.keyboard.press('Escape');
  });

  it('can be used by keyboard only', async () => {
    // Before templates load, keys give no points.
    await template('Homework +2').waitFor();
    // A class teacher has one class.
    expect(await page.getByRole('combobox', { name: t('class') }).count()).toBe(0);
    // Sixty students fit on one screen.
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('2');
    expect([await totalShown(1), await totalShown(2)]).toEqual([2, 2]);
    await page.keyboard.press('Control+z');
    expect(await totalShown(1)).toBe(0);
    await settled(t('stateUndone'));
    expect(await school.totalOf(2)).toBe(0);

    // Enter leads to the templates, and each way back to the card.
    const openTemplates = async () => {
      await card(3).press('Enter');
      await panel.locator(':focus').waitFor();
    };
    const isFocused = () => card(3).evaluate((one) => one.matches(':focus'));
    await openTemplates();
    await page.getByRole('status').getByText('Student 3', { exact: true }).waitFor({ state: 'attached' });
    await panel.getByRole('button', { name: 'Absent today' }).press('Enter');
    expect(await isFocused()).toBe(true);
    await openTemplates();
    await panel.getByRole('button', { name: 'Mark present' }).press('Enter');
    await page.keyboard.press('Escape');
    expect(await isFocused()).toBe(true);
    // A pointer takes over. The template looks active once a student is selected.
    const paper = () => template('Homework +2').evaluate((one) => getComputedStyle(one).backgroundColor);
    const idle = await paper();
    await openTemplates();
    await card(4).click();
    await expect.poll(paper).not.toBe(idle);
    await template('Homework +2').click();
    expect(await isFocused()).toBe(false);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');

    await page.keyboard.press('a');
    await panel.getByText('60 selected').waitFor();
    await page.keyboard.press('i');
    await page.keyboard.press('Escape');
    await panel.getByText('No one selected').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.insertText('student 41');
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: 'Student 41' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('selects rows, groups and columns by tap and by key, and gives points to a row with two taps', async () => {
    const label = (name: string) =>
      page
        .getByRole('toolbar', { name: 'Rows, groups and columns' })
        .getByRole('button', { name, exact: true });
    const pressed = (name: string) => label(name).getAttribute('aria-pressed');
    const before = await totalShown(1);
    await label('Row 1').click();
    await template('Answered +1').click();
    await latest.getByText('+1 for 8 students').first().waitFor();
    await expect.poll(() => totalShown(1)).toBe(before + 1);

    await label('Group 1').focus();
    await page.keyboard.press('Space');
    await panel.getByText('16 selected').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel.getByText('8 selected').first().waitFor();
    await page.getByRole('status').getByText('8 selected').waitFor({ state: 'attached' });
    const others = [await pressed('Group 1'), await pressed('Column 1'), await pressed('Column 2')];
    expect(others).toEqual(['false', 'false', 'true']);
    expect(complaints).toEqual([]);
  });

  it('shows why the server rejected points, and removes the message on request', async () => {
    await page.route('**/api/scores/batch', (route) =>
      route.fulfill({
        status: 403,
        // The page attributes an error without this header to a proxy.
        headers: { 'x-request-id': 'a request' },
        json: { success: false, data: null, message: 'outside your range' },
      }),
    );
    await give(page, 30, 'Answered +1');
    await settled('Not given: not in your classes');
    expect(await totalShown(30)).toBe(0);
    await latest.getByRole('button', { name: /^Dismiss/ }).click();
    await expect.poll(() => page.getByText('Not given: not in your classes').count()).toBe(0);
  });

  it('names the absence that the server fails to store, sends the others, and offers to retry it', async () => {
    let failures = 0;
    await page.route(/\/api\/attendance$/, (route) => {
      if (!route.request().postDataJSON().userIds.includes(idOf(52))) return route.continue();
      // The long pause makes sure that only a person's retry is sent.
      const rest = ++failures < 4 ? undefined : { 'retry-after': '60' };
      const headers = { 'x-request-id': 'a request', ...rest };
      return route.fulfill({ status: 500, headers, json: { success: false, data: null, message: 'no' } });
    });
    const notice = page.getByRole('alert').filter({ hasText: 'Student 52' });
    await markAbsent(page, 52);
    await markAbsent(page, 53);
    await expect.poll(absentNames).toEqual(['Student 53']);
    const isNamed = async () => {
      if (failures < 4) await sendNow();
      return notice.getByText(marks('stateFailing')).isVisible();
    };
    await expect.poll(isNamed).toBe(true);
    // The sheet would give points to an absent student, because the server lacks the mark.
    await navigateInApp(page, new URL(`${origin}/admin/attendance`));
    // Keys work even if the notice has just moved the button.
    await page.getByRole('button', { name: sheet('give') }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(sheet('giveLater', { count: 1 })).waitFor();
    expect(await dialog.getByRole('button', { name: sheet('giveButton') }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll();
    await notice.getByRole('button', { name: marks('retry') }).press('Enter');
    await notice.waitFor({ state: 'detached' });
    await expect.poll(absentNames).toContain('Student 52');
    await navigateInApp(page, new URL(`${origin}/admin/scoring`));
  });

  it('counts points once despite lost answers and a reload, and resends them with the same idempotency key', async () => {
    const keys: (string | undefined)[] = [];
    const reloaded = Promise.withResolvers<void>();
    await page.route('**/api/scores/batch', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 2) {
        await reloaded.promise;
        return route.continue();
      }
      // The call takes effect, but its answer is lost.
      await route.fetch();
      await route.abort();
    });
    await give(page, 20, 'Homework +2');
    await settled(t('stateWaiting'));
    expect(await totalShown(20)).toBe(2);
    await page.reload();
    await settled(t('stateWaiting'));
    reloaded.resolve();
    await settled(t('stateDone'));
    await latest.first().getByText('+2 for Student 20').waitFor();
    expect(await school.totalOf(20)).toBe(2);
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('shows unsent points and absences of another tab, and sends them after that tab has closed', async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    await other.route(/\/api\/(?:attendance|scores\/batch)$/, (route) => route.abort());
    await markAbsent(other, 56);
    await give(other, 21, 'Homework +2');
    await card(56).getByText(t('absent')).waitFor();
    await settled(t('stateWaiting'));
    await expect.poll(() => totalShown(21)).toBe(2);
    await sendNow();
    await settled(t('stateWaiting'));
    expect(await school.totalOf(21)).toBe(0);
    expect(await absentNames()).not.toContain('Student 56');
    await other.close();
    await sendNow();
    await settled(t('stateDone'));
    expect(await school.totalOf(21)).toBe(2);
    await expect.poll(absentNames).toContain('Student 56');
    await page.getByRole('button', { name: t('undoPoints', { what: '+2 for Student 21' }) }).click();
    await expect.poll(() => school.totalOf(21)).toBe(0);
  });

  it('selects students by rectangle and by Shift, also when the rectangle leaves the screen', async () => {
    const drag = async (from: number, to: { x: number; y: number }) => {
      const { x, y } = await boxOf(card(from));
      await page.mouse.move(x - 3, y + 5);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
    };
    const last = await boxOf(card(8));
    await drag(5, { x: last.x + last.width - 5, y: last.y + 20 });
    await page.mouse.up();
    await panel.getByText('4 selected').waitFor();
    await card(10).click({ modifiers: ['Control'] });
    await card(12).click({ modifiers: ['Shift'] });
    await panel.getByText('7 selected').waitFor();

    await page.setViewportSize({ width: 1440, height: 500 });
    await drag(1, { x: (await boxOf(card(60))).x + 10, y: 495 });
    // All but the three who are absent.
    await panel.getByText('57 selected').first().waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.setViewportSize(screens.desktop);
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });
});

describe('While a proxy answers 502 with its own page', () => {
  it('points wait, the projector shows the class from the cache, and points are saved once the server answers', async () => {
    const entries = page.getByRole('list', { name: projector('ranking') }).getByRole('listitem');
    await navigateInApp(page, new URL(`${origin}/admin/projector`));
    await expect.poll(() => entries.count()).toBe(10);
    await page.getByRole('button', { name: projector('settings') }).click();
    await page.locator('label', { hasText: projector('everybody') }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: projector('back') }).click();
    await page.evaluate('navigator.serviceWorker.ready');
    await expect.poll(() => storedAnswers(page)).toContain('Student 60');
    expect(await storedPathsExcept(page, '/admin')).toEqual([]);

    const serverAnswers = answerAsProxy();
    await give(page, 43, 'Answered +1');
    // The server may have received the points, so the state is "failing", not "waiting".
    await settled(t('stateFailing'));
    await page.reload();
    await settled(t('stateFailing'));
    await card(43).waitFor();
    await page.getByRole('link', { name: t('projector') }).press('Enter');
    await page.getByText(projector('stale')).waitFor();
    // A class of sixty fits on one screen.
    await expect.poll(() => entries.count()).toBe(60);
    const below = () => page.evaluate('document.scrollingElement.scrollHeight - innerHeight');
    await expect.poll(below).toBeLessThanOrEqual(0);

    serverAnswers();
    await page.getByText(projector('live'), { exact: true }).waitFor();
    await page.getByRole('link', { name: projector('back') }).click();
    await settled(t('stateDone'));
    expect(await school.totalOf(43)).toBe(1);
  });
});

describe('Without a network', () => {
  it('the app opens with the last class, and later sends points, absences and random picks exactly once', async () => {
    const picked = async () => ((await admin.get(`/picks?${ofClass}`)).data as Picks).userIds;
    // Another tab marked Student 56, so this page may not have asked for that absence yet.
    await page.reload();
    const keptAbsences = async () => /"absences":\[.*?\]/.exec(String(await storedAnswers(page)))?.[0];
    await expect.poll(keptAbsences).toContain(`"userId":${idOf(56)},`);
    await context.setOffline(true);
    const records = page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: shell('records') });
    await records.click();
    await page.getByText(shell('offline')).waitFor();
    // Keys work even if a notice moves the link.
    const back = page.getByRole('main').getByRole('link', { name: shell('toScoring') });
    await back.last().press('Enter');
    await give(page, 44, 'Answered +1');
    await settled(t('stateWaiting'));
    await markAbsent(page, 45);
    await give(page, 46, 'Answered +1');
    await page.getByText(t('offline', { count: 2 })).waitFor();
    await page.close();
    const again = await context.newPage();
    await again.goto(`${origin}/admin/scoring`);
    await again.getByText(t('offline', { count: 2 })).waitFor();
    await cardOf(again, 45).getByText(t('absent')).waitFor();
    expect(await cardOf(again, 44).textContent()).toContain('1');
    await again.getByRole('button', { name: t('random') }).press('Enter');
    // Four of sixty are absent.
    const round = t('pickRound', { done: 1, total: 56 });
    await again.getByRole('dialog').getByText(round).waitFor();
    await again.getByRole('dialog').press('Escape');
    expect(await absentNames()).not.toContain('Student 45');
    expect(await picked()).toEqual([]);
    await context.setOffline(false);
    for (const number of [44, 46]) {
      const points = latestOn(again).filter({ hasText: `Student ${number}` });
      await points.getByText(t('stateDone'), { exact: true }).waitFor();
      expect(await school.totalOf(number)).toBe(1);
    }
    await expect.poll(absentNames).toContain('Student 45');
    await expect.poll(async () => (await picked()).length).toBe(1);

    // A shared computer keeps no answers.
    await again.evaluate("localStorage.setItem('classledger.shared-computer', '1')");
    await context.setOffline(true);
    await again.reload();
    await again.getByRole('heading', { name: shell('offlineTitle') }).waitFor();
    expect(await cardOf(again, 44).count()).toBe(0);
    await again.evaluate("localStorage.removeItem('classledger.shared-computer')");
    await context.setOffline(false);
    await cardOf(again, 44).waitFor();
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
    await page.clock.install();
    const { token } = await school.app.signInStudent(schoolDb, 's07');
    await page.goto(`${origin}/icon.svg`);
    await page.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
    await page.goto(`${origin}/student`);
    const greeting = page.getByRole('heading', { level: 1, name: /Student 7/ });
    await greeting.waitFor();
    await page.evaluate('navigator.serviceWorker.ready');
    // The administrators' app has stored its own page.
    expect(await storedPathsExcept(page, '/student')).toEqual(['/admin']);

    const serverAnswers = answerAsProxy();
    await page.reload();
    await page.getByText(student('noNetworkHint')).waitFor();
    expect(await greeting.count()).toBe(0);
    serverAnswers();
    // The page tries again by itself.
    await page.clock.fastForward(5_000);
    await greeting.waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: student('news'), exact: true }).click();
    await page.getByText(student('offline')).waitFor();
    await page.getByRole('link', { name: student('account'), exact: true }).click();
    await page.getByRole('button', { name: c('signOut') }).click();
    await page.waitForURL(`${origin}/student`);
    await page.goto(`${origin}/student/records`);
    await page.getByRole('heading', { level: 1, name: session('studentTitle') }).waitFor();
    expect(await page.getByText('Student 7').count()).toBe(0);
  });
});

/** Answers every request like a proxy whose server restarts. @returns a function that lets the server answer again */
function answerAsProxy(): () => void {
  const { server } = school.app.app.http;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (_, answer) => {
    answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>');
  });
  return () => {
    server.removeAllListeners('request');
    for (const listener of listeners) server.on('request', listener);
  };
}

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
