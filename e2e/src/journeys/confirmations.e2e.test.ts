import { expect } from 'vitest';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as credentialTexts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as factorTexts } from '../../../web/src/admin/access/factors/texts.ts';
import { texts as schoolTexts } from '../../../web/src/admin/installation/school-texts.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { factorTexts as proofTexts } from '../../../web/src/session/factor-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { plugIn } from '../harness/authenticator.ts';
import { describeJourneys, type Journey, type Visit } from '../harness/journeys.ts';
import { signInWithForm } from '../harness/sign-in-form.ts';

/** A sign-in or confirmation counts for ten minutes. */
const letItGrowOld = ({ app }: Visit) => app.clock.advance(11 * 60_000);

/**
 * Answers the question that an older session meets: first with a wrong password, then with the right one.
 *
 * @param expectUnchanged what must hold after the wrong one
 */
async function confirm(visit: Visit, expectUnchanged: () => Promise<void>): Promise<void> {
  const { page, say, password } = visit;
  const t = say(confirmTexts);
  const question = page.getByRole('dialog', { name: t('confirmTitle') });
  const own = question.getByLabel(say(sessionTexts)('password'), { exact: true });
  const button = question.getByRole('button', { name: t('confirm'), exact: true });
  await own.fill('not this one');
  await button.click();
  await question.getByText(t('wrongPassword')).waitFor();
  await expectUnchanged();
  await own.fill(password);
  await button.click();
  await question.waitFor({ state: 'detached' });
}

describeJourneys('an older session', ['super'], (journey) => {
  journey('is asked who sits there before it creates an administrator', async (visit) => {
    const { page, say, row, choose, admin, school, forgive } = visit;
    const t = say(administratorTexts);
    const l = say(listTexts);
    const username = `feng-${school.id}`;
    const found = async () =>
      (await admin.get(`/admin/list?schoolDb=${school.schoolDb}&search=${username}`)).data as unknown[];
    await signInWithForm(visit, '/admin/administrators');
    await page
      .getByRole('button', { name: t('add') })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: t('add') });
    await dialog.getByRole('textbox', { name: l('username') }).fill(username);
    await choose(dialog, t('role'), say(shellTexts)('school_admin'));
    letItGrowOld(visit);
    forgive(/40[13]/);
    await dialog.getByRole('button', { name: t('add') }).click();
    await confirm(visit, async () => expect(await found()).toEqual([]));
    await page.getByRole('button', { name: l('done') }).click();
    await row(username).waitFor();
    expect(await found()).toHaveLength(1);
  });

  journey('is asked who sits there before it deletes a school', async (visit) => {
    const { page, say, row, admin, screen, language, forgive } = visit;
    const t = say(schoolTexts);
    const name = `Closing ${screen} ${language}`;
    await admin.created('/schools', { name });
    const names = async () =>
      ((await admin.get('/schools')).data as { name: string }[]).map((school) => school.name);
    await signInWithForm(visit, '/admin/schools');
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
    await page.getByRole('menuitem', { name: t('delete') }).click();
    const dialog = page.getByRole('dialog', { name: t('deleteTitle', { name }) });
    await dialog.getByLabel(say(sharedTexts)('typeToConfirm', { text: name })).fill(name);
    letItGrowOld(visit);
    forgive(/40[13]/);
    await dialog.getByRole('button', { name: t('deleteConfirm') }).click();
    await confirm(visit, async () => expect(await names()).toContain(name));
    await row(name).waitFor({ state: 'detached' });
    expect(await names()).not.toContain(name);
  });
});

describeJourneys('an API credential', ['school'], proofsAtCredential, { host: 'localhost' });

function proofsAtCredential(journey: Journey): void {
  journey('asks for the password or a passkey when it is issued and revoked', async (visit) => {
    const { page, say, go, row, admin, school, forgive } = visit;
    const t = say(credentialTexts);
    const f = say(factorTexts);
    const s = say(sharedTexts);
    const byPasskey = say(proofTexts)('confirmWithPasskey');
    const named = async () =>
      ((await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`)).data as { name: string }[]).filter(
        ({ name }) => name === 'Library',
      );
    await plugIn(visit);
    await go('/admin/account');
    const factors = page.getByRole('region', { name: f('title') });
    await factors.getByRole('button', { name: f('addPasskey') }).click();
    const naming = page.getByRole('dialog', { name: f('addPasskey') });
    await naming.getByLabel(f('passkeyName')).fill('Laptop');
    await naming.getByRole('button', { name: f('save') }).click();
    await page
      .getByRole('dialog', { name: f('codesTitle') })
      .getByRole('button', { name: f('savedThem') })
      .click();
    await factors.getByText('Laptop').waitFor();

    await go('/admin/api-tokens');
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

    letItGrowOld(visit);
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
}
