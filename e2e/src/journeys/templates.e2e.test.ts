import { limits, type Template } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/school/templates/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';

describeJourneys('templates', ['class', 'grade', 'school', 'super'], (journey) => {
  journey('are added, edited and deleted within the rights of the role', async (visit) => {
    const { page, say, go, choose, traveller, school, admin } = visit;
    const t = say(texts);
    const mayWhole = traveller === 'super' || traveller === 'school';
    if (!mayWhole) {
      const shared = { schoolDb: school.schoolDb, name: 'Courtesy', scoreChange: 1 };
      await admin.created('/scores/templates', shared);
    }
    await go('/admin/templates');

    await page.getByRole('button', { name: t('addTemplate'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('name') }).fill('<b>Homework</b>');
    await dialog.getByText(t('minus'), { exact: true }).click();
    await dialog.getByRole('textbox', { name: t('points') }).fill('0');
    await dialog.getByRole('button', { name: t('add') }).click();
    await dialog.getByText(t('pointsRange', { max: limits.scoreChangeMax })).waitFor();
    await dialog.getByRole('textbox', { name: t('points') }).fill('2');
    if (traveller === 'grade') await choose(dialog, t('where'), 'Class B');
    await dialog.getByRole('button', { name: t('add') }).click();
    await page.getByText(t('added', { name: '<b>Homework</b>' })).waitFor();

    const group = { grade: 'Class B', class: 'Class A' }[String(traveller)] ?? t('schoolWide');
    const list = page.getByRole('region', { name: `${group} ${t('minus')}` });
    await list.getByText('−2').waitFor();
    // Only administrators of the whole school may change school-wide templates.
    const menuOf = (name: string) =>
      page.getByRole('button', { name: say(listTexts)('actionsFor', { name }), exact: true });
    await expect.poll(() => menuOf('Courtesy').count()).toBe(0);

    await menuOf('<b>Homework</b>').click();
    await page.getByRole('menuitem', { name: t('edit') }).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Late');
    await dialog.getByRole('button', { name: t('save') }).click();
    await list.getByText('Late').waitFor();
    await menuOf('Late').click();
    await page.getByRole('menuitem', { name: t('delete') }).click();
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deleted', { name: 'Late' })).waitFor();
    const { data } = await admin.get(`/scores/templates?schoolDb=${school.schoolDb}`);
    expect((data as { name: string }[]).map(({ name }) => name)).toEqual(mayWhole ? [] : ['Courtesy']);
  });

  journey('are filled with ten common ones, which resume after an error', async (visit) => {
    const { page, say, go, traveller, school, admin, forgive } = visit;
    const t = say(texts);
    const ofSchool = `/scores/templates?schoolDb=${school.schoolDb}`;
    const listed = async () => (await admin.get(ofSchool)).data as Template[];
    for (const { id } of await listed()) {
      await admin.delete(`/scores/templates/${id}?schoolDb=${school.schoolDb}`);
    }
    let calls = 0;
    await page.route('**/api/scores/templates', (route) => {
      if (route.request().method() === 'POST') calls += 1;
      return calls === 4 ? route.fulfill({ status: 500, json: { success: false } }) : route.continue();
    });
    forgive(/500/);
    await go('/admin/templates');
    await page.getByRole('heading', { name: t('emptyTitle') }).waitFor();
    const add = page.getByRole('button', { name: t('starterAdd', { count: 10 }) });
    if (traveller === 'grade') {
      // A grade head has no single class for them.
      await expect.poll(() => add.count()).toBe(0);
      return;
    }
    await add.click();
    await page.getByText(t('starterProgressed', { done: 3, total: 10 })).waitFor();
    await page.getByRole('button', { name: t('starterGoOn') }).click();
    await page.getByText(t('starterAdded', { count: 10 })).waitFor();
    await page.getByText(t('commonDisturbs')).waitFor();
    const classId = traveller === 'class' ? school.grades[0].classes[0].id : null;
    const made = await listed();
    expect(made.map(({ scoreChange }) => scoreChange)).toEqual([1, 1, 1, 2, 2, 3, -1, -1, -2, -2]);
    expect(new Set(made.map((one) => one.classId))).toEqual(new Set([classId]));
  });
});
