import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './harness/browser.ts';
import { openAs, type ServedSchool, startServedSchool } from './harness/served-school.ts';

let school: ServedSchool;
let browser: Browser;

beforeAll(async () => {
  school = await startServedSchool();
  browser = await launchBrowser();
  const { schoolDb, grades } = school.school;
  const scores = [
    [2, 'Homework'],
    [3, '=Reading'],
    [-1, 'Late'],
  ] as const;
  for (const { students } of grades[0].classes) {
    for (const [scoreChange, description] of scores) {
      const body = { schoolDb, userId: students[0]?.id, scoreChange, description };
      await school.admin.post('/scores/add', body);
    }
  }
}, 180_000);

afterAll(async () => {
  await browser?.close();
});

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

// A browser on a busy machine takes its time.
describe('records', { timeout: 90_000 }, () => {
  it('are found, exported and taken back, several at once', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/records');
    await page.getByText('6 records', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Class' }).click();
    await page.getByRole('option', { name: 'Class A' }).first().click();
    await page.getByText('3 records', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Plus or minus' }).click();
    await page.getByRole('option', { name: 'Plus', exact: true }).click();
    await page.getByText('2 records', { exact: true }).waitFor();
    expect(page.url()).toContain('kind=plus');

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2026-09-15 [\d:]+,s1a1,s1a1,Grade 1,Class A,3,'=Reading,/);

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'What to do with the selected records' });
    await bar.getByRole('button', { name: 'Take back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('+5 in all, of 1 student, no longer counts.').waitFor();
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await page.getByText('No record matches').waitFor();

    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Records taken back' }).click();
    await page.getByText('2 records', { exact: true }).waitFor();
    await page.getByRole('cell', { name: 'office' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
    await page.reload();
    await page.getByText('2 records', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('templates', { timeout: 90_000 }, () => {
  it('of the school are only read by a teacher, who keeps those of the class, in Chinese on a phone', async () => {
    const { schoolDb } = school.school;
    await school.admin.post('/scores/templates', { schoolDb, name: '迟到', scoreChange: -1 });
    const look = { screen: 'phone', language: 'zh-CN' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'class', '/templates', look);
    const wide = page.getByRole('region', { name: '全校通用', exact: true });
    await wide.getByText('仅学校管理员可以修改').waitFor();
    expect(await wide.getByRole('button').count()).toBe(0);

    await page.getByRole('button', { name: '添加模板', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '添加' }).click();
    await dialog.getByText('请填写此项。').waitFor();
    await dialog.getByRole('textbox', { name: '理由' }).fill('朗读');
    await dialog.getByRole('textbox', { name: '分值' }).fill('2');
    await dialog.getByRole('button', { name: '添加' }).click();
    await page.getByRole('button', { name: '编辑“朗读”' }).click();
    await dialog.getByText('扣分', { exact: true }).click();
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByRole('region', { name: 'Grade 1 Class A 扣分' }).getByText('−2').waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: '删除“朗读”' }).click();
    await dialog.getByRole('button', { name: '删除' }).click();
    await page.getByText('还没有扣分模板').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('terms', { timeout: 90_000 }, () => {
  it('of several classes are closed once each, even when an answer gets lost', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'grade', '/terms');
    await page.getByText('No closed terms yet').waitFor();
    await page.getByRole('button', { name: 'Close a term' }).first().click();
    const wizard = page.getByRole('dialog', { name: 'Close a term' });
    await wizard.getByRole('checkbox', { name: 'All of Grade 1' }).check();
    await wizard.getByText('2 classes chosen').waitFor();
    await wizard.getByRole('button', { name: 'Next' }).click();
    await wizard.getByRole('textbox', { name: 'Name of the term' }).fill('Autumn');
    await wizard.getByText(/for 2 classes: 6 students, \d records/).waitFor();
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'Close and archive?' });
    expect(await confirm.getByRole('button', { name: 'Close and archive' }).isDisabled()).toBe(true);
    await confirm.getByRole('textbox').fill('Autumn');

    // The second class is closed, but the answer gets lost.
    let switches = 0;
    await page.route('**/api/admin/term-switch', async (route) => {
      switches += 1;
      if (switches !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await confirm.getByRole('button', { name: 'Close and archive' }).click();
    await wizard.getByText('2 terms are closed. New ones have begun.').waitFor();
    expect(switches).toBe(2);
    await wizard.getByRole('link', { name: 'Show standings' }).nth(1).click();
    await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
    const best = page.getByRole('table', { name: 'Standings' }).getByRole('row').nth(1);
    expect(await best.textContent()).toContain('s1b1+4+5−13');

    await page.getByRole('link', { name: 'Show records' }).click();
    await page.getByText('3 records', { exact: true }).waitFor();
    await page.getByText('These records belong to a closed term.').waitFor();
    expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
    expect(complaints.filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
    await context.close();
  });
});
