import type { ClassSummary } from '@classledger/contract';
import { expect } from 'vitest';
import { actionTexts } from '../../../web/src/admin/access/actions/action-texts.ts';
import { texts as classroomTexts } from '../../../web/src/admin/classroom/texts.ts';
import { texts } from '../../../web/src/admin/school/promotion/texts.ts';
import { texts as structureTexts } from '../../../web/src/admin/school/structure/texts.ts';
import { texts as componentTexts } from '../../../web/src/components/texts.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('year promotions', ['super', 'school'], (journey) => {
  journey('staff promote and restore classes by a checked plan; graduates are read-only', async (visit) => {
    const { page, say, go, goOn } = visit;
    const t = say(texts);
    const s = say(structureTexts);
    const [stays, leaves] = visit.school.grades.map(({ classes }) => classes[0].students[0]?.id);
    const items = [stays, leaves].map((userId) => ({ userId, scoreChange: 1 }));
    await visit.admin.created('/scores/batch', { schoolDb: visit.school.schoolDb, items });
    await go('/admin/structure');
    await page.getByRole('link', { name: s('promote') }).click();

    const target = (name: string) =>
      page.getByRole('combobox', { name: t('targetOfGrade', { grade: name }) });
    await expect.poll(() => target('Grade 1').inputValue()).toBe(t('movesTo', { grade: 'Grade 2' }));
    await expect.poll(() => target('Grade 2').inputValue()).toBe(t('graduates'));
    const name = page.getByRole('textbox', { name: t('newNameOf', { name: 'Grade 1 Class A' }) });
    await name.fill('Class B');
    await page.getByRole('button', { name: t('check') }).click();
    const problem = page.getByText(t('problem_classNameTaken', { name: 'Class B' }));
    await problem.waitFor();
    await page.getByRole('button', { name: t('back'), exact: true }).click();
    await name.fill('2A');
    await page.getByRole('button', { name: t('check') }).click();
    const two = { classes: t('classes', { count: 2 }), students: t('studentCount', { count: 6 }) };
    await page.getByText(t('outcomeMoving', two)).waitFor();
    await page.getByText(t('outcomeGraduating', { ...two, grade: 'Class of 2026' })).waitFor();
    await page.getByText(t('renamedTo', { before: 'Class A', after: '2A' })).waitFor();

    await page.getByRole('button', { name: t('promote'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await axeViolations(page, { bestPractice: true })).toEqual([]);
    await dialog.getByRole('textbox').fill('Class of 2026');
    await dialog.getByRole('button', { name: t('promote'), exact: true }).click();
    await page.getByRole('heading', { name: t('detailsTitle', { name: 'Class of 2026' }) }).waitFor();
    expect(await places(visit)).toEqual(['Grade 2 2A', 'Grade 2 Class B']);

    await goOn('/admin/structure');
    await page.getByRole('button', { name: s('graduated') }).click();
    const graduates = page.getByRole('link', { name: 'Class of 2026 · Class A' });
    await graduates.waitFor();
    await graduates.click();
    await page.getByText(say(componentTexts)('graduates')).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    const { data } = await visit.admin.get(`/classes?schoolDb=${visit.school.schoolDb}&archived=true`);
    const [{ id, gradeName, name: called }] = data as [ClassSummary];
    await goOn(`/admin/scoring?class=${id}`);
    await page.getByText(say(classroomTexts)('graduatedTitle', { name: `${gradeName} ${called}` })).waitFor();
    await goOn('/admin/records');
    await visit.row('s1a1').getByRole('checkbox').waitFor();
    await expect.poll(() => visit.row('s2a1').getByRole('checkbox').count()).toBe(0);
    expect(await visit.row('s2a1').getByRole('button').count()).toBe(0);
    await goOn('/admin/activity');
    await visit
      .row(say(actionTexts)('promoteSchool'))
      .first()
      .getByRole('link', { name: 'Class of 2026' })
      .click();
    await page.getByRole('button', { name: t('undoPromotion') }).click();
    await dialog.getByRole('button', { name: t('undoPromotion') }).click();
    await page.getByText(t('because_undone')).waitFor();
    expect(await places(visit)).toEqual([
      'Grade 1 Class A',
      'Grade 1 Class B',
      'Grade 2 Class A',
      'Grade 2 Class B',
    ]);
  });
});

async function places({ admin, school }: Visit): Promise<string[]> {
  const { data } = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
  return (data as ClassSummary[]).map((one) => `${one.gradeName} ${one.name}`).toSorted();
}
