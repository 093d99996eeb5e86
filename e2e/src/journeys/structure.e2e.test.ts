import type { ClassSummary } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/school/structure/texts.ts';
import { texts as studentTexts } from '../../../web/src/admin/students/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('grades and classes', ['school', 'grade', 'class', 'super'], (journey) => {
  journey('are added, renamed, moved and deleted within the rights of the role', async (visit) => {
    const { page, say, go, traveller, forgive } = visit;
    const t = say(texts);
    const whole = traveller === 'super' || traveller === 'school';
    await go('/admin/structure');
    const tree = page.getByRole('list', { name: t('tree') });
    await tree.getByRole('link').first().waitFor();
    const inGrade = traveller === 'class' ? ['Class A'] : ['Class A', 'Class B'];
    await expect
      .poll(() => tree.getByRole('link').allInnerTexts())
      .toEqual(whole ? [...inGrade, ...inGrade] : inGrade);

    const grade = whole ? 'Grade 9' : 'Grade 1';
    const addGrade = page.getByRole('button', { name: t('addGrade') });
    const addClass = page.getByRole('button', { name: t('addClassTo', { grade }) });
    const ofGrade = page.getByRole('button', { name: say(listTexts)('actionsFor', { name: 'Grade 1' }) });
    for (const button of [addGrade, ofGrade]) await expect.poll(() => button.count()).toBe(whole ? 1 : 0);
    if (whole) {
      await addGrade.click();
      const name = page.getByRole('textbox', { name: t('gradeName') });
      await name.fill(grade);
      await name.press('Enter');
      await addClass.waitFor();
    }
    await expect.poll(() => addClass.count()).toBe(traveller === 'class' ? 0 : 1);
    if (traveller !== 'class') {
      await addClass.click();
      for (const name of ['Class X', 'Class Y']) {
        const field = page.getByRole('textbox', { name: t('className', { grade }) });
        await field.fill(name);
        await field.press('Enter');
      }
      for (const name of ['Class X', 'Class Y']) await tree.getByRole('link', { name }).waitFor();
    }

    const dialog = page.getByRole('dialog');
    const old = traveller === 'class' ? 'Class A' : 'Class X';
    await openMenu(visit, old);
    await page.getByRole('menuitem', { name: t('rename') }).click();
    const name = dialog.getByRole('textbox', { name: t('name') });
    if (traveller !== 'class') {
      await name.fill('Class Y');
      await name.press('Enter');
      await dialog.getByText(t('classNameTaken')).waitFor();
      forgive(/409/);
    }
    await name.fill('<i>一班</i>');
    await name.press('Enter');
    const renamed = tree.getByRole('link', { name: '<i>一班</i>' });
    await renamed.waitFor();

    if (whole) {
      await openMenu(visit, '<i>一班</i>');
      await page.getByRole('menuitem', { name: t('move') }).click();
      await visit.choose(dialog, t('grade'), 'Grade 2');
      await dialog.getByRole('button', { name: t('moveConfirm') }).click();
      await tree.getByRole('list', { name: 'Grade 2' }).getByRole('link', { name: '<i>一班</i>' }).waitFor();
    }
    if (traveller !== 'class') {
      const doomed = whole ? 'Grade 2' : 'Class B';
      await openMenu(visit, doomed);
      await page.getByRole('menuitem', { name: t('delete') }).click();
      if (whole) await dialog.getByText(t('classes', { count: 3 })).waitFor();
      await dialog.getByText(t('studentCount', { count: whole ? 6 : 3 })).waitFor();
      const confirm = dialog.getByRole('button', { name: t('deleteConfirm') });
      await expect.poll(() => confirm.isDisabled()).toBe(true);
      await dialog.getByRole('textbox').fill(doomed);
      await confirm.click();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(await classNames(visit)).toEqual(
      {
        grade: [
          'Grade 1 Class A',
          'Grade 1 <i>一班</i>',
          'Grade 1 Class Y',
          'Grade 2 Class A',
          'Grade 2 Class B',
        ],
        class: ['Grade 1 <i>一班</i>', 'Grade 1 Class B', 'Grade 2 Class A', 'Grade 2 Class B'],
      }[String(traveller)]?.toSorted() ?? ['Grade 1 Class A', 'Grade 1 Class B', 'Grade 9 Class Y'],
    );

    const first = tree.getByRole('list', { name: 'Grade 1' });
    await first.getByRole('link', { name: whole ? 'Class B' : '<i>一班</i>' }).click();
    const count = traveller === 'grade' ? 0 : 3;
    const shown = page.getByRole('status').getByText(say(studentTexts)('matching', { count }));
    await shown.waitFor();
  });
});

const openMenu = ({ page, say }: Visit, name: string) =>
  page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();

async function classNames({ admin, school }: Visit): Promise<string[]> {
  const { data } = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
  return (data as ClassSummary[]).map((one) => `${one.gradeName} ${one.name}`).toSorted();
}
