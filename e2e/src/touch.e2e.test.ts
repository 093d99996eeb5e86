import type { ScoreLog } from '@classledger/contract';
import type { Locator } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { screens } from './harness/browser.ts';
import { boxOf, chooseOption } from './harness/page-actions.ts';
import { cardOf, openAdminPageAs, signInAs, startScoringSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const school = await startScoringSchool();
const { admin, schoolDb, classId, students, ofClass } = school;
const say = translatorFor('en');
const { scoring: t, records: r, common: c, timer: tt } = say;
const { shell, lists: list, templates: tp } = say;

/** All tests use this page by touch. Its clock stands still. */
const { page, context, complaints, goOn } = await openAdminPageAs(school, 'class', '/scoring', {
  screen: 'phone',
  prepare: (page) => page.clock.install({ time: '2026-11-23T08:00:00Z' }),
});
let minutes = 0;

/** Stops the page's clock, ten minutes later each time. */
async function pause(): Promise<void> {
  minutes += 10;
  await page.clock.pauseAt(Date.parse('2026-11-23T09:00:00Z') + minutes * 60_000);
}

const givePanel = page.getByRole('region', { name: t('give'), exact: true });
const card = (number: number) => cardOf(page, number);

async function begin(): Promise<void> {
  await card(1).waitFor();
  await pause();
}

afterEach(async () => {
  await page.clock.resume();
  const none = givePanel.getByRole('button', { name: t('clearSelection') });
  if (await none.isVisible()) await none.press('Enter');
  await page.unrouteAll();
});

async function middleOf(thing: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await boxOf(thing);
  return { x: x + width / 2, y: y + height / 2 };
}

async function bottomOf(thing: Locator): Promise<number> {
  const { y, height } = await boxOf(thing);
  return y + height;
}

async function tap(thing: Locator, restMs = 50): Promise<void> {
  await thing.waitFor();
  const { x, y } = await middleOf(thing);
  await page.touchscreen.tap(x, y);
  await page.clock.runFor(restMs);
}

/** Taps one point repeatedly, even if the elements below change. */
async function tapRepeatedly({ x, y }: { x: number; y: number }, gaps: readonly number[]): Promise<void> {
  await page.touchscreen.tap(x, y);
  for (const gap of gaps) {
    await page.clock.runFor(gap);
    await page.touchscreen.tap(x, y);
  }
}

async function recordsByName(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { actualName } of await admin.read<ScoreLog[]>(`/scores/logs?${ofClass}&limit=500`))
    counts[actualName] = (counts[actualName] ?? 0) + 1;
  return counts;
}

