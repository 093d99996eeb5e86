import type { Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const school = await startScoringSchool();
const shell = speaker('en')(shellTexts);

/** The tests share this page and build on each other. */
const { page, context, complaints } = await openAs(school, 'class', '/scoring');
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

const panel = page.getByRole('region', { name: 'Give points' });
const latest = page.getByRole('list', { name: 'Recent' });
const template = (name: string) => panel.getByRole('button', { name });

const settled = (state: string) =>
  latest.getByRole('listitem').first().getByText(state, { exact: true }).waitFor();

describe('The scoring page', () => {
  it('can be used by keyboard alone', async () => {
    // Before templates load, keys give no points.
    await template('Homework +2').waitFor();
    const before = [await totalShown(1), await totalShown(2)] as const;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.keyboard.press('2');
    expect([await totalShown(1), await totalShown(2)]).toEqual([before[0] + 2, before[1] + 2]);
    await page.keyboard.press('Control+z');
    expect(await totalShown(1)).toBe(before[0]);
    await settled('Undone');
    expect(await school.totalOf(2)).toBe(before[1]);

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
    // A pointer takes over.
    await openTemplates();
    await card(4).click();
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
    await page.keyboard.type('student 41');
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
    expect(await pressed('Column 1')).toBe('true');
    await page.keyboard.press('Enter');
    await panel.getByText('8 selected').first().waitFor();
    await page.getByRole('status').getByText('8 selected').waitFor({ state: 'attached' });
    expect([await pressed('Group 1'), await pressed('Column 1'), await pressed('Column 2')]).toEqual([
      'false',
      'false',
      'true',
    ]);
    expect(complaints).toEqual([]);
  });

  it('counts a tap once despite lost answers, lost connections and a reload', async () => {
    const before = await totalShown(20);
    const keys: (string | undefined)[] = [];
    let lost = 2;
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/scores/batch', async (route: Route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (lost-- <= 0) {
        // Waits until the test has seen the pending state.
        await seen.promise;
        return route.continue();
      }
      // The call takes effect, but its answer is lost.
      await route.fetch();
      await route.abort();
    });
    await card(20).click();
    await template('Homework +2').click();
    await settled('Not sent yet');
    expect(await totalShown(20)).toBe(before + 2);
    seen.resolve();
    await settled('Saved');
    expect(await school.totalOf(20)).toBe(before + 2);
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);

    await context.setOffline(true);
    await card(20).click();
    await template('Late −1').click();
    await page
      .getByText('No connection. 1 change is kept on this device and will be sent later. You can carry on.')
      .waitFor();
    expect(await totalShown(20)).toBe(before + 1);
    expect(await school.totalOf(20)).toBe(before + 2);
    await context.setOffline(false);
    await settled('Saved');
    expect(await school.totalOf(20)).toBe(before + 1);

    await page.route('**/api/scores/batch', (route: Route) => route.abort());
    await card(20).click();
    await template('Answered +1').click();
    await settled('Not sent yet');
    await page.unrouteAll();
    await page.reload();
    await settled('Saved');
    await latest.getByRole('listitem').first().getByText('+1 for Student 20').waitFor();
    expect(await school.totalOf(20)).toBe(before + 2);
  });

  it('shows why the server rejected a tap, and removes the message on request', async () => {
    await page.route('**/api/scores/batch', (route: Route) =>
      route.fulfill({
        status: 403,
        // The page attributes an error without this header to a proxy.
        headers: { 'x-request-id': 'a request' },
        json: { success: false, data: null, message: 'outside your range' },
      }),
    );
    const before = await totalShown(30);
    await card(30).click();
    await template('Answered +1').click();
    await settled('Not given: not in your classes');
    expect(await totalShown(30)).toBe(before);
    await latest.getByRole('button', { name: /^Dismiss/ }).click();
    await expect.poll(() => page.getByText('Not given: not in your classes').count()).toBe(0);
  });

  it('is reachable offline from a page that was never loaded and shows a message instead', async () => {
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

  it('selects by rectangle and by Shift, and counts a double click once but each later tap', async () => {
    const [from, to] = [await card(5).boundingBox(), await card(8).boundingBox()];
    if (!from || !to) throw new Error('The cards are not there');
    await page.mouse.move(from.x - 3, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width - 5, to.y + 20, { steps: 4 });
    await page.mouse.up();
    await panel.getByText('4 selected').waitFor();
    await card(10).click({ modifiers: ['Control'] });
    await card(12).click({ modifiers: ['Shift'] });
    await panel.getByText('7 selected').waitFor();

    const before = await totalShown(6);
    // The clock stands still between both clicks.
    await page.clock.install();
    // Ahead of the page's own clock.
    await page.clock.pauseAt(Date.now() + 30_000);
    await template('Answered +1').dblclick();
    expect(await totalShown(6)).toBe(before + 1);
    await page.clock.runFor(300);
    await template('Answered +1').click();
    expect(await totalShown(6)).toBe(before + 2);
    await page.clock.resume();
    await settled('Saved');
    await expect.poll(() => latest.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    expect(await school.totalOf(6)).toBe(before + 2);
    expect(await school.totalOf(11)).toBe(await totalShown(11));

    const whole = await page.evaluate('document.documentElement.scrollHeight - innerHeight');
    expect(whole).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 500 });
    const [first, last] = [await card(1).boundingBox(), await card(60).boundingBox()];
    if (!first || !last) throw new Error('The cards are not there');
    await page.mouse.move(first.x - 3, first.y + 5);
    await page.mouse.down();
    await page.mouse.move(last.x + 10, 495, { steps: 4 });
    await panel.getByText('60 selected').first().waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });
});
