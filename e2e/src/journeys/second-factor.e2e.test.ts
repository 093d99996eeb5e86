import { expect } from 'vitest';
import { codeOfStep, fromBase32 } from '../../../server/src/features/second-factor/totp.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { texts as credentialTexts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as factorTexts } from '../../../web/src/admin/access/factors/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { factorTexts as signInFactorTexts } from '../../../web/src/session/factor-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { describeJourneys, type Journey, type Visit } from '../harness/journeys.ts';

const isIn = ({ page, say }: Visit) =>
  page.getByRole('heading', { level: 1, name: say(accountTexts)('title') }).waitFor();

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
  journey('a teacher sets up a code app, signs in with codes, and removes the app', async (visit) => {
    const { page, context, say, go, app, admin, username, password, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    const t = say(sessionTexts);
    const signIn = page.getByRole('button', { name: t('signIn'), exact: true });
    const signInWithForm = async () => {
      await context.clearCookies();
      await go('/admin/account');
      await page.getByLabel(t('username')).fill(username);
      await page.getByLabel(t('password'), { exact: true }).fill(password);
      await signIn.click();
    };
    await admin.patch('/second-factor-roles', { roles: ['class_admin'] });
    forgive(/40[013]/);
    await go('/admin');
    await page.getByRole('heading', { level: 1, name: f('firstTitle') }).waitFor();
    await page.getByRole('button', { name: `${f('setUp')}: ${f('app')}` }).click();
    const dialog = page.getByRole('dialog', { name: f('appTitle') });
    await dialog.getByRole('img', { name: f('qrLabel') }).waitFor();
    const secret = (await dialog.getByRole('status').textContent()) ?? '';
    const codeNow = () =>
      codeOfStep(fromBase32(secret.replaceAll(' ', '')), Math.floor(app.clock.now().getTime() / 30_000));
    const code = dialog.getByLabel(f('code'), { exact: true });
    await code.fill('000000');
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    await dialog.getByText(f('wrongCode')).waitFor();
    await code.fill(codeNow());
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    const [recoveryCode = ''] = await takeRecoveryCodes(visit);
    await page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') }).waitFor();

    // A code works once, so the setup's code fails.
    await signInWithForm();
    await page.getByText(s('codeText')).waitFor();
    await page.getByLabel(s('code')).fill(codeNow());
    await page.getByText(s('wrongCode')).waitFor();
    app.clock.advance(60_000);
    await page.getByLabel(s('code')).fill(codeNow());
    await isIn(visit);

    await signInWithForm();
    await page.getByRole('button', { name: s('useRecovery') }).click();
    await page.getByLabel(s('recoveryCode')).fill(recoveryCode);
    await signIn.click();
    await isIn(visit);
    const card = page.getByRole('region', { name: f('title') });
    await card.getByText(f('codesLeft', { count: 9 })).waitFor();

    await admin.patch('/second-factor-roles', { roles: [] });
    await card.getByRole('button', { name: `${f('remove')}: ${f('app')}` }).click();
    const question = page.getByRole('dialog', { name: f('removeAppTitle') });
    await question.getByRole('button', { name: f('remove') }).click();
    await card.getByText(f('appNone')).waitFor();
  });
});

describeJourneys('a passkey', ['school'], passkeyJourney, { host: 'localhost' });

function passkeyJourney(journey: Journey): void {
  journey('a passkey signs staff in and confirms actions in place of the password', async (visit) => {
    const { page, context, say, go, goOn, row, app, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    const t = say(credentialTexts);
    const shared = say(sharedTexts);
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await plugIn(visit);
    await go('/admin/account');
    const card = page.getByRole('region', { name: f('title') });
    await card.getByRole('button', { name: f('addPasskey') }).click();
    const naming = page.getByRole('dialog', { name: f('addPasskey') });
    await naming.getByLabel(f('passkeyName')).fill('Laptop');
    await naming.getByRole('button', { name: f('save') }).click();
    await takeRecoveryCodes(visit);
    await card.getByText('Laptop').waitFor();

    await context.clearCookies();
    await go('/admin/account');
    forgive(/40[13]/);
    await page.getByRole('button', { name: s('withPasskey') }).click();
    await isIn(visit);

    const dialog = page.getByRole('dialog');
    const confirmByPasskey = async () => {
      await dialog.getByRole('button', { name: s('confirmWithPasskey') }).click();
      await dialog.getByText(shared('identityConfirmed')).waitFor();
      expect(await dialog.getByText(t('wrongPassword')).count()).toBe(0);
    };
    await goOn('/admin/api-tokens');
    await page
      .getByRole('button', { name: t('issue') })
      .first()
      .click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Library');
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    await confirmByPasskey();
    await dialog.getByRole('button', { name: t('issueButton') }).click();
    await dialog.getByRole('button', { name: t('copiedDone') }).click();
    app.clock.advance(11 * 60_000);
    await act('Library', t('revoke'));
    const revoke = dialog.getByRole('button', { name: t('revoke') });
    await dialog.getByLabel(shared('yourPassword')).fill('not this one');
    await revoke.click();
    await dialog.getByText(t('wrongPassword')).waitFor();
    await confirmByPasskey();
    await revoke.click();
    await row('Library').waitFor({ state: 'detached' });

    await goOn('/admin/account');
    app.clock.advance(11 * 60_000);
    await act('Laptop', f('delete'));
    const question = page.getByRole('dialog', { name: f('removePasskeyTitle', { name: 'Laptop' }) });
    await question.getByRole('button', { name: f('delete') }).click();
    const who = page.getByRole('dialog', { name: say(confirmTexts)('confirmTitle') });
    await who.getByRole('button', { name: s('confirmWithPasskey') }).click();
    await card.getByText('Laptop').waitFor({ state: 'hidden' });
  });
}

/** Adds a virtual authenticator to the browser, like a fingerprint reader. */
async function plugIn({ context, page }: Visit): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
