import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../server/test/test-app.ts';
import { texts as schoolTexts } from '../../web/src/admin/installation/school-texts.ts';
import { texts as dashboardTexts } from '../../web/src/admin/reports/dashboard/texts.ts';
import { texts } from '../../web/src/admin/shell/texts.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const say = speaker('en');
const t = say(texts);
const [o, d] = [say(schoolTexts), say(dashboardTexts)];

const menuOf = (page: Page) => page.getByRole('navigation', { name: t('navigation') }).first();
const namesOf = (menu: Locator) => menu.getByRole('link').allInnerTexts();

describe('an installation without a school', async () => {
  const app = await startTestApp();
  const origin = await app.listen();

  it.each(['desktop', 'phone'] as const)('offers to create one, and little else, on a %s', async (screen) => {
    const { page } = await openAs({ origin }, 'super', '', { screen });
    await page.getByRole('heading', { level: 1, name: d('noSchools') }).waitFor();
    expect(await namesOf(page.getByRole('navigation'))).toEqual([
      t('dashboard'),
      t('schools'),
      t('security'),
    ]);
    await page
      .getByRole('main')
      .getByRole('link', { name: t('createSchool') })
      .click();
    await page.getByRole('dialog', { name: o('createSchool') }).waitFor();
  });

  it('says where a school is needed that there is none, and opens the same dialog', async () => {
    const { page } = await openAs({ origin }, 'super', '/students');
    await page
      .getByRole('main')
      .getByRole('link', { name: t('createSchool') })
      .click();
    const dialog = page.getByRole('dialog', { name: o('createSchool') });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: o('title') }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe('the menu of a class teacher', async () => {
  const school = await startServedSchool();
  const rare = ['administrators', 'apiTokens', 'auditLog', 'activity'] as const;

  it('shows what is used daily, and the rest under More, with the keyboard too', async () => {
    const { page } = await openAs(school, 'class', '/students');
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
  });

  it('shows the page that is open, on a phone too', async () => {
    const { page } = await openAs(school, 'class', '/audit-log', { screen: 'phone' });
    await page.getByRole('button', { name: t('openMenu') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('auditLog') })
      .waitFor();
  });

  it('has all entries at hand for a school admin', async () => {
    const { page } = await openAs(school, 'school', '');
    await menuOf(page)
      .getByRole('link', { name: t('activity') })
      .waitFor();
    expect(await menuOf(page).getByText(t('more')).count()).toBe(0);
  });
});
