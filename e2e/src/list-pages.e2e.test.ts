import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createSampleSchool } from '../../server/test/test-app.ts';
import { barriers } from './harness/barriers.ts';
import { printed } from './harness/printed.ts';
import { openAs, type Person, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

const utcMinute = () => Math.floor(Date.now() / 60_000) % 1_440;

const pageIn = (page: Page) => new URL(page.url()).searchParams.get('page');

describe('a list', () => {
  // One page for all lists of a person: a new one loads and compiles the app anew.
  const lists: [who: Person, lists: string, paths: string[]][] = [
    [
      'school',
      'students, records, closed terms, ranked students, credentials, external calls and activity',
      ['/students', '/records', '/terms', '/statistics', '/api-tokens', '/audit-log', '/activity'],
    ],
    [
      'super',
      'administrators, applications and announcements',
      ['/administrators', '/applications', '/announcements'],
    ],
  ];

  it.each(lists)('shows its last page for one that is not there (%s: %s)', async (who, _, paths) => {
    const [first = '', ...others] = paths.map((path) => `${path}?page=7`);
    const { page, complaints } = await openAs(school, who, first);
    const expectLastPage = async (path: string) => {
      await expect.poll(() => pageIn(page), { message: path }).toBe(null);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(complaints, path).toEqual([]);
    };
    await expectLastPage(first);
    for (const path of others) {
      await page.goto(`${school.origin}/admin${path}`);
      await expectLastPage(path);
    }
  });

  it('goes back to the first page when the only row of the second is deleted', async () => {
    for (let n = 1; n <= 21; n += 1) {
      const body = { title: `News ${n}`, content: '<p>Read.</p>', type: 'info', active: false };
      await school.admin.created('/announcements', body);
    }
    const { page, complaints } = await openAs(school, 'super', '/announcements?page=2');
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Actions for News 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('News 21').waitFor();
    expect(pageIn(page)).toBe(null);
    expect(complaints).toEqual([]);
  });

  it('gives each student one line on a laptop', async () => {
    const { page } = await openAs(school, 'school', '/students');
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

  it('has pages of its own name where two lists stand on one page', async () => {
    const { admin, origin } = school;
    const other = await createSampleSchool(admin, 'Hillside');
    for (let n = 1; n <= 10; n += 1) {
      const body = { schoolDb: other.schoolDb, gradeId: other.grades[0].id, name: `Class ${n}` };
      await admin.created('/classes', body);
    }
    await admin.created('/users', {
      schoolDb: other.schoolDb,
      classId: other.grades[0].classes[0].id,
      defaultPassword: 'secret-password',
      students: Array.from({ length: 10 }, (_, n) => ({ username: `more${n}`, actualName: `More ${n}` })),
    });
    const { page } = await openAs({ origin }, 'super', `/statistics?school=${other.schoolDb}`);
    await expect.poll(() => page.getByRole('main').getByRole('navigation').count()).toBe(2);
    expect(await barriers(page, { rules: ['landmark-unique'], bestPractice: true })).toEqual([]);
  });

  it('shows all as selected at once, takes out who is not meant, and acts when it knows them', async () => {
    const { page, complaints } = await openAs(school, 'school', '/students');
    const boxes = page.getByRole('table').getByRole('checkbox');
    const bar = page.getByRole('region', { name: 'Actions for selected students' });
    await boxes.nth(1).check();
    const count = (await boxes.count()) - 1;
    // What is asked for may come here later than the answer is let go.
    const answer = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === '/api/users' && !url.searchParams.has('page'),
      async (route: Route) => {
        await answer.promise;
        await route.continue();
      },
    );
    await bar.getByRole('button', { name: `Select all ${count}` }).click();
    await bar.getByText(`${count} selected`).waitFor();
    expect(await boxes.nth(count).isChecked()).toBe(true);
    await boxes.nth(2).uncheck();
    await bar.getByText(`${count - 1} selected`).waitFor();
    expect(await bar.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    answer.resolve();
    await bar.getByRole('button', { name: 'Delete', disabled: false }).click();
    await page.getByRole('dialog', { name: `Delete ${count - 1} students?` }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is printed whole by its button and by Ctrl+P, and says on paper without them that it is a part', async () => {
    const students = Array.from({ length: 50 }, (_, n) => ({
      username: `more-${n}`,
      actualName: `More ${n}`,
    }));
    const { schoolDb } = school.school;
    const body = { schoolDb, classId: school.classId, students, defaultPassword: 'password of students' };
    await school.admin.created('/users', body);
    const { page } = await openAs(school, 'school', '/students', { colorScheme: 'dark' });
    const total = 12 + students.length;
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
    await page.getByText(`This is a part of the list: 1–50 of ${total}.`).waitFor();
    expect(await page.getByRole('main').locator('input:visible, button:visible').count()).toBe(0);
  });
});

describe('what day it is', () => {
  it('is told by the server and the time zone of the school, whatever the device says', async () => {
    const { app, school: sample } = school;
    const { schoolDb } = sample;
    const before = app.clock.now().toISOString();
    // The server tells the time of this machine.
    app.clock.set(new Date().toISOString());
    const office = await app.signIn();
    // At the school it is another day than in UTC, at every hour, and half an hour at least from its midnight.
    const timeZone = utcMinute() < 10.5 * 60 ? 'Pacific/Niue' : 'Pacific/Kiritimati';
    await office.patch('/school-settings', { schoolDb, timeZone });
    const userId = sample.grades[0].classes[0].students[0]?.id;
    await office.created('/scores/add', { schoolDb, userId, scoreChange: 1, description: 'Of today' });
    const { page, complaints } = await openAs(school, 'school', '/records?period=today', {
      prepare: (page) => page.clock.install({ time: Date.now() + 3 * 86_400_000 }),
    });
    await page.getByRole('cell', { name: 'Of today' }).waitFor();
    await page.getByText(`those of the school (${timeZone},`).waitFor();
    expect(complaints).toEqual([]);
    await office.patch('/school-settings', { schoolDb, timeZone: 'UTC' });
    app.clock.set(before);
  });
});
