import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { WatchedPage } from './harness/browser.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';

const school = await startScoringSchool();

/** The points on a card; what was just given stands behind them for a moment. */
async function totalShown(page: Page, number: number): Promise<number> {
  const parts = await cardOf(page, number).locator('> span').allTextContents();
  return Number(parts.find((part) => /^−?\d+$/.test(part))?.replace('−', '-'));
}

const panel = (page: Page) => page.getByRole('region', { name: 'Give points' });
const latest = (page: Page) => page.getByRole('list', { name: 'Recent' });
const template = (page: Page, name: string) => panel(page).getByRole('button', { name });

async function open(): Promise<WatchedPage> {
  const watched = await openAs(school, 'class', '/scoring');
  await cardOf(watched.page, 1).waitFor();
  return watched;
}

/** Waits until the newest tap shows a state. */
const settled = (page: Page, state: string) =>
  latest(page).getByRole('listitem').first().getByText(state, { exact: true }).waitFor();

describe('scoring', () => {
  it('chooses by rectangle and Shift, counts a double click once, and each further tap', async () => {
    const { page, complaints } = await open();
    const [from, to] = [await cardOf(page, 5).boundingBox(), await cardOf(page, 8).boundingBox()];
    if (!from || !to) throw new Error('The cards are not there');
    await page.mouse.move(from.x - 3, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width - 5, to.y + 20, { steps: 4 });
    await page.mouse.up();
    await panel(page).getByText('4 selected').waitFor();
    await cardOf(page, 10).click({ modifiers: ['Control'] });
    await cardOf(page, 12).click({ modifiers: ['Shift'] });
    await panel(page).getByText('7 selected').waitFor();

    const before = await totalShown(page, 6);
    // Time stands still between the two clicks, however slow the machine is.
    await page.clock.install();
    // So far ahead that the page is not there yet.
    await page.clock.pauseAt(Date.now() + 30_000);
    await template(page, 'Answered +1').dblclick();
    expect(await totalShown(page, 6)).toBe(before + 1);
    await page.clock.runFor(300);
    await template(page, 'Answered +1').click();
    expect(await totalShown(page, 6)).toBe(before + 2);
    await page.clock.resume();
    await settled(page, 'Saved');
    await expect.poll(() => latest(page).getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    expect(await school.totalOf(6)).toBe(before + 2);
    expect(await school.totalOf(11)).toBe(await totalShown(page, 11));

    // All sixty are on the screen at once, with the panel; where it is low the page scrolls along at the lower
    // edge, and the rectangle with it.
    const whole = await page.evaluate('document.documentElement.scrollHeight - innerHeight');
    expect(whole).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 500 });
    const [first, last] = [await cardOf(page, 1).boundingBox(), await cardOf(page, 60).boundingBox()];
    if (!first || !last) throw new Error('The cards are not there');
    await page.mouse.move(first.x - 3, first.y + 5);
    await page.mouse.down();
    await page.mouse.move(last.x + 10, 495, { steps: 4 });
    await panel(page).getByText('60 selected').first().waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it('chooses a row, a group and a column by its label, by tap and by key, and gives to a row with two taps', async () => {
    const { page, complaints } = await open();
    const label = (name: string) =>
      page
        .getByRole('toolbar', { name: 'Rows, groups and columns' })
        .getByRole('button', { name, exact: true });
    const pressed = (name: string) => label(name).getAttribute('aria-pressed');
    const before = await totalShown(page, 1);
    await label('Row 1').click();
    await template(page, 'Answered +1').click();
    await latest(page).getByText('+1 for 8 students').first().waitFor();
    await expect.poll(() => totalShown(page, 1)).toBe(before + 1);

    await label('Group 1').focus();
    await page.keyboard.press('Space');
    await panel(page).getByText('16 selected').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await pressed('Column 1')).toBe('true');
    await page.keyboard.press('Enter');
    await panel(page).getByText('8 selected').first().waitFor();
    await page.getByRole('status').getByText('8 selected').waitFor({ state: 'attached' });
    expect([await pressed('Group 1'), await pressed('Column 1'), await pressed('Column 2')]).toEqual([
      'false',
      'false',
      'true',
    ]);
    expect(complaints).toEqual([]);
  });

  it('counts a tap once, however often its answer is lost, and over a reload', async () => {
    const { page, context } = await open();
    const before = await totalShown(page, 20);
    const keys: (string | undefined)[] = [];
    let lost = 2;
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/scores/batch', async (route: Route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (lost-- <= 0) {
        // For as long as it takes to see that it waits.
        await seen.promise;
        return route.continue();
      }
      // It arrives, and its answer does not.
      await route.fetch();
      await route.abort();
    });
    await cardOf(page, 20).click();
    await page
      .getByRole('region', { name: 'Give points' })
      .getByRole('button', { name: 'Homework +2' })
      .click();
    await settled(page, 'Not sent yet');
    expect(await totalShown(page, 20)).toBe(before + 2);
    seen.resolve();
    await settled(page, 'Saved');
    expect(await school.totalOf(20)).toBe(before + 2);
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);

    await context.setOffline(true);
    await cardOf(page, 20).click();
    await page.getByRole('region', { name: 'Give points' }).getByRole('button', { name: 'Late −1' }).click();
    await page.getByText('No connection. 1 change is kept here. Carry on: it will be sent.').waitFor();
    expect(await totalShown(page, 20)).toBe(before + 1);
    expect(await school.totalOf(20)).toBe(before + 2);
    await context.setOffline(false);
    await settled(page, 'Saved');
    expect(await school.totalOf(20)).toBe(before + 1);

    await page.route('**/api/scores/batch', (route: Route) => route.abort());
    await cardOf(page, 20).click();
    await page
      .getByRole('region', { name: 'Give points' })
      .getByRole('button', { name: 'Answered +1' })
      .click();
    await settled(page, 'Not sent yet');
    await page.unrouteAll();
    await page.reload();
    await settled(page, 'Saved');
    await latest(page).getByRole('listitem').first().getByText('+1 for Student 20').waitFor();
    expect(await school.totalOf(20)).toBe(before + 2);
  });

  it('says why the server refused, and lets it be dismissed', async () => {
    const { page } = await open();
    await page.route('**/api/scores/batch', (route: Route) =>
      route.fulfill({
        status: 403,
        // Without it the answer would be someone's on the way.
        headers: { 'x-request-id': 'a request' },
        json: { success: false, data: null, message: 'outside your range' },
      }),
    );
    const before = await totalShown(page, 30);
    await cardOf(page, 30).click();
    await page
      .getByRole('region', { name: 'Give points' })
      .getByRole('button', { name: 'Answered +1' })
      .click();
    await settled(page, 'Not given: not in your classes');
    expect(await totalShown(page, 30)).toBe(before);
    await latest(page)
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    await expect.poll(() => page.getByText('Not given: not in your classes').count()).toBe(0);
  });

  it('works with the keyboard alone', async () => {
    const { page, complaints } = await open();
    // Until they are known, no key gives points.
    await template(page, 'Homework +2').waitFor();
    const before = [await totalShown(page, 1), await totalShown(page, 2)] as const;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('2');
    expect([await totalShown(page, 1), await totalShown(page, 2)]).toEqual([before[0] + 2, before[1] + 2]);
    await page.keyboard.press('Control+z');
    expect(await totalShown(page, 1)).toBe(before[0]);
    await settled(page, 'Undone');
    expect(await school.totalOf(2)).toBe(before[1]);

    await page.keyboard.press('a');
    await panel(page).getByText('60 selected').waitFor();
    await page.keyboard.press('i');
    await page.keyboard.press('Escape');
    await panel(page).getByText('No one selected').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('student 41');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Student 41' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });
});
