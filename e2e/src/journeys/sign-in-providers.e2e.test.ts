import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { client, IdentityProvider } from '../../../server/test/identity-provider.ts';
import { openSchoolWithProvider } from '../../../server/test/school-with-provider.ts';
import { superAdmin } from '../../../server/test/test-app.ts';
import { openWatchedPage } from '../harness/browser.ts';
import { enter } from '../harness/journeys.ts';
import { translatorFor } from '../harness/translator.ts';

const setup = await openSchoolWithProvider();
const { test: app, school, origin, provider } = setup;
const { schoolDb } = school;
const { username } = school.grades[0].classes[0].students[0];
provider.add('pupil', { username });

afterAll(() => provider.stop());

const watched = await openWatchedPage(origin);
const { page, context, complaints } = watched;

async function signInThere(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Who are you?').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe("Sign-in at the school's provider", () => {
  it('signs an administrator in, confirms identity in a window, and signs in a student who has no password', async () => {
    await enter(watched, { traveller: 'nobody', app, school, username: '', password: '' }, 'en');
    const say = translatorFor('en');
    const t = say.signInAtProvider;
    const toProvider = page.getByRole('link', { name: t('signInAt', { name: 'School account' }) });
    await page.goto(`${origin}/admin/students?class=${school.grades[0].classes[0].id}`);
    await toProvider.click();
    await signInThere(page, 'subject of zhao.mei');
    await page.waitForURL(`${origin}/admin/students?**`);
    const row = page.getByRole('row').filter({ hasText: 's1a2' });
    await row.waitFor();
    expect(new URL(page.url()).hash).toBe('');

    // An old confirmation makes the page ask again and resume the action.
    await app.database.pool.query(
      `UPDATE admin_session SET confirmed_at = '2026-01-01'
       WHERE admin_id = (SELECT id FROM admin WHERE username = 'zhao.mei')`,
    );
    await row.getByRole('button', { name: say.lists('actionsFor', { name: 's1a2' }) }).click();
    await page.getByRole('menuitem', { name: 'single sign-on' }).click();
    const dialog = page.getByRole('dialog', { name: say.confirm('confirmTitle') });
    const confirm = dialog.getByRole('button', { name: t('confirmAt', { name: 'School account' }) });
    const [above] = await Promise.all([context.waitForEvent('page'), confirm.click()]);
    const closed = above.waitForEvent('close');
    await signInThere(above, 'subject of zhao.mei');
    await closed;
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('has not signed in with').waitFor();

    const allowPasswords = async (students: boolean) => {
      const { status } = await setup.admin.patch('/sign-in-providers/local', { schoolDb, students });
      expect(status).toBe(200);
    };
    await allowPasswords(false);
    await context.clearCookies();
    await page.goto(`${origin}/student?school=${schoolDb}`);
    await page.getByText(t('onlyHere')).waitFor();
    await toProvider.click();
    await signInThere(page, 'pupil');
    await page.waitForURL(`${origin}/student?school=${schoolDb}`);
    await page.getByText(username).first().waitFor();
    expect(await page.evaluate('location.hash')).toBe('');
    expect(await page.evaluate("localStorage.getItem('classledger.student-token')")).not.toBeNull();
    await allowPasswords(true);
    const foreign = complaints.filter((text) => !text.includes(provider.issuer) && !/40[13]/.test(text));
    expect(foreign).toEqual([]);
  });

  it('lets a super administrator add, test, correct and remove a provider, and turn student passwords off', async () => {
    const second = await IdentityProvider.start([`${origin}/api/auth/sso/callback`]);
    await enter(watched, { traveller: 'super', app, school, ...superAdmin }, 'zh-CN');
    complaints.length = 0;
    const say = translatorFor('zh-CN');
    const t = say.signInProviders;
    await page.goto(`${origin}/admin/schools`);
    await page.getByRole('button', { name: say.lists('actionsFor', { name: school.name }) }).click();
    await page.getByRole('menuitem', { name: say.schools('singleSignOn') }).click();
    await page.getByText(`${origin}/api/auth/sso/callback`).waitFor();
    await page.getByRole('button', { name: t('addProvider') }).click();
    const dialog = page.getByRole('dialog', { name: t('addProvider') });
    await dialog.getByLabel(t('nameLabel')).fill('Second account');
    await dialog.getByLabel(t('issuer')).fill(second.issuer);
    await dialog.getByLabel(t('clientId')).fill(client.clientId);
    await dialog.getByLabel(t('clientSecret')).fill('wrong-secret');
    await dialog.getByRole('button', { name: say.common('add'), exact: true }).click();
    await page.getByText(t('added', { name: 'Second account' })).waitFor();

    const row = page.getByRole('row').filter({ hasText: 'Second account' });
    await row.getByRole('button', { name: t('test'), exact: true }).click();
    await page.getByText(t('found_clientRejected')).waitFor();
    const menu = row.getByRole('button', { name: say.lists('actionsFor', { name: 'Second account' }) });
    await menu.click();
    await page.getByRole('menuitem', { name: say.common('edit') }).click();
    const editing = page.getByRole('dialog', { name: t('editTitle', { name: 'Second account' }) });
    await editing.getByLabel(t('clientSecret')).fill(client.clientSecret);
    await editing.getByRole('button', { name: say.common('save'), exact: true }).click();
    await editing.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: t('test'), exact: true }).click();
    await page.getByText(t('found_ok', { name: 'Second account' })).waitFor();

    await page.getByLabel(t('studentPasswords')).click();
    // The message of the edit before may still be shown, so only the server's answer tells.
    const local = async () => await setup.admin.read(`/sign-in-providers/local?schoolDb=${schoolDb}`);
    await expect.poll(local).toMatchObject({ students: false });
    await page.getByText(t('saved')).first().waitFor();

    await menu.click();
    await page.getByRole('menuitem', { name: t('remove') }).click();
    const removing = page.getByRole('dialog');
    await removing.getByRole('button', { name: t('remove') }).click();
    await page.getByText(t('removed', { name: 'Second account' })).waitFor();
    expect(complaints).toEqual([]);
    await second.stop();
  });
});
