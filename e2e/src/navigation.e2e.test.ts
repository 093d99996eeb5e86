import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../server/test/test-app.ts';
import { texts as schoolTexts } from '../../web/src/admin/installation/school-texts.ts';
import { texts as dashboardTexts } from '../../web/src/admin/reports/dashboard/texts.ts';
import { texts } from '../../web/src/admin/shell/texts.ts';
import { texts as sharedTexts } from '../../web/src/components/texts.ts';
import { texts as recordsTexts } from '../../web/src/student/records/texts.ts';
import { texts as studentTexts } from '../../web/src/student/texts.ts';
import { openWatchedPage, screens } from './harness/browser.ts';
import { navigateInApp } from './harness/page-actions.ts';
import { openAdminPageAs, people, signInAs, startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const say = translatorFor('en');
const t = say(texts);
const [o, d, shared] = [say(schoolTexts), say(dashboardTexts), say(sharedTexts)];

/** Simulates an upgrade: a part of the build is missing until the page asks for newer HTML. */
async function upgrade(page: Page, part: RegExp): Promise<void> {
  let isGone = true;
  await page.route(part, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await page.route(
    ({ pathname }) => /^\/(?:student|admin)/.test(pathname),
    (route) => {
      if (route.request().resourceType() !== 'fetch') return route.continue();
      isGone = false;
      return route.fulfill({ contentType: 'text/html', body: '<script src="/assets/newer.js"></script>' });
    },
  );
}

const menuOf = (page: Page) => page.getByRole('navigation', { name: t('navigation') }).first();

describe('An installation without a school', async () => {
  const app = await startTestApp();
  const origin = await app.listen();

  it('shows only three menu entries and a link for creating a school, whose dialog does not open again on reload', async () => {
    const { page } = await openAdminPageAs({ origin }, 'super', '');
    const create = page.getByRole('main').getByRole('link', { name: t('createSchool') });
    const dialog = page.getByRole('dialog', { name: o('createSchool') });
    for (const screen of ['phone', 'desktop'] as const) {
      await page.setViewportSize(screens[screen]);
      await page.getByRole('heading', { level: 1, name: d('noSchools') }).waitFor();
      await expect
        .poll(() => page.getByRole('navigation').getByRole('link').allInnerTexts())
        .toEqual([t('dashboard'), t('schools'), t('security')]);
    }
    await create.waitFor();
    // So does a page that needs a school.
    await navigateInApp(page, new URL(`${origin}/admin/students`));
    await create.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: o('title') }).waitFor();
    expect(await dialog.count()).toBe(0);
  });
});

