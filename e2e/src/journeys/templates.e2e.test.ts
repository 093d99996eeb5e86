import { limits } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/pages/templates/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { administrators, describeJourneys } from '../harness/journeys.ts';

describeJourneys('templates', administrators, (journey) => {
  journey('are added, changed and deleted where the role may', async (visit) => {
    const { page, say, go, choose, traveller, school, admin } = visit;
    const t = say(texts);
    const c = say(commonTexts);
    const mayWhole = traveller === 'super' || traveller === 'school';
    if (!mayWhole) {
      const shared = { schoolDb: school.schoolDb, name: 'Courtesy', scoreChange: 1 };
      await admin.created('/scores/templates', shared);
    }
    await go('/admin/templates');

    await page.getByRole('button', { name: t('addTemplate') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('name') }).fill('<b>Homework</b>');
    await dialog.getByText(t('minus'), { exact: true }).click();
    await dialog.getByRole('textbox', { name: t('points') }).fill('0');
    await dialog.getByRole('button', { name: c('add') }).click();
    await dialog.getByText(t('pointsRange', { max: limits.scoreChangeMax })).waitFor();
    await dialog.getByRole('textbox', { name: t('points') }).fill('2');
    if (traveller === 'grade') await choose(dialog, t('where'), 'Class B');
    await dialog.getByRole('button', { name: c('add') }).click();
    await page.getByText(t('added', { name: '<b>Homework</b>' })).waitFor();

    const group = { grade: 'Class B', class: 'Class A' }[String(traveller)] ?? t('schoolWide');
    const list = page.getByRole('region', { name: `${group} ${t('minus')}` });
    await list.getByText('−2').waitFor();
    // What belongs to the whole school is not for everybody to change.
    expect(await page.getByRole('button', { name: t('editOf', { name: 'Courtesy' }) }).count()).toBe(0);

    await list.getByRole('button', { name: t('editOf', { name: '<b>Homework</b>' }) }).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Late');
    await dialog.getByRole('button', { name: c('save') }).click();
    await list.getByText('Late').waitFor();
    await list.getByRole('button', { name: t('deleteOf', { name: 'Late' }) }).click();
    await dialog.getByRole('button', { name: c('delete') }).click();
    await page.getByText(t('deleted', { name: 'Late' })).waitFor();
    const { data } = await admin.get(`/scores/templates?schoolDb=${school.schoolDb}`);
    expect((data as { name: string }[]).map(({ name }) => name)).toEqual(mayWhole ? [] : ['Courtesy']);
  });
});
