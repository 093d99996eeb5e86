import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../server/test/test-app.ts';
import { screens } from './harness/browser.ts';
import { openAdminPageAs } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const app = await startTestApp();
const origin = await app.listen();
const { classroom, common: c, shell: h, schools: o, structure } = translatorFor('en');

/** The tests share this page and build on each other. */
const { page, context, goOn } = await openAdminPageAs({ origin }, 'super', '');
const dialog = page.getByRole('dialog', { name: o('createSchool') });

describe('A new installation', () => {
  it('shows only three menu entries and a button that creates a school', async () => {
    for (const screen of ['phone', 'desktop'] as const) {
      await page.setViewportSize(screens[screen]);
      await page.getByRole('heading', { level: 1, name: o('emptyTitle') }).waitFor();
      await expect
        .poll(() => page.getByRole('navigation').getByRole('link').allInnerTexts())
        .toEqual([h('dashboard'), h('schools'), h('security')]);
    }
    const create = page.getByRole('main').getByRole('button', { name: o('createSchool') });
    await create.waitFor();
    // So does a page that needs a school.
    await goOn('/students');
    await create.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('links from the projector to the missing classes', async () => {
    await (await app.signIn()).created('/schools', { name: 'Green Hill' });
    await page.goto(`${origin}/admin/projector`);
    await page.getByRole('heading', { name: classroom('noClassesTitle') }).waitFor();
    expect(await page.getByRole('combobox').count()).toBe(0);
    await page.getByRole('link', { name: classroom('toStructure') }).click();
    await page.getByRole('heading', { level: 1, name: structure('title') }).waitFor();
  });
});

it('Back closes an open dialog first, and leaves the page the second time', async () => {
  // A fresh load, because the app counts the pages of its own navigation.
  await page.goto(`${origin}/admin/applications`);
  await page.getByRole('link', { name: h('schools'), exact: true }).click();
  const create = page.getByRole('button', { name: o('createSchool') });
  await create.first().click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/schools');
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/applications');
});

it("A new school gets the browser's time zone, or the server's default if the field is cleared", async () => {
  const browser = await context.newCDPSession(page);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Shanghai' });
  await goOn('/schools');
  const zone = dialog.getByRole('combobox', { name: o('timeZone') });
  const add = async (name: string, { cleared }: { cleared: boolean }) => {
    await page.getByRole('button', { name: o('createSchool') }).click();
    await expect.poll(() => zone.inputValue()).toMatch(/^Asia\/Shanghai/);
    if (cleared) {
      await zone.fill('');
      await page.keyboard.press('Escape');
      await dialog.locator('.mantine-Select-section button').click();
      await expect.poll(() => zone.getAttribute('placeholder')).toBe(o('timeZoneUsual', { zone: 'UTC' }));
    }
    await dialog.getByRole('textbox', { name: o('nameLabel') }).fill(name);
    await dialog.getByRole('button', { name: c('create'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await add('Lake School', { cleared: false });
  await add('Island School', { cleared: true });
  const schools = await (await app.signIn()).read<{ name: string; timeZone: string }[]>('/schools');
  const zoneOf = (name: string) => schools.find((school) => school.name === name)?.timeZone;
  expect([zoneOf('Lake School'), zoneOf('Island School')]).toEqual(['Asia/Shanghai', 'UTC']);
  await page.getByText(o('created', { name: 'Island School' })).waitFor();
  await page.getByRole('button', { name: o('openNamed', { name: 'Island School' }) }).click();
  await page.getByText(o('created', { name: 'Island School' })).waitFor({ state: 'detached' });
});
