import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../server/test/test-app.ts';
import { texts as schoolTexts } from '../../web/src/admin/installation/school-texts.ts';
import { texts as dashboardTexts } from '../../web/src/admin/reports/dashboard/texts.ts';
import { texts } from '../../web/src/admin/shell/texts.ts';
import { screens } from './harness/browser.ts';
import { openAs, signInAs, startServedSchool } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const say = speaker('en');
const t = say(texts);
const [o, d] = [say(schoolTexts), say(dashboardTexts)];

const menuOf = (page: Page) => page.getByRole('navigation', { name: t('navigation') }).first();
const namesOf = (menu: Locator) => menu.getByRole('link').allInnerTexts();

describe('An installation without a school', async () => {
  const app = await startTestApp();
  const origin = await app.listen();
  const { page } = await openAs({ origin }, 'super', '');
  const create = page.getByRole('main').getByRole('link', { name: t('createSchool') });
  const dialog = page.getByRole('dialog', { name: o('createSchool') });

  it('offers to create a school and shows only three menu entries, on desktop and phone', async () => {
    for (const screen of ['desktop', 'phone'] as const) {
      await page.setViewportSize(screens[screen]);
      await page.getByRole('heading', { level: 1, name: d('noSchools') }).waitFor();
      const few = [t('dashboard'), t('schools'), t('security')];
      await expect.poll(() => namesOf(page.getByRole('navigation'))).toEqual(few);
    }
    await create.click();
    await dialog.waitFor();
  });

  it('offers to create a school on pages that need one, and opens the dialog only once', async () => {
    await page.setViewportSize(screens.desktop);
    await page.goto(`${origin}/admin/students`);
    await create.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: o('title') }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe('The menu', async () => {
  const school = await startServedSchool();
  const rare = ['administrators', 'apiTokens', 'auditLog', 'activity'] as const;

  const { page, context } = await openAs(school, 'class', '/students');

  it('of a class teacher shows daily entries, and the rest under More by keyboard; a phone shows the open entry', async () => {
    const menu = menuOf(page);
    await menu.getByRole('link', { name: t('scoring') }).waitFor();
    const seen = menu.getByRole('link').filter({ visible: true });
    const daily = await seen.allInnerTexts();
    expect(daily).toHaveLength(10);
    for (const name of rare) expect(daily).not.toContain(t(name));
    await menu.getByRole('link', { name: t('terms') }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => seen.allInnerTexts()).toEqual([...daily, ...rare.map((name) => t(name))]);
    await menu.getByRole('link', { name: t('activity') }).click();
    await page.getByRole('heading', { level: 1, name: t('activity') }).waitFor();
    await expect.poll(() => menu.locator('[aria-current]').allInnerTexts()).toEqual([t('activity')]);
    await menu.getByRole('link', { name: t('students') }).click();
    await expect.poll(() => seen.allInnerTexts()).toEqual(daily);

    await page.setViewportSize(screens.phone);
    await page.goto(`${school.origin}/admin/audit-log`);
    await page.getByRole('button', { name: t('openMenu') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('auditLog') })
      .waitFor();
  });

  it('of a school administrator shows all entries without More', async () => {
    await signInAs({ context, origin: school.origin }, 'school');
    await page.setViewportSize(screens.desktop);
    await page.goto(`${school.origin}/admin`);
    await menuOf(page)
      .getByRole('link', { name: t('activity') })
      .waitFor();
    expect(await menuOf(page).getByText(t('more')).count()).toBe(0);
  });

  it('leaves a page about the installation only once', async () => {
    await signInAs({ context, origin: school.origin }, 'super');
    await page.goto(`${school.origin}/admin/schools`);
    await page.getByRole('heading', { level: 1, name: o('title') }).waitFor();
    // A page that is mounted again while the next one loads adds its heading again.
    await page.evaluate(`
      window.headings = [];
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        const titles = added.flatMap((node) => [...(node.querySelectorAll?.('h1') ?? [])]);
        window.headings.push(...titles.map(({ textContent }) => textContent));
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await menuOf(page)
      .getByRole('link', { name: t('applications') })
      .click();
    await page.getByRole('heading', { level: 1, name: t('applications') }).waitFor();
    expect(await page.evaluate('window.headings')).toEqual([t('applications')]);
  });
});
