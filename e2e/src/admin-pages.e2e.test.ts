import type { Route } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readRows } from '../../web/src/spreadsheets/read-rows.ts';
import { axeViolations } from './harness/axe-violations.ts';
import { downloadFile } from './harness/files.ts';
import { checkPrintout, navigateInApp, waitForFocusIn } from './harness/page-actions.ts';
import { openAdminPageAs, signInAs, startServedSchool } from './harness/served-school.ts';

const served = await startServedSchool();
const { app, admin, school, origin, classId } = served;
const { schoolDb } = school;

const utcMinute = () => Math.floor(Date.now() / 60_000) % 1_440;

async function addStudents(count: number, prefix: string): Promise<void> {
  const { pool } = app.database;
  await pool.query(
    `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
     SELECT $1, $2, $3 || lpad(n::text, 4, '0'), 'Pupil ' || n, 'x', now() FROM generate_series(1, $4) n`,
    [school.id, classId, prefix, count],
  );
  await pool.query('UPDATE class SET student_count = student_count + $2 WHERE id = $1', [classId, count]);
}

await addStudents(50, 'more');
const total = 12 + 50;

/** All tests share one page, because a new one would load the app again. */
const { page, context, complaints } = await openAdminPageAs(served, 'school', '/students?page=7', {
  colorScheme: 'dark',
});
const goToAdmin = (path: string) => navigateInApp(page, new URL(`${origin}/admin${path}`));
const dialog = page.getByRole('dialog');

beforeEach(async () => {
  await page.unrouteAll();
  await page.emulateMedia({ media: 'screen' });
  complaints.length = 0;
});