describe('With a school', async () => {
  const school = await startServedSchool();
  const [classA, classB] = school.school.grades[0].classes;
  const nameOf = ({ students }: typeof classA | typeof classB) => students[0]?.username ?? '';
  const classIn = (page: Page) => Number(new URL(page.url()).searchParams.get('class'));

  /** All tests share this page, first as the head of a grade. */
  const { page, context, complaints } = await openAdminPageAs(school, 'grade', `/scoring?class=${classB.id}`);
  const goOn = (path: string) => navigateInApp(page, new URL(`${school.origin}/admin${path}`));
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Class' }).click();
    await page.getByRole('option', { name, exact: true }).first().click();
  };

  it('the address contains the class: links open it, and back and forward switch between classes', async () => {
    const shown = async (one: typeof classA | typeof classB) => {
      await page.getByText(nameOf(one)).first().waitFor();
      await expect.poll(() => classIn(page)).toBe(one.id);
    };
    await shown(classB);
    await choose('Class A');
    await shown(classA);
    await page.goBack();
    await shown(classB);
    await page.goForward();
    await shown(classA);
    // A link without a class opens the last class and adds it to the address.
    await page.getByRole('link', { name: 'Seating plan', exact: true }).click();
    await expect.poll(() => page.url()).toMatch(new RegExp(`/seats\\?.*class=${classA.id}`));
    expect(complaints).toEqual([]);
  });

  it('an unknown or foreign class shows a message and lets the person choose another class', async () => {
    const foreign = school.school.grades[1].classes[0].id;
    for (const path of ['/projector', '/scoring']) {
      await goOn(`${path}?class=${foreign}`);
      await page.getByText('Class not found').waitFor();
      await page.getByRole('combobox', { name: 'Class' }).waitFor();
    }
    await choose('Class B');
    await page.getByText(nameOf(classB)).first().waitFor();
    for (const [path, id] of [
      ['/records', foreign],
      ['/students', 99999],
    ] as const) {
      await goOn(`${path}?class=${id}`);
      await page.getByText('This filter no longer applies').waitFor();
      expect(classIn(page)).toBe(id);
      expect(await page.getByRole('table').count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByText(nameOf(classB)).first().waitFor();
  });

  it('the menu of a class teacher keeps rare entries under More; a phone shows the open entry', async () => {
    const rare = [t('administrators'), t('apiTokens'), t('auditLog'), t('activity')];
    await signInAs({ context, origin: school.origin }, 'class');
    await page.goto(`${school.origin}/admin/students`);
    const menu = menuOf(page);
    await menu.getByRole('link', { name: t('scoring') }).waitFor();
    const seen = menu.getByRole('link').filter({ visible: true });
    const daily = await seen.allInnerTexts();
    expect(daily).toHaveLength(10);
    for (const name of rare) expect(daily).not.toContain(name);
    await menu.getByRole('link', { name: t('terms') }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => seen.allInnerTexts()).toEqual([...daily, ...rare]);
    await menu.getByRole('link', { name: t('activity') }).click();
    await page.getByRole('heading', { level: 1, name: t('activity') }).waitFor();
    await expect.poll(() => menu.locator('[aria-current]').allInnerTexts()).toEqual([t('activity')]);
    await menu.getByRole('link', { name: t('students') }).click();
    await expect.poll(() => seen.allInnerTexts()).toEqual(daily);

    await page.setViewportSize(screens.phone);
    await goOn('/audit-log');
    await page.getByRole('button', { name: t('openMenu') }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('auditLog') })
      .waitFor();
  });

  it('the menu of a school administrator has no More, also at an unknown address, which links to the start page', async () => {
    await signInAs({ context, origin: school.origin }, 'school');
    await page.setViewportSize(screens.desktop);
    await page.goto(`${school.origin}/admin/nonsense/x`);
    await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor();
    await menuOf(page)
      .getByRole('link', { name: t('activity') })
      .waitFor();
    expect(await menuOf(page).getByText(t('more')).count()).toBe(0);
  });

  it('a page about the installation is not drawn again while the next page loads', async () => {
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

  it('in a tab opened before a server upgrade, an administrator keeps the open page and is offered a reload', async () => {
    await upgrade(page, /ScoringPage/);
    await menuOf(page)
      .getByRole('link', { name: t('scoring') })
      .hover();
    const alert = page.getByRole('alert').filter({ hasText: shared('outdated') });
    await alert.waitFor();
    expect(await page.getByRole('heading', { level: 1, name: t('applications') }).isVisible()).toBe(true);
    await page.getByRole('button', { name: shared('reload') }).click();
    await alert.waitFor({ state: 'detached' });
    await page.unrouteAll();
  });

  it('an unknown address shows visitors and students "Page not found" and a way home', async () => {
    await page.goto(`${school.origin}/nonsense`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    const home = page.getByRole('link', { name: 'Go to the home page' });
    expect(await home.getAttribute('href')).toBe('/');
    const { token } = await school.app.signInStudent(school.school.schoolDb, nameOf(classA));
    await page.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
    await page.goto(`${school.origin}/student/xyz`);
    await page.getByText('Page not found').waitFor();
    await page.getByRole('button', { name: 'Go to home' }).click();
    await page.waitForURL(`${school.origin}/student`);
  });

  it('a tab opened before a server upgrade loads the new student app when the file of a page is missing', async () => {
    await upgrade(page, /RecordsPage/);
    await page.goto(`${school.origin}/student`);
    await page.getByRole('link', { name: say(studentTexts)('records'), exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say(recordsTexts)('title') }).waitFor();
    expect(await page.getByText(shared('brokenTitle')).count()).toBe(0);
  });

  it('sign-in leads to the requested address, and the scripts of that page load while the password is typed', async () => {
    const look = { screen: 'phone', colorScheme: 'light', reducedMotion: true } as const;
    const { page, complaints } = await openWatchedPage(school.origin, look);
    await page.goto(`${school.origin}/admin/scoring?class=${classB.id}`);
    await page.getByRole('textbox', { name: 'Username' }).fill(people.school.username);
    const fetched = () =>
      page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()');
    await expect.poll(fetched).toMatch(/\/SignedInApp-.*\/signed-in-/);
    await page.getByLabel('Password', { exact: true }).fill(people.school.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(nameOf(classB)).first().waitFor();
    expect(classIn(page)).toBe(classB.id);
    expect(complaints).toEqual([]);
  });
});
