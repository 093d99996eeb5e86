import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { client, IdentityProvider } from '../../../server/test/identity-provider.ts';
import { openSchoolWithProvider } from '../../../server/test/school-with-provider.ts';
import { superAdmin } from '../../../server/test/test-app.ts';
import { inTier } from '../../../server/test/tier.ts';
import { texts as schoolTexts } from '../../../web/src/admin/installation/school-texts.ts';
import { texts as pageTexts } from '../../../web/src/admin/installation/sign-in-providers/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import type { Language } from '../../../web/src/i18n/languages.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { providerTexts } from '../../../web/src/session/provider-texts.ts';
import { texts } from '../../../web/src/session/texts.ts';
import { openWatched } from '../harness/browser.ts';
import { speaker } from '../harness/speaker.ts';

const ways = await openSchoolWithProvider();
const { test: app, school, origin, provider } = ways;
const { schoolDb } = school;
const [pupil] = school.grades[0].classes[0].students;
provider.add('pupil', { username: pupil?.username as string });

afterAll(() => provider.stop());

async function open(screen: 'desktop' | 'phone', language: Language) {
  const watched = await openWatched(origin, { screen, colorScheme: 'light', calm: true });
  await watched.context.addInitScript(
    `if (location.origin === '${origin}') localStorage.setItem('classledger.language', '${language}');`,
  );
  return { ...watched, say: speaker(language) };
}

/** Signs in where the provider asks who it is. */
async function signInThere(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Who are you?').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const looks = [
  ['desktop', 'en'],
  ['phone', 'zh-CN'],
] as const;