describe('A list', () => {
  it('shows its last page for a page number beyond the end', async () => {
    await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
    await page.getByRole('table').waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows each student on one line on a laptop', async () => {
    await page.setViewportSize({ width: 1366, height: 768 });
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    const lines = await rows
      .locator('td')
      .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(Math.max(...lines)).toBeLessThan(60);
    const wrapped = await rows
      .locator('time')
      .evaluateAll((all) => all.filter((day) => day.getClientRects().length > 1));
    expect(wrapped).toEqual([]);
  });

  it('prints all rows by the Print button and Ctrl+P; other ways of printing add a note about the missing rows', async () => {
    await page.getByText(`${total} students`).waitFor();
    const printedWhole = async (start: () => Promise<void>) =>
      checkPrintout(page, async (paper) => {
        await start();
        await expect.poll(() => paper.locator('tbody tr').count()).toBe(total);
        expect(await paper.locator('input, button').count()).toBe(0);
      });
    await printedWhole(() => page.getByRole('button', { name: 'Print' }).click());
    await printedWhole(() => page.keyboard.press('Control+p'));
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`This is only part of the list: 51–${total} of ${total}.`).waitFor();
    expect(await page.getByRole('main').locator('input:visible, button:visible').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('selects the rows of all pages at once, lets a person deselect rows, and enables actions after loading all ids', async () => {
    const boxes = page.getByRole('table').getByRole('checkbox');
    const bar = page.getByRole('region', { name: 'Actions for selected students' });
    await boxes.nth(1).check();
    // The request may arrive here after the answer is released.
    const answer = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === '/api/users' && !url.searchParams.has('page'),
      async (route: Route) => {
        await answer.promise;
        await route.continue();
      },
    );
    await bar.getByRole('button', { name: `Select all ${total}` }).click();
    await bar.getByText(`${total} selected`).waitFor();
    expect(await boxes.last().isChecked()).toBe(true);
    await boxes.nth(2).uncheck();
    await bar.getByText(`${total - 1} selected`).waitFor();
    expect(await bar.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    answer.resolve();
    await bar.getByRole('button', { name: 'Delete', disabled: false }).click();
    await page.getByRole('dialog', { name: `Delete ${total - 1} students?` }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps the search text in the address, so that Back restores the text', async () => {
    await goToAdmin('/administrators?q=teach');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Staff accounts' }).click();
    await page.getByText('3 accounts').waitFor();
    await expect.poll(() => search.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('1 account', { exact: true }).waitFor();
    await expect.poll(() => search.inputValue()).toBe('teach');
  });

  it('gives its page buttons a unique accessible name when the page shows a second list', async () => {
    const { pool } = app.database;
    await pool.query(
      `INSERT INTO class (school_id, grade_id, name, created_at)
       SELECT $1, $2, 'Class ' || n, now() FROM generate_series(1, 10) n`,
      [school.id, school.grades[0].id],
    );
    await goToAdmin('/statistics');
    await expect.poll(() => page.getByRole('main').getByRole('navigation').count()).toBe(2);
    expect(await axeViolations(page, { rules: ['landmark-unique'], bestPractice: true })).toEqual([]);
  });

  it('exports the students of all its pages to XLSX despite the Content-Security-Policy', async () => {
    await addStudents(1_000, 'many');
    await goToAdmin('/students');
    await page.getByText('1,062 students').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = await downloadFile(page, page.getByRole('menuitem', { name: /XLSX/ }));
    const file = Object.assign(new Blob([new Uint8Array(saved)]), { name: 'all.xlsx' });
    expect((await readRows(file)).rows).toHaveLength(1_063);
    expect(complaints).toEqual([]);
  });
});

describe('The menu of a row', () => {
  const button = page.getByRole('button', { name: /^Actions for/ }).first();
  const label = () => button.getAttribute('aria-label');

  /** Opens the first row's menu by keyboard. @returns a check that its button has the focus again */
  async function measureFirstLoads(): Promise<() => Promise<void>> {
    const name = await label();
    const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    // A menu that is fading out must not be mistaken for the new one.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await button.press('Enter');
    await waitForFocusIn(page, 'menu');
    return () => expect.poll(focused).toBe(name);
  }

  const act = async (entry: string) => {
    const hasFocus = await measureFirstLoads();
    await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter');
    return hasFocus;
  };

  // The focus returns only after the menu has faded out.
  beforeEach(() => page.emulateMedia({ reducedMotion: 'no-preference' }));
  afterAll(() => page.emulateMedia({ reducedMotion: 'reduce' }));

  it.each([
    ['/students?q=s1a1', 'Actions for s1a1', 'Edit'],
    ['/structure', 'Actions for Grade 1', 'Rename'],
  ])(
    'of %s returns the focus to its button when the menu closes, and when a dialog opened from the menu closes',
    async (path, first, entry) => {
      await goToAdmin(path);
      await expect.poll(label).toBe(first);
      const closed = await measureFirstLoads();
      await page.keyboard.press('Escape');
      await closed();
      const hasFocus = await act(entry);
      await waitForFocusIn(page, 'dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).press('Escape');
      await hasFocus();
      await dialog.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  it('returns the focus to its button after two dialogs in a row, and after an action that reloads the row', async () => {
    await goToAdmin('/students?q=s1a1');
    await expect.poll(label).toBe('Actions for s1a1');
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
  });
});

describe('The editor of announcements', () => {
  it('keeps a draft on Escape and publishes pasted HTML without scripts, images or event handlers', async () => {
    await signInAs({ context, origin }, 'super');
    await page.goto(`${origin}/admin/announcements`);
    await page.getByRole('button', { name: 'New announcement' }).first().click();
    await waitForFocusIn(page, 'dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('New term');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    const editor = dialog.getByRole('textbox', { name: 'Text' });
    await editor.click();
    // A list always starts at 1: the server would drop another number.
    await page.keyboard.type('3. Points start again.');
    await page.keyboard.press('Control+a');
    await dialog.getByRole('button', { name: 'Bold' }).click();
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    const linkBox = page.getByRole('textbox', { name: 'Address' });
    await linkBox.fill('example.org');
    await page.keyboard.press('Escape');
    await linkBox.waitFor({ state: 'detached' });
    await expect.poll(() => question.count()).toBe(0);
    await dialog.getByText('HTML', { exact: true }).click();
    const written = await editor.inputValue();
    expect(written).toBe('<ol><li><p><strong>Points start again.</strong></p></li></ol>');
    const pasted =
      '<script>hacked=1</script><img src=x onerror="hacked=1"><p onclick="hacked=1">On Monday.</p>';
    await editor.fill(written + pasted);
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('On Monday.').waitFor();
    await expect.poll(() => preview.locator('script, img, [onclick]').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The announcement is on the home page.').waitFor();

    await page.goto(origin);
    const article = page.getByRole('article').filter({ hasText: 'New term' });
    await article.getByText('On Monday.').click();
    await expect.poll(() => article.locator('strong').textContent()).toBe('Points start again.');
    await expect.poll(() => article.locator('script, img, [onclick], [onerror]').count()).toBe(0);
    expect(await page.evaluate('typeof hacked')).toBe('undefined');
    expect(complaints).toEqual([]);
  });
});

describe('The form for a new credential', () => {
  it('says that the administrator’s responsibilities have changed, not that the password is wrong', async () => {
    await signInAs({ context, origin }, 'grade');
    await page.goto(`${origin}/admin/api-tokens`);
    await page.getByRole('button', { name: 'New credential' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Campus card');
    await dialog.getByRole('button', { name: 'Read only' }).click();
    const heads = await admin.get(`/admin/list?schoolDb=${schoolDb}&search=head`);
    const [{ id }] = heads.data as [{ id: number }];
    const gradeId = school.grades[1].id;
    await admin.patch(`/admin/manage/${id}`, { role: 'grade_admin', schoolId: school.id, gradeId });
    await dialog.getByLabel('Your password').fill('password of the grade');
    await dialog.getByRole('button', { name: 'Issue credential' }).click();
    await dialog.getByText(/Your responsibilities have changed/).waitFor();
    expect(await dialog.getByText(/password is wrong/).count()).toBe(0);
  });
});

describe('The current day', () => {
  it("follows the server's clock and the school's time zone instead of the device", async () => {
    const before = app.clock.now().toISOString();
    // The server uses this machine's clock.
    app.clock.set(new Date().toISOString());
    const office = await app.signIn();
    // In this zone the day differs from UTC and is at least half an hour from midnight.
    const timeZone = utcMinute() < 10.5 * 60 ? 'Pacific/Niue' : 'Pacific/Kiritimati';
    await office.patch('/school-settings', { schoolDb, timeZone });
    const userId = school.grades[0].classes[0].students[0]?.id;
    await office.created('/scores/add', { schoolDb, userId, scoreChange: 1, description: 'Of today' });
    await signInAs({ context, origin }, 'school');
    await page.clock.install({ time: Date.now() + 3 * 86_400_000 });
    await page.goto(`${origin}/admin/records?period=today`);
    await page.getByRole('cell', { name: 'Of today' }).waitFor();
    await page.getByText(`time zone (${timeZone},`).waitFor();
    expect(complaints).toEqual([]);
    await office.patch('/school-settings', { schoolDb, timeZone: 'UTC' });
    app.clock.set(before);
  });
});
