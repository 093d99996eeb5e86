import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

// A browser on a busy machine takes its time.
describe('grades and classes', { timeout: 60_000 }, () => {
  it('are added, renamed, moved and deleted by the school', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/structure');
    const tree = page.getByRole('list', { name: 'Grades with their classes' });
    await tree.getByRole('button', { name: /^Grade 1/ }).waitFor();

    await page.getByRole('button', { name: 'Add grade' }).click();
    await page.getByRole('textbox', { name: 'Name of the new grade' }).fill('Grade 9');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add a class to Grade 9' }).click();
    for (const name of ['Class X', 'Class Y']) {
      await page.getByRole('textbox', { name: 'Name of the new class in Grade 9' }).fill(name);
      await page.keyboard.press('Enter');
      await tree.getByRole('link', { name }).waitFor();
    }

    const act = async (on: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${on}` }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    await act('Class X', 'Rename');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Class Y');
    await page.keyboard.press('Enter');
    await page.getByText('has a class of this name already').waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Class Z');
    await page.keyboard.press('Enter');
    await tree.getByRole('link', { name: 'Class Z' }).waitFor();

    await act('Class Z', 'Move to another grade');
    await page.getByRole('dialog').getByRole('combobox', { name: 'Grade' }).click();
    await page.getByRole('option', { name: 'Grade 2' }).click();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await tree.getByRole('list', { name: 'Grade 2' }).getByRole('link', { name: 'Class Z' }).waitFor();

    await act('Grade 2', 'Delete');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 classes').waitFor();
    await dialog.getByText('6 students').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Grade 2');
    await confirm.click();
    await page.getByText('Grade 2 was deleted, with 3 classes and 6 students.').waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([]);
    await context.close();
  });

  it('are only renamed by the administrator of a class, in Chinese on a phone', async () => {
    const look = { screen: 'phone', language: 'zh-CN' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'class', '/structure', look);
    await page.getByRole('button', { name: 'Class A的操作' }).click();
    await page.getByRole('menuitem', { name: '重命名' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['查看本班学生', '重命名']);
    await page.getByRole('menuitem', { name: '重命名' }).click();
    await page.getByRole('textbox', { name: '名称' }).fill('一班');
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByRole('link', { name: '一班' }).waitFor();
    expect(await page.getByRole('button', { name: /^添加/ }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe('seats', { timeout: 60_000 }, () => {
  const names = (selector = '[data-seat]') =>
    `Array.from(document.querySelectorAll('${selector}'), (seat) => seat.innerText)`;

  it('are set up, and students moved by mouse, keys and taps, also when the server refuses', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'class', '/seats');
    await page.getByRole('button', { name: 'Set up seats' }).click();
    const dialog = page.getByRole('dialog');
    for (const [field, value] of [
      ['Groups', '1'],
      ['Rows in a group', '2'],
      ['Seats in a row', '1'],
    ] as const) {
      await dialog.getByRole('textbox', { name: field }).fill(value);
    }
    await dialog.getByText('1 student gets no seat.').waitFor();
    await dialog.getByRole('textbox', { name: 'Seats in a row' }).fill('2');
    await dialog.getByText('1 seat stays free.').waitFor();
    await dialog.getByRole('button', { name: 'Set up' }).click();
    const seats = page.locator('[data-seat]');
    await seats.first().waitFor();
    // While it fades away it still catches the mouse.
    await dialog.waitFor({ state: 'detached' });
    const [a, b, c] = (await page.evaluate(names())) as string[];

    // By mouse onto the free seat.
    const [from, to] = [await seats.nth(0).boundingBox(), await seats.nth(3).boundingBox()];
    if (!from || !to) throw new Error('No seats');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
    await page.locator('[data-seat][data-target]').waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate(names())).toEqual(['free', b, c, a]);

    // By keys: pick up, go, put down, which swaps; Delete frees.
    await seats.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(names())).toEqual(['free', a, c, b]);
    await page.keyboard.press('Delete');
    await page
      .getByRole('region', { name: 'Without a seat' })
      .getByRole('button', { name: b ?? '' })
      .click();

    // Refused: the student is back among those who stand.
    await page.route('**/api/seats/data/*', (route) => route.fulfill({ status: 500, json: {} }));
    await seats.nth(0).click();
    await page.getByText('The move was taken back').waitFor();
    await page.unroute('**/api/seats/data/*');
    await expect.poll(() => page.evaluate(names())).toEqual(['free', a, c, 'free']);
    await page.reload();
    await seats.first().waitFor();
    expect(await page.evaluate(names())).toEqual(['free', a, c, 'free']);
    expect(complaints.filter((complaint) => !complaint.includes('500'))).toEqual([]);
    await context.close();
  });

  it('are tapped on a phone, turned round and replaced, in Chinese', async () => {
    const look = { screen: 'phone', language: 'zh-CN' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'class', '/seats', look);
    const seats = page.locator('[data-seat]');
    await page.getByRole('region', { name: '未安排座位' }).getByRole('button').first().tap();
    await seats.nth(0).tap();
    await page.getByText('所有学生都有座位').waitFor();
    const before = (await page.evaluate(names())) as string[];
    await page.getByText('教师视角').tap();
    await expect.poll(() => page.evaluate(names())).toEqual(before.toReversed());
    await page.getByRole('button', { name: '重新生成' }).tap();
    await page.getByText('当前座位表将被替换').waitFor();
    await page.getByRole('textbox', { name: '组数' }).fill('2');
    await page.getByRole('button', { name: '替换座位表' }).tap();
    await expect.poll(() => seats.count()).toBe(8);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
