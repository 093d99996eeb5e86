import type { Browser, Page } from 'playwright-core';
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

async function act(page: Page, actionsFor: string | RegExp, action: string) {
  await page.getByRole('button', { name: actionsFor }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

// A browser on a busy machine takes its time.
describe('governance', { timeout: 90_000 }, () => {
  it('issues a credential, shows it once, tells its calls and revokes it', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/api-tokens');
    await page.getByRole('button', { name: 'New credential' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Campus card');
    await dialog.getByRole('button', { name: 'All but deleting' }).click();
    expect(await dialog.getByRole('checkbox', { name: 'Give points' }).isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: 'Delete students' }).isChecked()).toBe(false);
    await dialog.getByRole('button', { name: 'Issue credential' }).click();
    await dialog.getByText('Please fill this in.').waitFor();
    await dialog.getByLabel('Your password').fill('not this one');
    await dialog.getByRole('button', { name: 'Issue credential' }).click();
    await dialog.getByText('Your password is wrong. Type it again.').waitFor();
    await dialog.getByLabel('Your password').fill('password of the school');
    await dialog.getByRole('button', { name: 'Issue credential' }).click();
    const token = (await dialog.getByLabel('Credential', { exact: true }).textContent()) ?? '';
    await dialog.getByText(`${school.origin}/api/v1/ping`, { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    const ask = () =>
      fetch(`${school.origin}/api/v1/ping`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask()).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();

    await act(page, 'Actions for Campus card', 'Disable');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('cell', { name: /^Disabled/ }).waitFor();
    expect((await ask()).status).toBe(401);
    await act(page, 'Actions for Campus card', 'Show its calls');
    await page
      .getByRole('cell', { name: /GET.*\/api\/v1\/ping/ })
      .first()
      .waitFor();
    await page.getByRole('checkbox', { name: 'Only failed calls' }).check();
    await page.getByText('1 call', { exact: true }).waitFor();
    expect(page.url()).toMatch(/token=\d+.*failed=true/);
    await page.getByRole('button', { name: /^Details of GET/ }).click();
    await dialog.getByText('401 Refused').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'API credentials' }).first().click();
    await act(page, 'Actions for Campus card', 'Revoke');
    await dialog.getByLabel('Your password').fill('password of the school');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /Campus card/ }).waitFor({ state: 'detached' });
    // The wrong password was on purpose.
    expect(complaints.filter((one) => !/403/.test(one))).toEqual([]);
    await context.close();
  });

  it('locks the range of a class administrator’s credential, in Chinese on a phone', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'class', '/api-tokens', {
      screen: 'phone',
      language: 'zh-CN',
    });
    await page.getByRole('button', { name: '新建凭证' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Grade 1 Class A').waitFor();
    expect(await dialog.getByRole('radio', { name: '全校' }).count()).toBe(0);
    await dialog.getByRole('button', { name: '取消' }).click();
    await page.goto(`${school.origin}/admin/administrators`);
    await page.getByRole('main').getByText('teacher').waitFor();
    expect(await page.getByRole('button', { name: '新建管理员' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('adds, moves, disables and deletes an administrator, which the activity tells', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'school', '/administrators');
    await page.getByText('3 administrators').waitFor();
    await page.getByRole('button', { name: 'New administrator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Username' }).fill('zhao');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    expect(await page.getByRole('option').allTextContents()).toEqual([
      'Grade administrator',
      'Class administrator',
    ]);
    await page.getByRole('option', { name: 'Class administrator' }).click();
    await dialog.getByRole('combobox', { name: 'Class' }).click();
    await page.getByRole('option', { name: 'Class B' }).first().click();
    await dialog.getByRole('button', { name: 'Generate' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const password = (await dialog.getByLabel('Password', { exact: true }).textContent()) ?? '';
    await school.app.signIn('zhao', password);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'Grade 1 Class B' }).waitFor();

    await act(page, 'Actions for zhao', 'Edit');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Grade administrator' }).click();
    await dialog.getByRole('combobox', { name: 'Grade' }).click();
    await page.getByRole('option', { name: 'Grade 1' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /zhao/ });
    await row.getByText('Grade administrator').waitFor();
    await act(page, 'Actions for zhao', 'Disable');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    await act(page, 'Actions for zhao', 'Delete');
    await dialog.getByRole('textbox').fill('zhao');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 administrators').waitFor();

    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('cell', { name: 'Deleted an administrator' }).waitFor();
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Added an administrator' }).click();
    await page.getByRole('cell', { name: 'Deleted an administrator' }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Added an administrator zhao/ }).waitFor();
    expect(page.url()).toContain('action=createAdministrator');
    expect(complaints).toEqual([]);
    await context.close();
  });
});
