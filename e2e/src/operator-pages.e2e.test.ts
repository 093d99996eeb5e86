import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { superAdmin } from '../../server/test/test-app.ts';
import { launchBrowser, openWatched } from './harness/browser.ts';
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

const overflow = 'document.documentElement.scrollWidth - window.innerWidth';

// A browser on a busy machine takes its time.
describe('the pages of the operators', { timeout: 90_000 }, () => {
  it('approve an application, create its school, disable and delete it', async () => {
    const application = {
      schoolName: 'Hillside School',
      applicantName: 'Mei Zhao',
      contactPhone: '+86 10 5550 0142',
      reason: 'Grades 1 to 3 would like to use points.',
    };
    await school.app.anonymous.internal.post('/applications', application);
    const { page, context, complaints } = await openAs(browser, school, 'super', '/applications');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Review the application of Hillside School' }).click();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Called on Monday.');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByRole('button', { name: 'Create the school' }).click();
    const name = dialog.getByRole('textbox', { name: 'Name of the school' });
    await name.waitFor();
    expect(await name.inputValue()).toBe('Hillside School');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('The school is there').waitFor();
    await dialog.getByText(`Approved by ${superAdmin.username}`).waitFor();
    await dialog.getByRole('button', { name: 'Open this school' }).click();
    await page.waitForURL(/\/admin\/?\?school=school_/);

    await page.goto(`${school.origin}/admin/schools`);
    const row = page.getByRole('row').filter({ hasText: 'Hillside School' });
    await row.getByText('Open now').waitFor();
    const act = async (action: string) => {
      await row.getByRole('button', { name: 'More for Hillside School' }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('Disable');
    await dialog.getByText('Its API credentials are refused.').waitFor();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
    await act('Enable');
    await row.getByText('Active', { exact: true }).waitFor();
    await act('Delete');
    await dialog.getByText('0 students').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete for good' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Hillside School');
    await dialog.getByRole('button', { name: 'Delete for good' }).click();
    await row.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('publish an announcement, harmless whatever HTML was pasted', async () => {
    const { page, context, complaints } = await openAs(browser, school, 'super', '/announcements');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New announcement' }).first().click();
    await dialog.getByRole('textbox', { name: 'Title' }).fill('New term');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard what you wrote?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    const editor = dialog.getByRole('textbox', { name: 'Text' });
    await editor.click();
    await page.keyboard.type('Points start again.');
    await page.keyboard.press('Control+a');
    await dialog.getByRole('button', { name: 'Bold' }).click();
    await dialog.getByText('HTML', { exact: true }).click();
    const written = await editor.inputValue();
    expect(written).toBe('<p><strong>Points start again.</strong></p>');
    const pasted =
      '<script>hacked=1</script><img src=x onerror="hacked=1"><p onclick="hacked=1">On Monday.</p>';
    await editor.fill(written + pasted);
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('On Monday.').waitFor();
    expect(await preview.locator('script, img, [onclick]').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The announcement is on the start page.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();

    const look = { screen: 'phone', colorScheme: 'dark' } as const;
    const visitor = await openWatched(browser, school.origin, look);
    await visitor.page.goto(school.origin);
    const article = visitor.page.getByRole('article').filter({ hasText: 'New term' });
    await article.getByText('On Monday.').click();
    expect(await article.locator('strong').textContent()).toBe('Points start again.');
    expect(await article.locator('script, img, [onclick], [onerror]').count()).toBe(0);
    expect(await visitor.page.evaluate('typeof hacked')).toBe('undefined');
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  });

  it('fit a phone, in Chinese: hiding an announcement, the own password', async () => {
    await school.admin.post('/announcements', { title: '新学期', content: '<p>积分清零。</p>' });
    const look = { screen: 'phone', colorScheme: 'dark', language: 'zh-CN' } as const;
    const { page, context, complaints } = await openAs(browser, school, 'super', '/announcements', look);
    await page.getByRole('switch', { name: '在首页显示“新学期”' }).click({ force: true });
    await page.getByText('“新学期”已不再显示。').waitFor();
    expect(await page.evaluate(overflow)).toBe(0);
    for (const path of ['/schools', '/applications']) {
      await page.goto(`${school.origin}/admin${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(overflow), path).toBe(0);
    }
    expect(complaints).toEqual([]);
    await context.close();

    const teacher = await openAs(browser, school, 'class', '/account', look);
    const fill = async (old: string, fresh: string, repeated: string) => {
      await teacher.page.getByLabel('当前密码', { exact: true }).fill(old);
      await teacher.page.getByLabel('新密码', { exact: true }).fill(fresh);
      await teacher.page.getByLabel('再次输入新密码', { exact: true }).fill(repeated);
      await teacher.page.getByRole('button', { name: '修改密码' }).click();
    };
    await teacher.page.getByRole('main').getByText('班级管理员').waitFor();
    await fill('password of the class', 'a longer one', 'a longer two');
    await teacher.page.getByText('两次输入的密码不一致。').waitFor();
    await fill('password of the class', 'a longer one', 'a longer one');
    await teacher.page.getByText('密码已修改，其他设备上的登录已失效。').waitFor();
    await school.app.signIn('teacher', 'a longer one');
    expect(await teacher.page.evaluate(overflow)).toBe(0);
    expect(teacher.complaints).toEqual([]);
    await teacher.page.getByRole('button', { name: '退出登录' }).click();
    await teacher.page.waitForURL(`${school.origin}/`);
    await teacher.context.close();
  });
});
