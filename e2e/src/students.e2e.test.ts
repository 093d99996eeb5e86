import { readFile } from 'node:fs/promises';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRows } from '../../web/src/spreadsheets/read-rows.ts';
import { launchBrowser } from './harness/browser.ts';
import { openAs, type ServedSchool, startServedSchool } from './harness/served-school.ts';

let school: ServedSchool;
let browser: Browser;

beforeAll(async () => {
  school = await startServedSchool();
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
});

const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

async function choose(page: Page, field: string, option: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).first().click();
}

// A browser on a busy machine takes its time.
describe('the students', { timeout: 90_000 }, () => {
  it('are added, edited, moved, disabled and deleted by the school', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/students');
    await page.getByText('12 students').waitFor();

    await page.getByRole('button', { name: 'Add student' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('=Zoe+1');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Please choose a class.').waitFor();
    await dialog.getByRole('textbox', { name: 'Username' }).fill('zoe');
    await choose(page, 'Class', 'Class B');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('=Zoe+1 was added.').waitFor();
    const password = (await dialog.getByLabel('Password', { exact: true }).textContent()) ?? '';
    await school.app.signInStudent(school.school.schoolDb, 'zoe', password);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('13 students').waitFor();

    const act = async (action: string) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await page.getByRole('searchbox', { name: 'Search' }).fill('zoe');
    await page.getByText('1 student', { exact: true }).waitFor();
    expect(page.url()).toContain('q=zoe');

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    expect((await textOf(download)).split('\r\n')[1]).toMatch(
      /^zoe,'=Zoe\+1,Grade 1,Class B,Active,0,0,0,0,/,
    );

    await act('Edit');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Zoe');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('zoe@example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Zoe', exact: true }).waitFor();

    await act('Move to a class');
    await choose(page, 'Class', 'Class A');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('cell', { name: 'Grade 1 Class A' }).waitFor();

    await act('Disable');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('cell', { name: 'Disabled' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'Disabled' }).waitFor();

    await act('Delete');
    await dialog.getByRole('textbox').fill('zoe');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No student matches').waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('12 students').waitFor();

    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are changed many at once, and new passwords are not left by mistake', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/students?q=s2b');
    await page.getByText('3 students', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'What to do with the selected students' });
    await bar.getByRole('button', { name: 'Reset password' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reset password' }).click();
    await dialog.getByText('3 students done.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    // The dialog before it may still be fading.
    const question = page.getByRole('dialog', { name: 'Leave without the passwords?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const [, first = ''] = (await textOf(download)).split('\r\n');
    const [, , username = '', password = ''] = first.split(',');
    await school.app.signInStudent(school.school.schoolDb, username, password);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are one class to its administrator, in Chinese on a phone; the page of one of them', async () => {
    const student = school.school.grades[0].classes[0].students[0];
    await school.admin.post('/scores/add', {
      schoolDb: school.school.schoolDb,
      userId: student?.id,
      scoreChange: 3,
      description: '作业',
    });
    const look = { screen: 'phone', language: 'zh-CN' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'class', '/students', look);
    await page.getByText('共 3 名学生').waitFor();
    expect(await page.getByRole('combobox', { name: '班级' }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: '年级' }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);

    await page.getByRole('link', { name: student?.username ?? '' }).click();
    await page.getByRole('heading', { level: 1, name: student?.username ?? '' }).waitFor();
    await page.getByText('近 30 天：+3，0').waitFor();
    await page.getByRole('button', { name: '撤销' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click();
    await page.getByText('还没有记录').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('may be five thousand', async () => {
    const { pool } = school.app.database;
    await pool.query(
      `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
       SELECT $1, $2, 'many' || lpad(n::text, 4, '0'), 'Pupil ' || n, 'x', now() FROM generate_series(1, 5000) n`,
      [school.school.id, school.classId],
    );
    await pool.query('UPDATE class SET student_count = student_count + 5000 WHERE id = $1', [school.classId]);

    const { page, context, complaints } = await openAs(browser, school, 'school', '/students?size=200');
    await page.getByText('5,012 students').waitFor();
    expect(await page.getByRole('row').count()).toBe(201);
    const timed = async (work: () => Promise<unknown>) => {
      const from = performance.now();
      await work();
      return performance.now() - from;
    };
    const paged = await timed(async () => {
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('cell', { name: 'many0201' }).waitFor();
    });
    // More than half a megabyte: packing it must not need what the Content-Security-Policy forbids.
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /XLSX/ }).click(),
    ]);
    const file = Object.assign(new Blob([await readFile(await download.path())]), { name: 'all.xlsx' });
    expect(await readRows(file)).toHaveLength(5_013);
    const searched = await timed(async () => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('many4711');
      await page.getByText('1 student', { exact: true }).waitFor();
    });
    expect(paged).toBeLessThan(3_000);
    expect(searched).toBeLessThan(3_000);
    expect(page.url()).toContain('size=200');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
