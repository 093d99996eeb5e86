import type { AttendanceSheet } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Box, boxOf, holdRequests } from './harness/page-actions.ts';
import { cardOf, openAdminPageAs, startScoringSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const school = await startScoringSchool();
const { admin, students, ofClass } = school;
const { scoring: t, shell, outbox: marks, attendance: sheet } = translatorFor('en');

const idOf = (number: number) => students.find(({ actualName }) => actualName === `Student ${number}`)?.id;

/** The tests share this page and build on each other. */
const { page, context, complaints, goOn } = await openAdminPageAs(school, 'class', '/scoring');
const card = (number: number) => cardOf(page, number);
await card(1).waitFor();

beforeEach(async () => {
  complaints.length = 0;
  await page.unrouteAll();
  await page.keyboard.press('Escape');
});

/** A card shows new points behind the total for a moment. */
async function totalShown(number: number): Promise<number> {
  const parts = await card(number).locator('> span').allTextContents();
  return Number(parts.find((part) => /^−?\d+$/.test(part))?.replace('−', '-'));
}

const panelOn = (tab: Page) => tab.getByRole('region', { name: t('give'), exact: true });
const panel = panelOn(page);
const latest = page.getByRole('list', { name: t('recent') });
const template = (name: string) => panel.getByRole('button', { name });

const settled = (state: string) =>
  latest.getByRole('listitem').first().getByText(state, { exact: true }).waitFor();

async function give(tab: Page, number: number, name: string): Promise<void> {
  await cardOf(tab, number).click();
  await panelOn(tab).getByRole('button', { name }).click();
}

async function markAbsent(tab: Page, number: number): Promise<void> {
  await cardOf(tab, number).press('Enter');
  const absence = panelOn(tab).getByRole('button', { name: t('markAbsent') });
  await absence.press('Enter');
}

async function absentNames(): Promise<(string | undefined)[]> {
  const { absences } = await admin.read<AttendanceSheet>(`/attendance?${ofClass}`);
  return absences.map(({ userId }) => students.find(({ id }) => id === userId)?.actualName);
}

describe('The scoring page', () => {
  it('can be used by keyboard only', async () => {
    // Before templates load, keys give no points.
    await template('Homework +2').waitFor();
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
    // The way back does not scroll, and leads only once to the card.
    await page.setViewportSize({ width: 1440, height: 300 });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const scrolled = await page.evaluate('scrollY');
    await page.keyboard.press('Escape');
    expect([await isFocused(), await page.evaluate('scrollY')]).toEqual([true, scrolled]);
    expect(scrolled).toBeGreaterThan(400);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: t('timer') }).focus();
    await page.keyboard.press('Escape');
    expect(await isFocused()).toBe(false);
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
    const states = ['Group 1', 'Column 1', 'Column 2'].map(pressed);
    expect(await Promise.all(states)).toEqual(['false', 'false', 'true']);
    expect(complaints).toEqual([]);
  });

  it('shows and says why the server rejected points, or may have saved them, and removes the message on request', async () => {
    const alert = page.locator('main .visually-hidden[role=alert]');
    expect(await alert.textContent()).toBe('');
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
    expect(await alert.textContent()).toBe('Not given: +1 for Student 30. not in your classes');
    expect(await totalShown(30)).toBe(0);
    await latest.getByRole('button', { name: /^Dismiss/ }).click();
    await expect.poll(() => page.getByText('Not given: not in your classes').count()).toBe(0);

    await page.route('**/api/scores/batch', (route) => route.abort(), { times: 1 });
    await give(page, 31, 'Answered +1');
    await settled(t('stateUnsure'));
    expect(await alert.textContent()).toBe(
      t('said', { what: '+1 for Student 31', reason: t('stateUnsure') }),
    );
    await latest.getByRole('button', { name: /^Stop trying/ }).click();
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
    await notice.getByText(marks('stateFailing')).waitFor();
    // The sheet would give points to an absent student, because the server lacks the mark.
    await goOn('/attendance');
    // Keys work even if a notice has just moved the button.
    await page.getByRole('button', { name: sheet('give') }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(sheet('giveLater', { count: 1 })).waitFor();
    expect(await dialog.getByRole('button', { name: sheet('giveButton') }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll();
    // Keys work even if the notice has just moved.
    await notice.getByRole('button', { name: marks('retry') }).press('Enter');
    await notice.waitFor({ state: 'detached' });
    await expect.poll(absentNames).toContain('Student 52');
    await goOn('/scoring');
  });

  it('can be opened offline from the message that replaces a page that was never loaded', async () => {
    await context.setOffline(true);
    const records = page.getByRole('navigation').first().getByRole('link', { name: 'Point records' });
    await records.click();
    await page.getByRole('heading', { name: shell('notLoadedTitle') }).waitFor();
    // The retry must show this page, not the browser's error page.
    await page.getByRole('button', { name: shell('retry') }).press('Enter');
    const back = page.getByRole('main').getByRole('link', { name: shell('toScoring') });
    await back.last().press('Enter');
    await card(1).waitFor();
    await context.setOffline(false);
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
    await settled('Not sent yet');
    expect(await totalShown(20)).toBe(2);
    await page.reload();
    await settled('Not sent yet');
    reloaded.resolve();
    await settled('Saved');
    await latest.getByRole('listitem').first().getByText('+2 for Student 20').waitFor();
    expect(await school.totalOf(20)).toBe(2);
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('shows points and absences of another tab, and sends the unsent points of that tab after it has closed', async () => {
    const other = await context.newPage();
    await other.goto(page.url());
    await cardOf(other, 1).waitFor();
    // Now this tab learns only from the other.
    await page.route(/\/api\/attendance\?/, (route) => route.abort());
    const releaseAbsence = await holdRequests(other, /\/api\/attendance/);
    await markAbsent(other, 56);
    await card(56).getByText(t('absent')).waitFor();
    releaseAbsence();
    const unsent = `Object.entries(localStorage)
      .filter(([key, text]) => key.startsWith('classledger.outbox.') && text.includes('attendance')).length`;
    await expect.poll(() => page.evaluate(unsent)).toBe(0);
    expect(await absentNames()).toContain('Student 56');
    await card(56).getByText(t('absent')).waitFor();
    await page.unrouteAll();

    await other.route('**/api/scores/batch', (route) => route.abort());
    const online = () => page.evaluate("dispatchEvent(new Event('online'))");
    await give(other, 21, 'Homework +2');
    await settled(t('stateWaiting'));
    await expect.poll(() => totalShown(21)).toBe(2);
    await online();
    await settled(t('stateWaiting'));
    expect(await school.totalOf(21)).toBe(0);
    await other.close();
    await online();
    await settled(t('stateDone'));
    expect(await school.totalOf(21)).toBe(2);
    await page.getByRole('button', { name: t('undoPoints', { what: '+2 for Student 21' }) }).click();
    await expect.poll(() => school.totalOf(21)).toBe(0);
  });

  it('selects students by rectangle and by Shift, also when the rectangle leaves the screen', async () => {
    const drag = async (from: Box, to: { x: number; y: number }) => {
      await page.mouse.move(from.x - 3, from.y + 5);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
    };
    const last = await boxOf(card(8));
    await drag(await boxOf(card(5)), { x: last.x + last.width - 5, y: last.y + 20 });
    await page.mouse.up();
    await panel.getByText('4 selected').waitFor();
    await card(10).click({ modifiers: ['Control'] });
    await card(12).click({ modifiers: ['Shift'] });
    await panel.getByText('7 selected').waitFor();

    await page.setViewportSize({ width: 1440, height: 500 });
    await drag(await boxOf(card(1)), { x: (await boxOf(card(60))).x + 10, y: 495 });
    // All but the three who are absent.
    await panel.getByText('57 selected').first().waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(complaints).toEqual([]);
  });
});

it('the projector fits a class of sixty on one screen, also after a reload', async () => {
  await goOn('/projector');
  const entries = page.getByRole('list', { name: 'Students by points' }).getByRole('listitem');
  await expect.poll(() => entries.count()).toBe(10);
  await page.getByRole('button', { name: 'Display settings' }).click();
  await page.locator('label', { hasText: 'Everyone' }).click();
  await expect.poll(() => entries.count()).toBe(60);
  await page.reload();
  await expect.poll(() => entries.count()).toBe(60);
  await expect
    .poll(() => page.evaluate('document.scrollingElement.scrollHeight - innerHeight'))
    .toBeLessThanOrEqual(0);
});
