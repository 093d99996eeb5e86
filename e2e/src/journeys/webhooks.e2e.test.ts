import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/access/webhooks/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';
import { seedWebhooks } from '../harness/webhooks.ts';

describeJourneys('webhooks', ['school'], (journey) => {
  journey('staff see failed deliveries, send them again, and pause and delete a webhook', async (visit) => {
    const { page, say, go, row, choose, admin, school } = visit;
    const t = say(texts);
    const dialog = page.getByRole('dialog');
    const [screen, old] = ['screen.riverside.example', 'old.riverside.example:8443'];
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    const { failing, stopped } = await seedWebhooks(visit);
    await go('/admin/webhooks');
    await row(screen).getByText(t('failing')).first().waitFor();

    await act(screen, t('showDeliveries'));
    await page.getByText(t('aboutFailing'), { exact: true }).waitFor();
    await row('score.created 90414').getByText(t('waiting')).waitFor();
    await choose(page, t('state'), t('failed'));
    await row('score.created 90411').waitFor({ state: 'detached' });
    await row('422').getByRole('button').click();
    await page.getByText(t('sentAgain', { count: 1 })).waitFor();
    await row('422').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: t('sendSince') }).click();
    await dialog.getByLabel(t('since')).fill('2026-01-01T08:00');
    await dialog.getByRole('button', { name: t('sendAgain') }).click();
    await page.getByText(t('sentAgain', { count: 5 })).waitFor();

    await page
      .getByRole('main')
      .getByRole('link', { name: t('title'), exact: true })
      .click();
    await act(old, t('resume'));
    await row(old).getByText(t('active')).first().waitFor();
    await act(screen, t('pause'));
    await dialog.getByRole('button', { name: t('pause') }).click();
    await row(screen).getByText(t('paused')).first().waitFor();
    await act('parents.riverside.example', t('remove'));
    await dialog.getByRole('button', { name: t('remove') }).click();
    await row('parents.riverside.example').waitFor({ state: 'detached' });
    const { data } = await admin.get(`/webhooks?schoolDb=${school.schoolDb}`);
    expect(data).toMatchObject([
      { id: failing, active: false, stoppedBecause: null },
      { id: stopped, active: true, stoppedBecause: null },
    ]);
  });
});