describe.each(inTier(looks))('at the provider of the school, %s, %s', (screen, language) => {
  it('an administrator signs in, comes back to the page that was wanted, and confirms in a window', async () => {
    const { page, context, say, complaints } = await open(screen, language);
    await page.goto(`${origin}/admin/students?class=${school.grades[0].classes[0].id}`);
    const button = page.getByRole('link', {
      name: say(providerTexts)('signInAt', { name: 'School account' }),
    });
    await button.click();
    await signInThere(page, 'subject of zhao.mei');
    await page.waitForURL(`${origin}/admin/students?**`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await page.getByRole('heading', { level: 1 }).first().waitFor();

    // What widens power asks again, and nothing is lost.
    await app.database.db
      .updateTable('admin_session')
      .set({ confirmed_at: '2026-01-01T00:00:00Z' })
      .execute();
    const row = page.getByRole(screen === 'phone' ? 'listitem' : 'row').filter({ hasText: 's1a2' });
    await row.getByRole('button', { name: say(listTexts)('actionsFor', { name: 's1a2' }) }).click();
    await page.getByRole('menuitem', { name: /single sign-on|单点登录/ }).click();
    const dialog = page.getByRole('dialog', { name: say(confirmTexts)('confirmTitle') });
    const confirm = dialog.getByRole('button', {
      name: say(providerTexts)('confirmAt', { name: 'School account' }),
    });
    const [above] = await Promise.all([context.waitForEvent('page'), confirm.click()]);
    const closed = above.waitForEvent('close');
    await signInThere(above, 'subject of zhao.mei');
    await closed;
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/has not signed in with|没有使用过/).waitFor();
    const foreign = complaints.filter((text) => !text.includes(provider.issuer) && !text.includes('403'));
    expect(foreign).toEqual([]);
  });

  it('a student signs in, and stays signed in', async () => {
    const { page, say } = await open(screen, language);
    await page.goto(`${origin}/student`);
    await page
      .getByRole('link', { name: say(providerTexts)('signInAt', { name: 'School account' }) })
      .click();
    await signInThere(page, 'pupil');
    await page.waitForURL(`${origin}/student`);
    await page
      .getByText(pupil?.username as string)
      .first()
      .waitFor();
    expect(await page.evaluate('location.hash')).toBe('');
    await page.reload();
    await page
      .getByText(pupil?.username as string)
      .first()
      .waitFor();
  });

  it.runIf(screen === 'desktop')('whoever has no account here is told so, and finds back', async () => {
    provider.add('stranger', { username: 'stranger' });
    const { page, say } = await open(screen, language);
    await page.goto(`${origin}/admin`);
    await page
      .getByRole('link', { name: say(providerTexts)('signInAt', { name: 'School account' }) })
      .click();
    await signInThere(page, 'stranger');
    await page
      .getByText(language === 'zh-CN' ? '没有与您所用账号对应的' : 'No account here fits')
      .first()
      .waitFor();
    await page
      .getByRole('link', { name: language === 'zh-CN' ? '返回登录页' : 'Back to the sign-in page' })
      .click();
    await page.getByRole('heading', { level: 1, name: say(texts)('adminTitle') }).waitFor();
  });

  it.runIf(screen === 'phone')('a super administrator sets one up, tests it, and takes it away', async () => {
    const second = await IdentityProvider.start([`${origin}/api/auth/sso/callback`]);
    const { page, context, say, complaints } = await open(screen, language);
    await context.request.post(`${origin}/api/auth/login`, { data: { ...superAdmin, confirmations: true } });
    await context.addInitScript(
      `if (location.origin === '${origin}') localStorage.setItem('classledger.admin-signed-in', '1');`,
    );
    const t = say(pageTexts);
    await page.goto(`${origin}/admin/schools`);
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: school.name }) }).click();
    await page.getByRole('menuitem', { name: say(schoolTexts)('singleSignOn') }).click();
    await page.getByText(`${origin}/api/auth/sso/callback`).waitFor();
    await page.getByRole('button', { name: t('addProvider') }).click();
    const dialog = page.getByRole('dialog', { name: t('addTitle') });
    await dialog.getByLabel(t('nameLabel')).fill('Second account');
    await dialog.getByLabel(t('issuer')).fill(second.issuer);
    // What was typed is not lost by a key.
    await page.keyboard.press('Escape');
    await dialog.getByLabel(t('clientId')).fill(client.clientId);
    await dialog.getByLabel(t('clientSecret')).fill('wrong-secret');
    await dialog.getByRole('button', { name: say(commonTexts)('add'), exact: true }).click();
    await page.getByText(t('added', { name: 'Second account' })).waitFor();

    const row = page.getByRole(screen === 'phone' ? 'listitem' : 'row').filter({ hasText: 'Second account' });
    await row.getByRole('button', { name: t('test'), exact: true }).click();
    await page.getByText(t('found_clientRejected')).waitFor();
    const menu = row.getByRole('button', { name: say(listTexts)('actionsFor', { name: 'Second account' }) });
    await menu.click();
    await page.getByRole('menuitem', { name: say(commonTexts)('edit') }).click();
    const editing = page.getByRole('dialog', { name: t('editTitle', { name: 'Second account' }) });
    await editing.getByLabel(t('clientSecret')).fill(client.clientSecret);
    await editing.getByRole('button', { name: say(commonTexts)('save'), exact: true }).click();
    await editing.waitFor({ state: 'detached' });
    await row.getByRole('button', { name: t('test'), exact: true }).click();
    await page.getByText(t('found_ok', { name: 'Second account' })).waitFor();

    await page.getByLabel(t('studentPasswords')).click();
    await page.getByText(t('saved')).first().waitFor();
    const visitor = await open(screen, language);
    await visitor.page.goto(`${origin}/student?school=${schoolDb}`);
    await visitor.page.getByText(say(providerTexts)('onlyHere')).waitFor();
    await page.getByLabel(t('studentPasswords')).click();
    await expect
      .poll(async () => (await ways.admin.get(`/sign-in-providers/local?schoolDb=${schoolDb}`)).data)
      .toMatchObject({ students: true });

    await menu.click();
    await page.getByRole('menuitem', { name: t('remove') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('remove') })
      .click();
    await page.getByText(t('removed', { name: 'Second account' })).waitFor();
    expect(complaints).toEqual([]);
    await second.stop();
  });
});
