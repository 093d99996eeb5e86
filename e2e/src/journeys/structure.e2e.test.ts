import type { ClassSummary } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/school/structure/texts.ts';
import { texts as studentTexts } from '../../../web/src/admin/students/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';

describeJourneys('grades and classes', ['school', 'super'], (journey) => {
  journey('staff add, rename, move and delete grades and classes, and erase students', async (visit) => {
    const { page, say, go, choose, school, admin, forgive } = visit;
    const t = say(texts);
    await go('/admin/structure');
    const tree = page.getByRole('list', { name: t('tree') });
    const second = tree.getByRole('list', { name: 'Grade 2' });
    const act = async (name: string, action: string, where = tree) => {
      await where.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await page.getByRole('button', { name: t('addGrade') }).click();
    const gradeName = page.getByRole('textbox', { name: t('gradeName') });
    await gradeName.fill('Grade 9');
    await gradeName.press('Enter');
    await page.getByRole('button', { name: t('addClassTo', { grade: 'Grade 9' }) }).click();
    for (const name of ['Class X', 'Class Y']) {
      const field = page.getByRole('textbox', { name: t('className', { grade: 'Grade 9' }) });
      await field.fill(name);
      await field.press('Enter');
      await tree.getByRole('link', { name }).waitFor();
    }

    const dialog = page.getByRole('dialog');
    await act('Class X', t('rename'));
    const name = dialog.getByRole('textbox', { name: t('name') });
    forgive(/409/);
    await name.fill('Class Y');
    await name.press('Enter');
    await dialog.getByText(t('classNameTaken')).waitFor();
    await name.fill('<i>一班</i>');
    await name.press('Enter');
    await tree.getByRole('link', { name: '<i>一班</i>' }).waitFor();
    await act('<i>一班</i>', t('move'));
    await choose(dialog, t('grade'), 'Grade 2');
    await dialog.getByRole('button', { name: t('moveConfirm') }).click();
    await second.getByRole('link', { name: '<i>一班</i>' }).waitFor();

    await act('Class A', t('erase'), second);
    await dialog.getByText(t('eraseGoes', { count: 3 })).waitFor();
    await dialog.getByRole('textbox').fill('Class A');
    await dialog.getByRole('button', { name: t('eraseConfirm') }).click();
    await page.getByText(t('erasedClass', { count: 3 })).waitFor();
    const erased = await admin.get(
      `/users?schoolDb=${school.schoolDb}&classId=${school.grades[1].classes[0].id}`,
    );
    expect((erased.data as { erased: boolean }[]).map((student) => student.erased)).toEqual([
      true,
      true,
      true,
    ]);
    await act('Grade 2', t('delete'));
    await dialog.getByText(t('classes', { count: 3 })).waitFor();
    const confirm = dialog.getByRole('button', { name: t('deleteConfirm') });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Grade 2');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
    const left = (data as ClassSummary[]).map((one) => `${one.gradeName} ${one.name}`);
    expect(left.toSorted()).toEqual(['Grade 1 Class A', 'Grade 1 Class B', 'Grade 9 Class Y']);

    await tree.getByRole('list', { name: 'Grade 1' }).getByRole('link', { name: 'Class B' }).click();
    await page
      .getByRole('status')
      .getByText(say(studentTexts)('matching', { count: 3 }))
      .waitFor();
  });
});
