import { limits, type Template } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/school/templates/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';

describeJourneys('templates', ['class', 'school', 'super'], (journey) => {
  journey('staff add ten common templates despite an error, and edit and delete one', async (visit) => {
    const { page, say, go, traveller, school, admin, forgive } = visit;
    const t = say(texts);
    const ofSchool = `/scores/templates?schoolDb=${school.schoolDb}`;
    const listed = async () => (await admin.get(ofSchool)).data as Template[];
    let calls = 0;
    await page.route('**/api/scores/templates', (route) => {
      if (route.request().method() === 'POST') calls += 1;
      return calls === 4 ? route.fulfill({ status: 500, json: { success: false } }) : route.continue();
    });
    forgive(/500/);
    await go('/admin/templates');
    await page.getByRole('heading', { name: t('emptyTitle') }).waitFor();
    await page.getByRole('button', { name: t('starterAdd', { count: 10 }) }).click();
    await page.getByText(t('starterProgressed', { done: 3, total: 10 })).waitFor();
    await page.getByRole('button', { name: t('starterGoOn') }).click();
    await page.getByText(t('starterAdded', { count: 10 })).waitFor();
    await page.getByText(t('commonDisturbs')).waitFor();
    const classId = traveller === 'class' ? school.grades[0].classes[0].id : null;
    const made = await listed();
    expect(made.map(({ scoreChange }) => scoreChange)).toEqual([1, 1, 1, 2, 2, 3, -1, -1, -2, -2]);
    expect(new Set(made.map((one) => one.classId))).toEqual(new Set([classId]));

    await page.getByRole('button', { name: t('addTemplate'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('name') }).fill('<b>Homework</b>');
    await dialog.getByText(t('minus'), { exact: true }).click();
    await dialog.getByRole('textbox', { name: t('points') }).fill('0');
    await dialog.getByRole('button', { name: t('add') }).click();
    await dialog.getByText(t('pointsRange', { max: limits.scoreChangeMax })).waitFor();
    await dialog.getByRole('textbox', { name: t('points') }).fill('7');
    await dialog.getByRole('button', { name: t('add') }).click();
    await page.getByText(t('added', { name: '<b>Homework</b>' })).waitFor();
    const group = traveller === 'class' ? 'Class A' : t('schoolWide');
    const list = page.getByRole('region', { name: `${group} ${t('minus')}` });
    await list.getByText('−7').waitFor();
    const act = async (name: string, action: string) => {
      const menu = { name: say(listTexts)('actionsFor', { name }), exact: true };
      await page.getByRole('button', menu).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('<b>Homework</b>', t('edit'));
    await dialog.getByRole('textbox', { name: t('name') }).fill('Late again');
    await dialog.getByRole('button', { name: t('save') }).click();
    await list.getByText('Late again').waitFor();
    await act('Late again', t('delete'));
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deleted', { name: 'Late again' })).waitFor();
    expect(await listed()).toHaveLength(10);
  });
});
