import type { ScoreLog } from '@classledger/contract';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as recordTexts } from '../../web/src/admin/reports/records/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import type { screens } from './harness/browser.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const school = await startScoringSchool();
const say = speaker('en');
const t = say(texts);
const r = say(recordTexts);

/** Opens a page in front of fingers, whose time stands still until it is moved. */
async function open(screen: keyof typeof screens, path: string, shown: (page: Page) => Locator) {
  const prepare = (page: Page) => page.clock.install({ time: '2026-11-23T08:00:00Z' });
  const watched = await openAs(school, 'class', path, { screen, prepare });
  const { page } = watched;
  await shown(page).waitFor();
  await page.clock.pauseAt('2026-11-23T09:00:00Z');
  return watched;
}

/** The middle of something that stands still. */
async function middleOf(thing: Locator): Promise<{ x: number; y: number }> {
  const box = await thing.boundingBox();
  if (!box) throw new Error(`${thing} is not there`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function tap(page: Page, thing: Locator, restMs = 50): Promise<void> {
  await thing.waitFor();
  const { x, y } = await middleOf(thing);
  await page.touchscreen.tap(x, y);
  await page.clock.runFor(restMs);
}

/** Taps at one point, though other things may come to lie there. */
async function drum(page: Page, { x, y }: { x: number; y: number }, gaps: readonly number[]): Promise<void> {
  await page.touchscreen.tap(x, y);
  for (const gap of gaps) {
    await page.clock.runFor(gap);
    await page.touchscreen.tap(x, y);
  }
}

/** Who has how many records, of those that count. */
async function recordsByName(): Promise<Record<string, number>> {
  const { admin, schoolDb, classId } = school;
  const { data } = await admin.get(`/scores/logs?schoolDb=${schoolDb}&classId=${classId}&limit=500`);
  const counts: Record<string, number> = {};
  for (const { actualName } of data as ScoreLog[]) counts[actualName] = (counts[actualName] ?? 0) + 1;
  return counts;
}

/** What was given since, once everything has arrived. */
async function givenSince(page: Page, before: Record<string, number>): Promise<Record<string, number>> {
  await page.clock.resume();
  await page.getByText(t('stateDone'), { exact: true }).first().waitFor();
  await expect.poll(() => page.getByText(t('stateSending')).count()).toBe(0);
  const counts = await recordsByName();
  return Object.fromEntries(
    Object.entries(counts)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
}

const template = (page: Page, name: string) =>
  page
    .getByRole('region', { name: t('give') })
    .or(page.getByRole('dialog'))
    .getByRole('button', { name })
    .first();

describe('with fingers', () => {
  it.each([
    ['phone', 3],
    ['tablet', 3],
    ['board', 3],
  ] as const)('points given by tapping in place on a %s reach the same student', async (screen, times) => {
    const { page } = await open(screen, '/scoring', (shown) => cardOf(shown, 1));
    const before = await recordsByName();
    await tap(page, cardOf(page, 6), 400);
    const there = await middleOf(template(page, 'Answered'));
    // Where the panel gives, nothing stands over the neighbours.
    expect(await page.getByRole('dialog').count()).toBe(0);
    await drum(page, there, [350, 700]);
    expect(await givenSince(page, before)).toEqual({ 'Student 6': times });
  });

  it('points given by tapping in place to several reach the same ones', async () => {
    const { page } = await open('tablet', '/scoring', (shown) => cardOf(shown, 1));
    const before = await recordsByName();
    for (const number of [1, 2, 3]) await tap(page, cardOf(page, number), number === 1 ? 400 : 50);
    await drum(page, await middleOf(template(page, 'Homework')), [350, 700]);
    expect(await givenSince(page, before)).toEqual({ 'Student 1': 3, 'Student 2': 3, 'Student 3': 3 });
  });

  it('one student after another is given points as fast as fingers go', async () => {
    const { page } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    const before = await recordsByName();
    for (const number of [1, 2, 3, 4, 5]) {
      // The sheet comes up with the first, and takes no finger while it may not have been seen.
      await tap(page, cardOf(page, number), number === 1 ? 400 : 50);
      await tap(page, template(page, 'Answered'));
    }
    expect(await givenSince(page, before)).toEqual(
      Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`Student ${number}`, 1])),
    );
  });

  it('a tap on its way to a card gives nothing where the points came up', async () => {
    const { page } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    const before = await recordsByName();
    // Where it comes to rest.
    await tap(page, cardOf(page, 1), 200);
    const { x, y } = await middleOf(template(page, 'Answered'));
    await page.touchscreen.tap(x, y);
    await page.clock.runFor(200);
    expect(await page.getByRole('button', { name: /^Undo:/ }).count()).toBe(0);
    await page.touchscreen.tap(x, y);
    expect(await givenSince(page, before)).toEqual({ 'Student 1': 1 });
  });

  it('no card is chosen that came below the finger while it was down', async () => {
    const { page, context } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    const { x, y } = await middleOf(cardOf(page, 1));
    const finger = await context.newCDPSession(page);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await page.evaluate(`{
      const pressed = document.elementFromPoint(${x}, ${y}).closest('[data-student]');
      pressed.before(pressed.nextElementSibling);
    }`);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.clock.runFor(1_100);
    const gives = page.getByRole('region', { name: t('give') });
    expect(await gives.count()).toBe(0);
    await page.touchscreen.tap(x, y);
    await gives.getByRole('heading', { name: 'Student 2', exact: true }).waitFor();
  });

  it('a board that makes room for the points takes no tap that was on its way', async () => {
    const { page } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    const [low, other] = [cardOf(page, 10), cardOf(page, 3)];
    await low.evaluate("(card) => card.scrollIntoView({ block: 'end' })");
    const { x, y } = await middleOf(other);
    await tap(page, low);
    const shownThere = async () => {
      await page.clock.runFor(10);
      return page.evaluate(`document.elementFromPoint(${x}, ${y}).textContent`);
    };
    await expect.poll(shownThere).not.toContain('Student 3');
    await page.touchscreen.tap(x, y);
    await page.clock.runFor(400);
    await page
      .getByRole('region', { name: t('give') })
      .getByRole('heading', { name: 'Student 10', exact: true })
      .waitFor();
  });

  it('nobody is named above the points but those whom they are given to', async () => {
    const { page } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    await tap(page, cardOf(page, 6), 400);
    await tap(page, template(page, 'Answered'));
    await page.clock.resume();
    const undo = page
      .getByRole('region', { name: t('give') })
      .getByRole('button', { name: 'Undo: +1 for Student 6', exact: true });
    await undo.waitFor();
    await page.getByRole('button', { name: t('random') }).click();
    const dialog = page.getByRole('dialog');
    // Two: they are never those who are chosen.
    await dialog.getByRole('button', { name: t('pickMore') }).click();
    await dialog.getByRole('button', { name: t('pickAgain') }).click();
    await dialog.getByRole('button', { name: 'Homework' }).click();
    await dialog.getByRole('button', { name: /^Undo: \+2/ }).waitFor();
    await dialog.getByRole('button', { name: say(commonTexts)('close'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await undo.waitFor();
  });

  it('a board that was sorted anew by itself takes no tap that was on its way', async () => {
    const { page } = await open('phone', '/scoring', (shown) => cardOf(shown, 1));
    await page.clock.resume();
    await page.getByRole('combobox', { name: t('sort') }).click();
    await page.getByRole('option', { name: t('sortTotal') }).click();
    const cards = page.getByRole('group', { name: t('students') }).getByRole('button');
    const there = await middleOf(cards.first());
    await page.clock.pauseAt('2026-11-23T10:00:00Z');
    const { admin, schoolDb, classId } = school;
    const { data } = await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}`);
    const last = (data as { id: number }[]).at(-1);
    // What the page asks for from here on is answered when its time stands still again, and nothing else is on its way then: it
    // asks once at a time.
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
    await admin.created('/scores/add', { schoolDb, userId: last?.id, scoreChange: 50, description: '' });
    answer.resolve();
    // The answer comes in its own time, and is drawn in that of the page.
    const first = async () => {
      await page.clock.runFor(10);
      return cards.first().textContent();
    };
    await expect.poll(first).toContain('Student 60');
    await page.touchscreen.tap(there.x, there.y);
    await page.clock.runFor(400);
    expect(await page.getByRole('region', { name: t('give') }).count()).toBe(0);
    await page.touchscreen.tap(there.x, there.y);
    await page
      .getByRole('region', { name: t('give') })
      .getByRole('heading', { name: 'Student 60' })
      .waitFor();
  });

  it('no question is answered by the tap that asked it, nor by those that follow in place', async () => {
    const { admin, schoolDb, classId } = school;
    const students = (await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}`)).data as {
      id: number;
    }[];
    for (const { id: userId } of students.slice(0, 20)) {
      await admin.created('/scores/add', { schoolDb, userId, scoreChange: 1, description: 'Reading' });
    }
    const before = await recordsByName();
    const { page } = await open('phone', '/records', (shown) =>
      shown.getByRole('button', { name: r('revoke') }).nth(8),
    );
    const asks = page.getByRole('button', { name: r('revoke') }).nth(8);
    const dialog = page.getByRole('dialog');
    const confirms = dialog.getByRole('button', { name: r('revoke') });
    await asks.scrollIntoViewIfNeeded();
    await tap(page, asks);
    await confirms.waitFor();
    const there = await middleOf(confirms);
    await tap(page, dialog.getByRole('button', { name: say(commonTexts)('cancel') }));
    await dialog.waitFor({ state: 'detached' });
    // The button that asks comes to stand where the one that confirms will be.
    const { x, y } = await middleOf(asks);
    await page.evaluate(`scrollBy(0, ${y - there.y})`);
    const point = { x: Math.min(x, there.x + 30), y: (await middleOf(asks)).y };
    // A double click of a mouse no more than a finger.
    await page.mouse.dblclick(point.x, point.y);
    await dialog.waitFor();
    await page.clock.runFor(2_000);
    await tap(page, dialog.getByRole('button', { name: say(commonTexts)('cancel') }));
    await dialog.waitFor({ state: 'detached' });
    expect(await recordsByName()).toEqual(before);
    await page.clock.runFor(2_000);
    await drum(page, point, [350, 700, 350, 700]);
    await dialog.waitFor();
    await page.clock.resume();
    expect(await recordsByName()).toEqual(before);
    // Who has looked confirms.
    await page.clock.fastForward(2_000);
    await page.touchscreen.tap(there.x, there.y);
    await dialog.waitFor({ state: 'detached' });
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
    expect(sum(await recordsByName())).toBe(sum(before) - 1);
  });
});