async function givenSince(before: Record<string, number>): Promise<Record<string, number>> {
  await page.clock.resume();
  await page.getByText(t('stateDone'), { exact: true }).first().waitFor();
  for (const state of [t('stateSending'), t('stateWaiting')])
    await expect.poll(() => page.getByText(state, { exact: true }).count()).toBe(0);
  const counts = await recordsByName();
  return Object.fromEntries(
    Object.entries(counts)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

const template = (name: string) =>
  givePanel.or(page.getByRole('dialog')).getByRole('button', { name }).first();

describe('The scoring page by touch', () => {
  it('gives points at every tap on a template, to several or single students, and undoes them with one tap', async () => {
    await begin();
    const before = await recordsByName();
    // The sheet opens with the first tap and ignores taps until it has been visible for a moment.
    for (const number of [1, 2, 3]) await tap(card(number), number === 1 ? 400 : 50);
    await tapRepeatedly(await middleOf(template('Homework')), [350, 700]);
    // As fast as a person taps.
    await tap(card(4));
    await tap(template('Answered'));
    await tap(card(5));
    await tapRepeatedly(await middleOf(template('Answered')), [350, 700]);
    const counts = [3, 3, 3, 1, 3].map((count, index) => [`Student ${index + 1}`, count] as const);
    expect(await givenSince(before)).toEqual(Object.fromEntries(counts));
    // One tap undoes the last points of the selected student, but not those of another.
    const undo = givePanel.getByRole('button', { name: /^Undo: / });
    const total = await school.totalOf(5);
    await undo.and(page.getByRole('button', { name: 'Undo: +1 for Student 5', exact: true })).tap();
    await expect.poll(() => school.totalOf(5)).toBe(total - 1);
    await card(6).tap();
    await givePanel.getByRole('heading', { name: 'Student 6', exact: true }).waitFor();
    expect(await undo.count()).toBe(0);
  });

  it('ignores a tap on a template that has just appeared over a card, and accepts the next tap', async () => {
    await begin();
    const before = await recordsByName();
    // The sheet has come to rest here.
    await tap(card(1), 200);
    const { x, y } = await middleOf(template('Answered'));
    await page.touchscreen.tap(x, y);
    await page.clock.runFor(200);
    expect(await page.getByRole('button', { name: /^Undo:/ }).count()).toBe(0);
    await page.touchscreen.tap(x, y);
    expect(await givenSince(before)).toEqual({ 'Student 1': 1 });
  });

  it('selects no card that moved under the finger during a touch', async () => {
    await begin();
    const { x, y } = await middleOf(card(1));
    const finger = await context.newCDPSession(page);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    const pressed = await page.evaluateHandle<HTMLElement>(
      `document.elementFromPoint(${x}, ${y}).closest('[data-student]')`,
    );
    await pressed.evaluate((card) => card.before(card.nextElementSibling as Element));
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.clock.runFor(1_100);
    expect(await givePanel.count()).toBe(0);
    await page.touchscreen.tap(x, y);
    await givePanel.getByRole('heading', { name: 'Student 2', exact: true }).waitFor();
    await pressed.evaluate((card) => card.previousElementSibling?.before(card));
  });

  it('ignores a tap on a card that has just moved because the template panel opened', async () => {
    await begin();
    const [low, other] = [card(10), card(3)];
    await low.evaluate((card) => card.scrollIntoView({ block: 'end' }));
    const { x, y } = await middleOf(other);
    await tap(low);
    const shownThere = async () => {
      await page.clock.runFor(10);
      return page.evaluate(`document.elementFromPoint(${x}, ${y}).textContent`);
    };
    await expect.poll(shownThere).not.toContain('Student 3');
    await page.touchscreen.tap(x, y);
    await page.clock.runFor(400);
    await givePanel.getByRole('heading', { name: 'Student 10', exact: true }).waitFor();
  });

  it('ignores a tap on a card that a changed sort order has just moved under the finger', async () => {
    await chooseOption(page, t('sort'), t('sortTotal'));
    const cards = page.getByRole('group', { name: t('students') }).getByRole('button');
    const there = await middleOf(cards.first());
    await pause();
    // Holds the next list until the clock stands still. The page asks once at a time, so no other list arrives.
    let isAsked = false;
    const answer = Promise.withResolvers<void>();
    await page.route(/\/api\/users\?/, async (route) => {
      isAsked = true;
      await answer.promise;
      await route.continue();
    });
    const asked = async () => {
      await page.clock.runFor(1_000);
      return isAsked;
    };
    await expect.poll(asked).toBe(true);
    const userId = students.at(-1)?.id;
    await admin.created('/scores/add', { schoolDb, userId, scoreChange: 50, description: '' });
    answer.resolve();
    // The answer arrives in real time, but the page draws it by its own clock.
    const first = async () => {
      await page.clock.runFor(10);
      return cards.first().textContent();
    };
    await expect.poll(first).toContain('Student 60');
    await page.touchscreen.tap(there.x, there.y);
    await page.clock.runFor(400);
    expect(await givePanel.count()).toBe(0);
    await page.touchscreen.tap(there.x, there.y);
    await givePanel.getByRole('heading', { name: 'Student 60' }).waitFor();
  });

  it('does not take double clicks or repeated taps as confirmation of a revocation, but accepts a later tap', async () => {
    const items = students.slice(0, 20).map(({ id }) => {
      return { userId: id, scoreChange: 1, description: 'Reading' };
    });
    await admin.created('/scores/batch', { schoolDb, items });
    const before = await recordsByName();
    await goOn('/records');
    const asks = page.getByRole('button', { name: r('undo') }).nth(8);
    await asks.waitFor();
    await pause();
    const dialog = page.getByRole('dialog');
    const confirms = dialog.getByRole('button', { name: r('undo') });
    await asks.scrollIntoViewIfNeeded();
    await tap(asks);
    await confirms.waitFor();
    const there = await middleOf(confirms);
    await tap(dialog.getByRole('button', { name: c('cancel') }));
    await dialog.waitFor({ state: 'detached' });
    // The first button must lie where the confirming button will appear.
    const { x, y } = await middleOf(asks);
    await page.evaluate(`scrollBy(0, ${y - there.y})`);
    const point = { x: Math.min(x, there.x + 30), y: (await middleOf(asks)).y };
    // The same holds for a double click.
    await page.mouse.dblclick(point.x, point.y);
    await dialog.waitFor();
    await page.clock.runFor(2_000);
    await tap(dialog.getByRole('button', { name: c('cancel') }));
    await dialog.waitFor({ state: 'detached' });
    expect(await recordsByName()).toEqual(before);
    await page.clock.runFor(2_000);
    await tapRepeatedly(point, [350, 700, 350, 700]);
    await dialog.waitFor();
    await page.clock.resume();
    expect(await recordsByName()).toEqual(before);
    await page.clock.fastForward(2_000);
    await page.touchscreen.tap(there.x, there.y);
    await dialog.waitFor({ state: 'detached' });
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
    expect(sum(await recordsByName())).toBe(sum(before) - 1);
  });
});

describe('The scoring page on a classroom display', () => {
  it('fills the screen with large targets, and keeps points and absences on a reload without a network', async () => {
    const tapOn = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().tap();
    const timer = page.getByRole('region', { name: tt('timer') });
    const dialog = page.getByRole('dialog', { name: t('random') });
    const isFilled = () => page.evaluate('document.fullscreenElement !== null');
    // The smallest usual display.
    await page.setViewportSize({ width: 1280, height: 720 });
    await signInAs({ context, origin: school.origin }, 'super');
    await page.goto(`${school.origin}/admin/scoring`);
    await card(1).waitFor();
    complaints.length = 0;
    // The only class of a school opens by itself, and stays open if there will be a second one.
    await expect.poll(() => new URL(page.url()).searchParams.get('class')).toBe(String(classId));
    await tapOn(t('fullScreen'));
    await expect.poll(isFilled).toBe(true);
    expect(await page.getByRole('navigation').count()).toBe(0);

    // One tap selects, the next gives. The template stays in its place for further taps. The random pick of an
    // earlier test may have given this student points.
    const earlier = await school.totalOf(40);
    await card(40).tap();
    expect(await page.getByRole('dialog').count()).toBe(0);
    const answered = givePanel.getByRole('button', { name: /^Answered/ });
    const place = await middleOf(answered);
    await answered.tap();
    await expect.poll(() => school.totalOf(40)).toBe(earlier + 1);
    expect(await middleOf(answered)).toEqual(place);

    const recent = page.getByRole('region', { name: t('recent') });
    const undo = recent.getByRole('button', { name: /^Undo: / }).first();
    await tapOn(t('timer'));
    expect(await smallTargets()).toEqual([]);
    const others = page.locator('[data-student]').or(page.getByRole('region'));
    expect(await covered(timer, others)).toEqual([]);
    await timer.getByRole('button', { name: tt('start') }).tap();
    await timer.getByRole('button', { name: tt('pause') }).waitFor();
    expect(await covered(timer, others)).toEqual([]);
    expect(await bottomOf(undo)).toBeLessThan(await bottomOf(recent));
    await undo.tap();
    await expect.poll(() => school.totalOf(40)).toBe(earlier);

    await page.route('**/api/scores/batch', (route) => route.abort());
    await card(1).tap();
    await card(2).tap();
    await tapOn(t('random'));
    const picked = dialog.getByRole('status').filter({ hasText: 'Student' });
    await picked.waitFor({ state: 'attached' });
    const name = (await picked.textContent())?.replace('Picked: ', '') as string;
    const total = () => school.totalOf(Number(name.split(' ')[1]));
    const before = await total();
    await dialog.getByRole('button', { name: /^Homework/ }).tap();
    await dialog.getByText(t('stateWaiting'), { exact: true }).waitFor();
    expect(await smallTargets()).toEqual([]);
    await page.reload();
    await dialog.getByText(t('stateWaiting'), { exact: true }).waitFor();
    expect(await picked.textContent()).toBe(t('pickDone', { names: name }));
    await timer.getByRole('button', { name: tt('pause') }).waitFor();
    await page.unrouteAll();
    await dialog.getByText(t('stateDone'), { exact: true }).waitFor();
    expect(await total()).toBe(before + 2);
    // The pick goes on among the two, and the points can still be undone.
    await dialog.getByRole('button', { name: t('pickAgain') }).tap();
    await dialog.getByText(t('pickRound', { done: 2, total: 2 })).waitFor();
    const undone = t('undoPoints', { what: t('whatOne', { points: '+2', name }) });
    await dialog.getByRole('button', { name: undone }).press('Enter');
    await expect.poll(total).toBe(before);
    await dialog.getByRole('button', { name: c('close'), exact: true }).tap();

    // The browser leaves its own full screen on a reload.
    expect(await isFilled()).toBe(false);
    await tapOn(t('fillScreen'));
    await expect.poll(isFilled).toBe(true);
    const focused = (name: string) =>
      page.locator(':focus').and(page.getByRole('button', { name, exact: true }));
    await focused(t('leaveFullScreen')).waitFor();
    await tapOn(t('leaveFullScreen'));
    await page.getByRole('navigation').first().waitFor();
    await focused(t('fullScreen')).waitFor();
    await expect.poll(isFilled).toBe(false);
    // Of the calls that this test aborts.
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });
});

it('a phone shows ten templates, messages and touch targets of at least 44 pixels above its tab bar', async () => {
  for (const scoreChange of [3, 5, 1, 2, -2, -1, -3])
    await admin.created('/scores/templates', { schoolDb, name: `Reason ${scoreChange}`, scoreChange });
  await page.setViewportSize(screens.phone);
  await signInAs({ context, origin: school.origin }, 'class');
  await page.goto(`${school.origin}/admin/scoring`);
  await card(1).tap();
  const custom = givePanel.getByRole('button', { name: t('custom') });
  await custom.waitFor();
  const tabBar = await boxOf(page.getByRole('navigation', { name: shell('quickNavigation') }));
  expect(await bottomOf(custom)).toBeLessThanOrEqual(tabBar.y);
  const cut = `(() => {
    const scroller = document.querySelector('[data-gives-points]').closest('[style*="overflow-y"]');
    return scroller.scrollHeight - scroller.clientHeight;
  })()`;
  expect(await page.evaluate(cut)).toBeLessThanOrEqual(0);

  await goOn('/students');
  // A second tap closes the menu.
  const button = page.getByRole('button', { name: 'Actions for Student 1', exact: true });
  await button.tap();
  await page.getByRole('menu').waitFor();
  await button.tap();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  const tick = page.getByRole('checkbox', { name: list('selectRowNamed', { name: 'Student 1' }) }).first();
  expect((await boxOf(tick)).width).toBeGreaterThanOrEqual(24);
  const menu = await boxOf(page.getByRole('button', { name: shell('openMenu') }));
  expect(Math.min(menu.width, menu.height)).toBeGreaterThanOrEqual(44);

  await goOn('/templates');
  const add = page.getByRole('button', { name: tp('addTemplate') });
  await add.first().tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: tp('name') }).fill('On the phone');
  await dialog.getByRole('button', { name: c('add'), exact: true }).tap();
  await page.getByText(tp('added', { name: 'On the phone' })).waitFor();
  // The message slides in.
  const message = page.locator('.mantine-Notification-root').first();
  await expect.poll(() => bottomOf(message)).toBeLessThanOrEqual(tabBar.y);
});

/** Returns the controls that are lower or narrower than 64 pixels. */
function smallTargets(): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(':is(main, [role=dialog]) :is(button, a, input, .mantine-SegmentedControl-label)')]
    .filter((control) => control.checkVisibility() && !control.closest('.visually-hidden'))
    .filter((control) => !control.matches('.mantine-SegmentedControl-input'))
    .map((control) => [control, control.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.round(width) < 64 || Math.round(height) < 64)
    .map(([control, { width, height }]) =>
      \`\${control.ariaLabel ?? control.textContent}: \${width} x \${height}\`)`);
}

/** Returns the texts of the elements that lie below another. */
async function covered(above: Locator, all: Locator): Promise<(string | null)[]> {
  const over = await above.elementHandle();
  return all.evaluateAll((ones, upper) => {
    const a = (upper as Element).getBoundingClientRect();
    return ones.flatMap((one) => {
      const b = one.getBoundingClientRect();
      const isBelow = b.x < a.right && a.x < b.right && b.y < a.bottom && a.y < b.bottom;
      return isBelow && !(upper as Element).contains(one) ? [one.textContent] : [];
    });
  }, over);
}
