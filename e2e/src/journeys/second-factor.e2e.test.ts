import { expect } from 'vitest';
import { codeOfStep, fromBase32 } from '../../../server/src/features/second-factor/totp.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as credentialTexts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as factorTexts } from '../../../web/src/admin/access/factors/texts.ts';
import { texts as securityTexts } from '../../../web/src/admin/installation/security/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { factorTexts as signInFactorTexts } from '../../../web/src/session/factor-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { plugIn } from '../harness/authenticator.ts';
import { describeJourneys, type Journey, type Visit } from '../harness/journeys.ts';

const codeNow = ({ app }: Visit, secret: string) =>
  codeOfStep(fromBase32(secret.replaceAll(' ', '')), Math.floor(app.clock.now().getTime() / 30_000));

const isIn = ({ page, say }: Visit) =>
  page.getByRole('heading', { level: 1, name: say(accountTexts)('title') }).waitFor();

async function signInWithForm({ page, say, go, context, username, password }: Visit): Promise<void> {
  const t = say(sessionTexts);
  await context.clearCookies();
  await go('/admin/account');
  await page.getByLabel(t('username')).fill(username);
  await page.getByLabel(t('password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('signIn'), exact: true }).click();
}

async function takeRecoveryCodes({ page, say }: Visit): Promise<string[]> {
  const f = say(factorTexts);
  const shown = page.getByRole('dialog', { name: f('codesTitle') });
  await shown.waitFor();
  const codes = await shown.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await shown.getByRole('button', { name: f('savedThem') }).click();
  await shown.waitFor({ state: 'hidden' });
  return codes;
}

describeJourneys('a code app', ['class'], (journey) => {
  journey('is set up, asked for at sign-in, replaced once by a recovery code, and removed', async (visit) => {
    const { page, say, go, app, username, password, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    await go('/admin/account');
    const card = page.getByRole('region', { name: f('title') });
    await card.getByRole('button', { name: `${f('setUp')}: ${f('app')}` }).click();
    const dialog = page.getByRole('dialog', { name: f('appTitle') });
    await dialog.getByRole('img', { name: f('qrLabel') }).waitFor();
    const secret = (await dialog.getByRole('status').textContent()) ?? '';
    const code = dialog.getByLabel(f('code'), { exact: true });
    forgive(/40[01]/);
    await code.fill('000000');
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    await dialog.getByText(f('wrongCode')).waitFor();
    await code.fill(codeNow(visit, secret));
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    const [recoveryCode = ''] = await takeRecoveryCodes(visit);
    await card.getByText(f('codesLeft', { count: 10 })).waitFor();

    // A code works once, so the setup's code fails.
    await signInWithForm(visit);
    await page.getByRole('heading', { level: 1, name: s('codeTitle') }).waitFor();
    await page.getByText(s('codeText')).waitFor();
    await page.getByLabel(s('code')).fill(codeNow(visit, secret));
    await page.getByText(s('wrongCode')).waitFor();
    app.clock.advance(60_000);
    await page.getByLabel(s('code')).fill(codeNow(visit, secret));
    await isIn(visit);

    await signInWithForm(visit);
    await page.getByRole('button', { name: s('useRecovery') }).click();
    await page.getByLabel(s('recoveryCode')).fill(recoveryCode);
    await page.getByRole('button', { name: say(sessionTexts)('signIn'), exact: true }).click();
    await isIn(visit);
    await card.getByText(f('codesLeft', { count: 9 })).waitFor();

    await expect(app.signIn(username, password)).rejects.toThrow();
    await card.getByRole('button', { name: `${f('remove')}: ${f('app')}` }).click();
    const question = page.getByRole('dialog', { name: f('removeAppTitle') });
    await question.getByRole('button', { name: f('remove') }).click();
    await card.getByText(f('appNone')).waitFor();
    await app.signIn(username, password);
  });
});

describeJourneys('a passkey', ['school'], passkeyJourney, { host: 'localhost' });

function passkeyJourney(journey: Journey): void {
  journey('is added, and signs in without a password', async (visit) => {
    const { page, say, go, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    await plugIn(visit);
    await go('/admin/account');
    const card = page.getByRole('region', { name: f('title') });
    await card.getByRole('button', { name: f('addPasskey') }).click();
    const naming = page.getByRole('dialog', { name: f('addPasskey') });
    await naming.getByLabel(f('passkeyName')).fill('Laptop');
    await naming.getByRole('button', { name: f('save') }).click();
    await takeRecoveryCodes(visit);
    await card.getByText('Laptop').waitFor();

    await visit.context.clearCookies();
    await go('/admin/account');
    forgive(/401/);
    await page.getByRole('button', { name: s('withPasskey') }).click();
    await isIn(visit);
  });

  journey('replaces the password when an API credential is issued and revoked', async (visit) => {
    const { page, say, goOn, row, app, admin, school, forgive } = visit;
    const t = say(credentialTexts);
    const s = say(sharedTexts);
    const byPasskey = say(signInFactorTexts)('confirmWithPasskey');
    const named = async () =>
      ((await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`)).data as { name: string }[]).filter(
        ({ name }) => name === 'Library',
      );
    await goOn('/admin/api-tokens');
    await page
      .getByRole('button', { name: t('issue') })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('name') }).fill('Library');
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    const issue = dialog.getByRole('button', { name: t('issueButton') });
    forgive(/403/);
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill('not this one');
    await issue.click();
    await dialog.getByText(t('wrongPassword')).waitFor();
    expect(await named()).toEqual([]);
    await dialog.getByRole('button', { name: byPasskey }).click();
    await dialog.getByText(s('identityConfirmed')).waitFor();
    expect(await dialog.getByText(t('wrongPassword')).count()).toBe(0);
    await issue.click();
    await dialog.getByRole('button', { name: t('copiedDone') }).click();
    await row('Library').waitFor();

    app.clock.advance(11 * 60_000);
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: 'Library' }) }).click();
    await page.getByRole('menuitem', { name: t('revoke') }).click();
    const revoke = dialog.getByRole('button', { name: t('revoke') });
    await expect.poll(() => revoke.isDisabled()).toBe(true);
    await dialog.getByLabel(s('yourPassword')).fill('not this one');
    await revoke.click();
    await dialog.getByText(t('wrongPassword')).waitFor();
    expect(await named()).toHaveLength(1);
    await dialog.getByRole('button', { name: byPasskey }).click();
    await dialog.getByText(s('identityConfirmed')).waitFor();
    expect(await dialog.getByText(t('wrongPassword')).count()).toBe(0);
    await revoke.click();
    await row('Library').waitFor({ state: 'detached' });
    expect(await named()).toEqual([]);
  });

  journey('confirms its own removal', async (visit) => {
    const { page, say, goOn, app, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    forgive(/403/);
    await goOn('/admin/account');
    const card = page.getByRole('region', { name: f('title') });
    app.clock.advance(11 * 60_000);
    await card.getByRole('button', { name: say(listTexts)('actionsFor', { name: 'Laptop' }) }).click();
    await page.getByRole('menuitem', { name: f('delete') }).click();
    const question = page.getByRole('dialog', { name: f('removePasskeyTitle', { name: 'Laptop' }) });
    await question.getByRole('button', { name: f('delete') }).click();
    const who = page.getByRole('dialog', { name: say(confirmTexts)('confirmTitle') });
    await who.getByRole('button', { name: s('confirmWithPasskey') }).click();
    // The notice disappears after seconds, so check it first.
    await page.getByText(f('removed')).waitFor();
    await card.getByText('Laptop').waitFor({ state: 'hidden' });
  });
}

describeJourneys('a role that needs a second factor', ['super'], (journey) => {
  journey('makes its people set up a code app, which an administrator can reset', async (visit) => {
    const { page, say, go, goOn, app, admin, school, origin, row, forgive } = visit;
    const f = say(factorTexts);
    const a = say(administratorTexts);
    const y = say(securityTexts);
    const name = `lin-${school.id}`;
    const password = 'password of lin';
    const classId = school.grades[0].classes[0].id;
    await admin.created('/admin/manage', {
      username: name,
      password,
      role: 'class_admin',
      schoolId: school.id,
      classId,
    });
    await app.database.pool.query('UPDATE admin SET password_is_initial = false');
    await go('/admin/security');
    // The page prevents a super administrator without a second factor from locking themselves out.
    const roleSwitch = (role: 'super_admin' | 'class_admin') =>
      page.getByRole('switch', { name: say(shellTexts)(role) });
    await expect.poll(() => roleSwitch('super_admin').isDisabled()).toBe(true);
    await roleSwitch('class_admin').click();
    const warning = page.getByRole('dialog', { name: y('requireTitle') });
    await warning.getByRole('button', { name: y('require') }).click();
    await expect
      .poll(
        async () => ((await admin.get('/second-factor-roles')).data as FactorRoles).roles.at(-1)?.isRequired,
      )
      .toBe(true);

    const lin = await visit.context.browser()?.newContext({ locale: 'en', viewport: page.viewportSize() });
    if (!lin) throw new Error('No browser');
    await lin.addInitScript(`localStorage.setItem('classledger.language', '${visit.language}')`);
    const theirs = await lin.newPage();
    await theirs.goto(`${visit.origin}/admin`);
    await theirs.getByLabel(say(sessionTexts)('username')).fill(name);
    await theirs.getByLabel(say(sessionTexts)('password'), { exact: true }).fill(password);
    await theirs.getByRole('button', { name: say(sessionTexts)('signIn'), exact: true }).click();
    await theirs.getByRole('heading', { level: 1, name: f('firstTitle') }).waitFor();
    await theirs.getByRole('button', { name: `${f('setUp')}: ${f('app')}` }).click();
    const dialog = theirs.getByRole('dialog', { name: f('appTitle') });
    const secret = (await dialog.getByRole('status').textContent()) ?? '';
    await dialog.getByLabel(f('code'), { exact: true }).fill(codeNow(visit, secret));
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    await takeRecoveryCodes({ ...visit, page: theirs });
    await theirs.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') }).waitFor();

    forgive(/403/);
    app.clock.advance(1_000);
    await goOn('/admin/administrators');
    await row(name)
      .getByRole('button', { name: say(listTexts)('actionsFor', { name }) })
      .click();
    await page.getByRole('menuitem', { name: a('resetFactor') }).click();
    const question = page.getByRole('dialog', { name: a('resetFactorTitle', { name }) });
    await question.getByRole('button', { name: a('resetFactor') }).click();
    await page.getByText(a('resetFactorDone', { name })).waitFor();
    expect((await lin.request.get(`${origin}/api/auth/me`)).status()).toBe(401);
    await lin.close();
    await admin.patch('/second-factor-roles', { roles: [] });
  });
});

interface FactorRoles {
  readonly roles: readonly { readonly isRequired: boolean }[];
}
