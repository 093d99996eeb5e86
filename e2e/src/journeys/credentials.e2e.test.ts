import { expect } from 'vitest';
import { credentialClient } from '../../../server/test/identities.ts';
import { texts as auditTexts } from '../../../web/src/admin/access/audit-log/texts.ts';
import { permissionTexts } from '../../../web/src/admin/access/credentials/permission-texts.ts';
import { texts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';
import { waitForFocusIn } from '../harness/page-actions.ts';

describeJourneys('API credentials', ['class', 'school'], (journey) => {
  journey('staff issue, edit, disable and revoke a credential, and list its calls', async (visit) => {
    const { page, say, go, row, choose, traveller, school, app, origin, admin, password } = visit;
    const t = say(texts);
    const p = say(permissionTexts);
    const a = say(auditTexts);
    const l = say(listTexts);
    const dialog = page.getByRole('dialog');
    const act = async (action: string) => {
      await page.getByRole('button', { name: l('actionsFor', { name: 'Campus card' }) }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const elsewhere = school.grades[1].classes[0].id;
    const canteen = await school.issue({ scopeType: 'class', scopeClassId: elsewhere, name: 'Canteen' });
    await canteen.get('/students');
    visit.forgive(/403/);
    await go('/admin/api-tokens');

    await page
      .getByRole('button', { name: t('issue') })
      .first()
      .click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Campus card');
    if (traveller === 'class') await dialog.getByText('Grade 1 Class A').waitFor();
    else {
      await dialog.getByText(t('oneClass'), { exact: true }).click();
      await choose(dialog, a('class'), 'Class B');
    }
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    const issue = dialog.getByRole('button', { name: t('issueButton') });
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill('not this one');
    await issue.click();
    await dialog.getByText(t('wrongPassword')).waitFor();
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill(password);
    await issue.click();
    const token = (await dialog.getByLabel(t('token'), { exact: true }).textContent()) ?? '';
    await dialog.getByText(`${token}" ${origin}/api/v1/ping`, { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: t('copiedDone') }).click();

    const card = credentialClient(app.app.http, token, 0);
    expect(await card.get('/students')).toMatchObject({ status: 200, data: { total: 3 } });
    expect((await card.delete('/students/1')).status).toBe(403);
    await act(a('edit'));
    await dialog.getByRole('button', { name: t('presetNone') }).click();
    await dialog.getByRole('checkbox', { name: p('scores:read') }).check();
    await dialog.getByRole('button', { name: a('save') }).click();
    await row('Campus card')
      .getByText(t('permissionCount', { count: 1 }))
      .waitFor();
    await expect.poll(() => row('Canteen').count()).toBe(traveller === 'class' ? 0 : 1);
    await act(a('disable'));
    await dialog.getByRole('button', { name: a('disable') }).click();
    await row('Campus card').getByText(t('aboutDisabled')).waitFor();
    expect((await card.get('/students')).status).toBe(401);

    await act(t('showCalls'));
    await page.getByText(a('count', { count: 3 }), { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: a('onlyFailed') }).check();
    await page.getByText(a('count', { count: 2 }), { exact: true }).waitFor();
    const call = { method: 'DELETE', path: '/api/v1/students/1' };
    await page.getByRole('button', { name: a('details', call) }).click();
    await dialog.getByText(a('statusOf', { status: 403, outcome: a('refused') })).waitFor();
    await waitForFocusIn(page, 'dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page
      .getByRole('main')
      .getByRole('link', { name: a('toCredentials') })
      .click();
    await act(t('revoke'));
    await dialog.getByLabel(say(sharedTexts)('yourPassword')).fill(password);
    await dialog.getByRole('button', { name: t('revoke') }).click();
    await row('Campus card').waitFor({ state: 'detached' });
    const { data } = await admin.get(`/api-tokens?schoolDb=${school.schoolDb}`);
    expect((data as { name: string }[]).map(({ name }) => name)).toEqual(['Canteen', 'office']);
  });
});
