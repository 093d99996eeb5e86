import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './harness/browser.ts';
import { openAs, type ServedSchool, startServedSchool } from './harness/served-school.ts';

let school: ServedSchool;
let browser: Browser;

beforeAll(async () => {
  school = await startServedSchool();
  const { schoolDb, grades } = school.school;
  const [first, second] = grades[0].classes[0].students;
  const items = [
    { userId: first?.id, scoreChange: 5, description: 'Homework' },
    { userId: second?.id, scoreChange: -2, description: 'Late' },
  ];
  await school.admin.post('/scores/batch', { schoolDb, items });
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
});

const overflow = 'document.documentElement.scrollWidth - window.innerWidth';

// A browser on a busy machine takes its time.
describe('the numbers of a school', { timeout: 90_000 }, () => {
  it('stand on the dashboard, which leads on to scoring, adding and the statistics', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '');
    const overview = page.getByRole('region', { name: 'Overview' });
    await overview.getByText('2 records').waitFor();
    expect(await overview.textContent()).toContain('Students12');
    await page.getByText('+5 and −2 in 7 days').waitFor();
    const leaders = page.getByRole('region', { name: 'Leaders' });
    await leaders.getByRole('listitem').waitFor();
    const latest = page.getByRole('region', { name: 'Latest records' });
    await latest.getByText('Late · Class A').waitFor();
    expect(await latest.getByRole('listitem').count()).toBe(2);
    expect(await page.getByRole('link', { name: 'Score now' }).getAttribute('href')).toContain('/scoring');

    await page.getByRole('button', { name: 'Add student' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Username' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Show all: Most improved' }).click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    expect(page.url()).toMatch(/by=improvement/);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are compared, narrowed and taken away as a table in the statistics', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/statistics');
    const compared = page.getByRole('table', { name: 'Comparison of classes' });
    await compared.getByRole('link', { name: 'Grade 1 Class A' }).waitFor();
    expect(await compared.getByRole('row').count()).toBe(5);

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Comparison of classes: CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('Grade 1,Class A,3,3,1,2,5,-2,3\r\n');

    await compared.getByRole('link', { name: 'Grade 1 Class A' }).click();
    await compared.waitFor({ state: 'detached' });
    const ranking = page.getByRole('table', { name: 'Students' });
    await page.getByText('In the period', { exact: true }).first().click();
    await page.getByText('By the points of the last 30 days.').waitFor();
    expect(await ranking.getByRole('row').count()).toBe(4);
    expect(page.url()).toMatch(/class=\d+.*by=recent/);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are one class to its administrator, in Chinese on a phone', async () => {
    const look = { screen: 'phone', language: 'zh-CN', colorScheme: 'dark' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'class', '', look);
    await page.getByText('近 7 天：加分 +5，扣分 −2').waitFor();
    expect(await page.getByRole('region', { name: '班级对比' }).count()).toBe(0);
    expect(await page.evaluate(overflow)).toBe(0);
    await page.getByRole('link', { name: '查看全部：积分榜' }).click();
    await page.getByText('按本学期总分排名。').waitFor();
    expect(await page.getByRole('combobox').count()).toBe(0);
    expect(await page.evaluate(overflow)).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('are no school’s while a super administrator has chosen none of several', async () => {
    await school.admin.created('/schools', { name: 'Second School' });
    const { page, context, complaints } = await openAs(browser, school, 'super', '');
    await page.getByText('No application waits for an answer.').waitFor();
    await page
      .getByRole('region', { name: 'Schools' })
      .getByRole('button', { name: 'Second School' })
      .click();
    await page.getByText('No students yet').waitFor();
    expect(page.url()).toContain('school=');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
