import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as timerTexts } from '../../web/src/admin/classroom/timer/texts.ts';
import { texts as templateTexts } from '../../web/src/admin/school/templates/texts.ts';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { texts as listTexts } from '../../web/src/components/list/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const school = await startScoringSchool();
const { admin, schoolDb } = school;
for (const scoreChange of [3, 5, 1, 2, -2, -1, -3])
  await admin.created('/scores/templates', { schoolDb, name: `Reason ${scoreChange}`, scoreChange });
const say = speaker('en');
const [t, timer, shell] = [say(texts), say(timerTexts), say(shellTexts)];
const [list, c, tp] = [say(listTexts), say(commonTexts), say(templateTexts)];

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not there`);
  return box;
};

const scoring = '/scoring';
const projector = `/projector?class=${school.classId}`;

describe('Scoring pages on a phone', async () => {
  const { page, context } = await openAs(school, 'class', scoring, { screen: 'phone' });
  const goTo = (path: string) => page.goto(`${school.origin}/admin${path}`);

  it('show ten templates and the custom points above the tab bar without scrolling', async () => {
    await cardOf(page, 1).tap();
    const sheet = page.getByRole('region', { name: t('give'), exact: true });
    const custom = sheet.getByRole('button', { name: t('custom') });
    await custom.waitFor();
    const bar = await page.getByRole('navigation', { name: shell('quickNavigation') }).boundingBox();
    const last = await custom.boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    const cut = `(() => {
      const scroller = document.querySelector('[data-gives]').closest('[class*="sheetScroll"]');
      return scroller.scrollHeight - scroller.clientHeight;
    })()`;
    expect(await page.evaluate(cut)).toBeLessThanOrEqual(0);
  });

  it('say that a tap made offline waits, until the connection is back', async () => {
    await context.setOffline(true);
    // The page ignores a tap right after the sheet opens.
    await page.getByRole('button', { name: /^Answered/ }).press('Enter');
    await page.getByText(t('offline', { count: 1 })).waitFor();
    await context.setOffline(false);
    await page.getByText(t('offline', { count: 1 })).waitFor({ state: 'detached' });
  });

  it('fade the edge of the seats until they are scrolled to the end', async () => {
    await page.getByText(t('viewSeats'), { exact: true }).tap();
    const maskAt = (left: string) =>
      page.evaluate(`new Promise((done) => {
        const room = document.querySelector('[class*="roomScroll"]');
        room.scrollLeft = ${left};
        requestAnimationFrame(() => requestAnimationFrame(() => done(getComputedStyle(room).maskSize)));
      })`);
    await page.locator('[class*="roomScroll"]').waitFor();
    expect(await maskAt('0')).toBe('100% 100%');
    expect(await maskAt('room.scrollWidth')).toBe('calc(100% + 48px) 100%');
  });

  it('have touch targets of at least 44 pixels, and checkboxes of 24', async () => {
    await goTo('/students');
    const menu = await page.getByRole('button', { name: shell('openMenu') }).boundingBox();
    expect(Math.min(menu?.width ?? 0, menu?.height ?? 0)).toBeGreaterThanOrEqual(44);
    const tick = page.getByRole('checkbox', { name: list('selectRowNamed', { name: 'Student 1' }) }).first();
    expect((await tick.boundingBox())?.width).toBeGreaterThanOrEqual(24);
    await page.getByRole('link', { name: 'Student 1', exact: true }).click();
    const back = page.getByRole('main').getByRole('link').first();
    await page.getByRole('heading', { level: 1, name: 'Student 1' }).waitFor();
    expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  it('show messages above the tab bar', async () => {
    await goTo('/templates');
    await page
      .getByRole('button', { name: tp('addTemplate') })
      .first()
      .tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: tp('name') }).fill('On the phone');
    await dialog.getByRole('button', { name: c('add'), exact: true }).tap();
    await page.getByText(tp('added', { name: 'On the phone' })).waitFor();
    const message = await boxOf(page, '.mantine-Notification-root');
    const bar = await page.getByRole('navigation', { name: shell('quickNavigation') }).boundingBox();
    expect(message.y + message.height).toBeLessThanOrEqual(bar?.y ?? 0);
  });

  it('show the full text of every button of the full-screen timer', async () => {
    await goTo(projector);
    await page.getByRole('button', { name: timer('timer') }).tap();
    const panel = page.getByRole('region', { name: timer('timer') });
    await panel.getByRole('button', { name: timer('minutes', { count: 10 }) }).waitFor();
    const cut = await panel
      .getByRole('button')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
    expect(cut).toBe(0);
    await panel.getByRole('button', { name: timer('close') }).tap();
  });
});

describe('Scoring page and projector on a desktop', async () => {
  const { page } = await openAs(school, 'class', scoring);

  it('show templates as active only after a student is selected', async () => {
    const template = page
      .getByRole('region', { name: t('give'), exact: true })
      .getByRole('button', { name: /^Answered/ });
    await template.waitFor();
    const paper = () => template.evaluate((button) => getComputedStyle(button).backgroundColor);
    const idle = await paper();
    await cardOf(page, 1).click();
    await expect.poll(paper).not.toBe(idle);
  });

  it('shrink an open timer on a reload of the projector, but open a new one in full size', async () => {
    await page.goto(`${school.origin}/admin${projector}`);
    const panel = page.getByRole('region', { name: timer('timer') });
    await page.getByRole('button', { name: timer('timer') }).click();
    await panel.getByRole('button', { name: timer('small') }).waitFor();
    await page.reload();
    await panel.getByRole('button', { name: timer('large') }).waitFor();
    await panel.getByRole('button', { name: timer('close') }).click();
    await page.getByRole('button', { name: timer('timer') }).click();
    await panel.getByRole('button', { name: timer('small') }).waitFor();
  });
});
