import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SampleClass } from '../../server/test/test-app.ts';
import { readRows } from '../../web/src/spreadsheets/read-rows.ts';
import { screens } from './harness/browser.ts';
import { downloadFile } from './harness/files.ts';
import { checkPrintout, chooseOption, holdRequests, waitForFocusIn } from './harness/page-actions.ts';
import { openAdminPageAs, signInAs, startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const say = translatorFor('en');
const { shell: t, schools: o, components: shared } = say;
const { app, school, origin, classId } = await startServedSchool();
const { schoolDb } = school;
const [classA, classB] = school.grades[0].classes;

/** All tests share this page, first as the head of a grade, because a new one would load the app again. */
const start = `/scoring?class=${classB.id}`;
const { page, context, complaints, goOn } = await openAdminPageAs({ origin }, 'grade', start, {
  colorScheme: 'dark',
});
const dialog = page.getByRole('dialog');

beforeEach(async () => {
  await page.unrouteAll();
  await page.emulateMedia({ media: 'screen' });
  complaints.length = 0;
});

describe('Navigation', () => {
  const menu = page.getByRole('navigation', { name: t('navigation') }).first();
  const nameOf = ({ students }: SampleClass) => students[0].username;
  const classIn = () => Number(new URL(page.url()).searchParams.get('class'));
  const choose = (name: string) => chooseOption(page, 'Class', name);

  it('the address contains the class: links open it, and back and forward switch between classes', async () => {
    const shown = async (one: SampleClass) => {
      await page.getByText(nameOf(one)).first().waitFor();
      await expect.poll(classIn).toBe(one.id);
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
    const foreign = school.grades[1].classes[0].id;
    await goOn(`/scoring?class=${foreign}`);
    await page.getByText('Class not found').waitFor();
    await choose('Class B');
    await page.getByText(nameOf(classB)).first().waitFor();
    await goOn(`/students?class=${foreign}`);
    await page.getByText('This filter no longer applies').waitFor();
    expect(classIn()).toBe(foreign);
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByText(nameOf(classB)).first().waitFor();
  });

  it('the menu of a class teacher keeps rare entries under More; a phone shows the open entry', async () => {
    const rare = [t('administrators'), t('apiTokens'), t('auditLog'), t('activity')];
    await signInAs({ context, origin }, 'class');
    await page.goto(`${origin}/admin/students`);
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
    await dialog.getByRole('link', { name: t('auditLog') }).waitFor();
  });

  it('staff find the way from an unknown address; the menu of super administrators has no More', async () => {
    await signInAs({ context, origin }, 'super');
    await page.setViewportSize(screens.desktop);
    await page.goto(`${origin}/admin/nonsense/x`);
    await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor();
    const toSchools = menu.getByRole('link', { name: t('schools') });
    await toSchools.waitFor();
    expect(await menu.getByText(t('more')).count()).toBe(0);
    await toSchools.click();
    await page.getByRole('heading', { level: 1, name: o('title') }).waitFor();
    // A page that is drawn again while the next one loads adds its heading again.
    await page.evaluate(`
      window.headings = [];
      new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        const titles = added.flatMap((node) => [...(node.querySelectorAll?.('h1') ?? [])]);
        window.headings.push(...titles.map(({ textContent }) => textContent));
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await menu.getByRole('link', { name: t('applications') }).click();
    await page.getByRole('heading', { level: 1, name: t('applications') }).waitFor();
    expect(await page.evaluate('window.headings')).toEqual([t('applications')]);
  });

  it('in a tab opened before a server upgrade, an administrator keeps the open page and is offered a reload', async () => {
    await upgrade(/ScoringPage/);
    await menu.getByRole('link', { name: t('scoring') }).hover();
    const alert = page.getByRole('alert').filter({ hasText: shared('outdated') });
    await alert.waitFor();
    expect(await page.getByRole('heading', { level: 1, name: t('applications') }).isVisible()).toBe(true);
    await page.getByRole('button', { name: shared('reload') }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('visitors and students find the way from an unknown address, and students get the app of a newer server', async () => {
    await page.goto(`${origin}/nonsense`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    const home = page.getByRole('link', { name: 'Go to the home page' });
    expect(await home.getAttribute('href')).toBe('/');
    const { token } = await app.signInStudent(schoolDb, nameOf(classA));
    await page.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
    await upgrade(/RecordsPage/);
    await page.goto(`${origin}/student/xyz`);
    await page.getByText('Page not found').waitFor();
    await page.getByRole('button', { name: 'Go to home' }).click();
    await page.waitForURL(`${origin}/student`);
    await page.getByRole('link', { name: say.studentApp('records'), exact: true }).click();
    await page.getByRole('heading', { level: 1, name: say.ownRecords('title') }).waitFor();
    expect(await page.getByText(shared('brokenTitle')).count()).toBe(0);
  });
});

describe('A list', () => {
  // More than one page.
  const total = 12 + 50;

  beforeAll(async () => {
    const { pool } = app.database;
    await pool.query(
      `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
       SELECT $1, $2, 'more' || lpad(n::text, 2, '0'), 'Pupil ' || n, 'x', now() FROM generate_series(1, 50) n`,
      [school.id, classId],
    );
    await pool.query('UPDATE class SET student_count = student_count + 50 WHERE id = $1', [classId]);
    await page.unrouteAll();
    await signInAs({ context, origin }, 'school');
    await page.goto(`${origin}/admin/students?page=7`);
  });

  it('shows its last page for a page number beyond the end, each student on one line of a laptop', async () => {
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.setViewportSize({ width: 1366, height: 768 });
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    const heights = await rows.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(60);
    const lines = rows.locator('time').evaluateAll((all) => all.map((one) => one.getClientRects().length));
    expect(Math.max(...(await lines))).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('prints all rows by Ctrl+P; other ways of printing add a note about the missing rows', async () => {
    await page.getByText(`${total} students`).waitFor();
    await checkPrintout(page, async (paper) => {
      await page.keyboard.press('Control+p');
      await expect.poll(() => paper.locator('tbody tr').count()).toBe(total);
      expect(await paper.locator('input, button').count()).toBe(0);
    });
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`This is only part of the list: 51–${total} of ${total}.`).waitFor();
    expect(await page.getByRole('main').locator('input:visible, button:visible').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('selects the rows of all pages at once, lets a person deselect rows, and enables actions after loading all ids', async () => {
    const boxes = page.getByRole('table').getByRole('checkbox');
    const bar = page.getByRole('region', { name: 'Actions for selected students' });
    await boxes.nth(1).check();
    const isOfAllPages = (url: URL) => url.pathname === '/api/users' && !url.searchParams.has('page');
    const releaseIds = await holdRequests(page, isOfAllPages);
    await bar.getByRole('button', { name: `Select all ${total}` }).click();
    await bar.getByText(`${total} selected`).waitFor();
    expect(await boxes.last().isChecked()).toBe(true);
    await boxes.nth(2).uncheck();
    await bar.getByText(`${total - 1} selected`).waitFor();
    expect(await bar.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    releaseIds();
    await bar.getByRole('button', { name: 'Delete', disabled: false }).click();
    await page.getByRole('dialog', { name: `Delete ${total - 1} students?` }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps the search text in the address, so that Back restores the text', async () => {
    await goOn('/administrators?q=teach');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Staff accounts' }).click();
    await page.getByText('3 accounts').waitFor();
    await expect.poll(() => search.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('1 account', { exact: true }).waitFor();
    await expect.poll(() => search.inputValue()).toBe('teach');
  });

  it('exports the students of all its pages to XLSX despite the Content-Security-Policy', async () => {
    await goOn('/students');
    await page.getByText(`${total} students`).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = await downloadFile(page, page.getByRole('menuitem', { name: /XLSX/ }));
    const file = Object.assign(new Blob([new Uint8Array(saved)]), { name: 'all.xlsx' });
    expect((await readRows(file)).rows).toHaveLength(1 + total);
    expect(complaints).toEqual([]);
  });
});

it('the menu of a row returns the focus to its button when it closes, after dialogs, and after a reload of the row', async () => {
  // The focus returns only after the menu has faded out.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const button = page.getByRole('button', { name: /^Actions for/ }).first();
  const label = () => button.getAttribute('aria-label');

  /** Opens the first row's menu by keyboard. @returns a check that its button has the focus again */
  async function openMenu(): Promise<() => Promise<void>> {
    const name = await label();
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    // A menu that is fading out must not be mistaken for the new one.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.press('Enter');
    await waitForFocusIn(page, 'menu');
    return () => expect.poll(focused).toBe(name);
  }

  const act = async (entry: string) => {
    const hasFocus = await openMenu();
    await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter');
    return hasFocus;
  };

  await goOn('/students?q=s1a1');
  await expect.poll(label).toBe('Actions for s1a1');
  const closed = await openMenu();
  await page.keyboard.press('Escape');
  await closed();
  const edited = await act('Edit');
  await waitForFocusIn(page, 'dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).press('Escape');
  await edited();
  await dialog.waitFor({ state: 'detached' });
  // A dialog that has just opened moves the focus to its first control, which would get the key instead.
  const confirm = async (name: string) => {
    const confirming = dialog.getByRole('button', { name });
    const hasFocus = () =>
      confirming.evaluate((it) => it.closest('[role="dialog"]')?.matches(':focus-within'));
    await expect.poll(hasFocus).toBe(true);
    await confirming.press('Enter');
  };
  const passwordReset = await act('Reset password');
  await confirm('Reset password');
  await confirm('Done');
  // While it fades out, a dialog may still move the focus, which would close the next menu.
  const dialogsGone = () => expect.poll(() => dialog.count()).toBe(0);
  await dialogsGone();
  await passwordReset();

  const disabled = page.getByRole('row').nth(1).getByText('Disabled');
  const isDisabled = await act('Disable');
  await confirm('Disable');
  await disabled.waitFor();
  await dialogsGone();
  await isDisabled();
  const isEnabled = await act('Enable');
  await disabled.waitFor({ state: 'detached' });
  await isEnabled();
  expect(complaints).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

it("the current day follows the server's clock and the school's time zone instead of the device", async () => {
  // The server uses this machine's clock.
  app.clock.set(new Date().toISOString());
  const office = await app.signIn();
  const utcMinute = Math.floor(Date.now() / 60_000) % 1_440;
  // In this zone the day differs from UTC and is at least half an hour from midnight.
  const timeZone = utcMinute < 10.5 * 60 ? 'Pacific/Niue' : 'Pacific/Kiritimati';
  await office.patch('/school-settings', { schoolDb, timeZone });
  const userId = school.grades[0].classes[0].students[0].id;
  await office.created('/scores/add', { schoolDb, userId, scoreChange: 1, description: 'Of today' });
  await signInAs({ context, origin }, 'school');
  await page.clock.install({ time: Date.now() + 3 * 86_400_000 });
  await page.goto(`${origin}/admin/records?period=today`);
  await page.getByRole('cell', { name: 'Of today' }).waitFor();
  await page.getByText(`time zone (${timeZone},`).waitFor();
  expect(complaints).toEqual([]);
});

/** Simulates an upgrade: a part of the build is missing until the page asks for newer HTML. */
async function upgrade(part: RegExp): Promise<void> {
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
