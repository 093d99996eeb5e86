import type { Route } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { createSampleSchool } from '../../server/test/test-app.ts';
import { barriers } from './harness/barriers.ts';
import { printed } from './harness/printed.ts';
import { openAs, signInAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

const utcMinute = () => Math.floor(Date.now() / 60_000) % 1_440;

const more = Array.from({ length: 50 }, (_, n) => ({ username: `more-${n}`, actualName: `More ${n}` }));
await school.admin.created('/users', {
  schoolDb: school.school.schoolDb,
  classId: school.classId,
  students: more,
  defaultPassword: 'password of students',
});
const total = 12 + more.length;
for (let n = 1; n <= 21; n += 1) {
  const body = { title: `News ${n}`, content: '<p>Read.</p>', type: 'info', active: false };
  await school.admin.created('/announcements', body);
}

/** All tests share one page, because a new one would load the app again. */
const { page, context, complaints } = await openAs(school, 'school', '/records?page=7', {
  colorScheme: 'dark',
});

const pageIn = () => new URL(page.url()).searchParams.get('page');

afterEach(async () => {
  await page.unrouteAll();
  expect(complaints).toEqual([]);
});

describe('A list', () => {
  it('shows its last page for a page number beyond the end', async () => {
    const lastPages = { '/records': null, '/statistics': '4', '/students': '2' };
    for (const [path, last] of Object.entries(lastPages)) {
      if (path !== '/records') await page.goto(`${school.origin}/admin${path}?page=7`);
      await expect.poll(() => pageIn(), { message: path }).toBe(last);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    }
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

  it('prints all rows by button and by Ctrl+P, and otherwise prints a note that it is partial', async () => {
    await page.getByText(`${total} students`).waitFor();
    const whole = async (start: () => Promise<void>) =>
      printed(page, async (paper) => {
        await start();
        await expect.poll(() => paper.locator('tbody tr').count()).toBe(total);
        expect(await paper.locator('input, button').count()).toBe(0);
      });
    await whole(() => page.getByRole('button', { name: 'Print' }).click());
    await whole(() => page.keyboard.press('Control+p'));
    await page.emulateMedia({ media: 'print' });
    await page.getByText(`This is only part of the list: 51–${total} of ${total}.`).waitFor();
    expect(await page.getByRole('main').locator('input:visible, button:visible').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('selects all rows at once, accepts exceptions, and acts only after all ids are loaded', async () => {
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
  });

  it('keeps its search in the address, also for Back', async () => {
    await page.goto(`${school.origin}/admin/administrators?q=teach`);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await page.getByText('1 account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Staff accounts' }).click();
    await page.getByText('3 accounts').waitFor();
    await expect.poll(() => search.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('1 account', { exact: true }).waitFor();
    await expect.poll(() => search.inputValue()).toBe('teach');
  });

  it('returns to the first page when the only row of the second is deleted', async () => {
    await signInAs({ context, origin: school.origin }, 'super');
    await page.goto(`${school.origin}/admin/announcements?page=2`);
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Actions for News 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('News 21').waitFor();
    expect(pageIn()).toBe(null);
  });

  it('names its page buttons uniquely beside a second list', async () => {
    const { admin, origin } = school;
    const other = await createSampleSchool(admin, 'Hillside');
    const { schoolDb, grades } = other;
    for (let n = 1; n <= 10; n += 1)
      await admin.created('/classes', { schoolDb, gradeId: grades[0].id, name: `Class ${n}` });
    await admin.created('/users', {
      schoolDb,
      classId: grades[0].classes[0].id,
      defaultPassword: 'secret-password',
      students: Array.from({ length: 10 }, (_, n) => ({ username: `more${n}`, actualName: `More ${n}` })),
    });
    await page.goto(`${origin}/admin/statistics?school=${schoolDb}`);
    await expect.poll(() => page.getByRole('main').getByRole('navigation').count()).toBe(2);
    expect(await barriers(page, { rules: ['landmark-unique'], bestPractice: true })).toEqual([]);
  });
});

describe('The current day', () => {
  it("follows the server's clock and the school's time zone instead of the device", async () => {
    const { app, school: sample } = school;
    const { schoolDb } = sample;
    const before = app.clock.now().toISOString();
    // The server uses this machine's clock.
    app.clock.set(new Date().toISOString());
    const office = await app.signIn();
    // In this zone the day differs from UTC and is at least half an hour from midnight.
    const timeZone = utcMinute() < 10.5 * 60 ? 'Pacific/Niue' : 'Pacific/Kiritimati';
    await office.patch('/school-settings', { schoolDb, timeZone });
    const userId = sample.grades[0].classes[0].students[0]?.id;
    await office.created('/scores/add', { schoolDb, userId, scoreChange: 1, description: 'Of today' });
    const { page, complaints } = await openAs(school, 'school', '/records?period=today', {
      prepare: (opened) => opened.clock.install({ time: Date.now() + 3 * 86_400_000 }),
    });
    await page.getByRole('cell', { name: 'Of today' }).waitFor();
    await page.getByText(`time zone (${timeZone},`).waitFor();
    expect(complaints).toEqual([]);
    await office.patch('/school-settings', { schoolDb, timeZone: 'UTC' });
    app.clock.set(before);
  });
});
