import { expect } from 'vitest';
import { texts as recordsTexts } from '../../../web/src/admin/reports/records/texts.ts';
import { texts as termsTexts } from '../../../web/src/admin/school/terms/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('records and terms', ['school', 'grade', 'super'], (journey) => {
  journey('staff filter and export point records, and revoke selected records', async (visit) => {
    const { page, say, choose, screen, traveller, username, password, school, admin, app } = visit;
    const t = say(recordsTexts);
    const l = say(listTexts);
    const { schoolDb, grades } = school;
    const [[a, b], [, d]] = [grades[0].classes, grades[1].classes];
    await give(visit, [[a, -1, 'Late'], [b, 1, 'Reading'], [d, 1, 'Reading']]); // biome-ignore format: a table
    const own = await app.signIn(username, password);
    await give({ ...visit, admin: own }, [[a, 2, 'Homework'], [a, 3, '=Reading']]); // biome-ignore format: a table
    await visit.go('/admin/records');

    const matching = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await matching(traveller === 'grade' ? 4 : 5);
    if (screen === 'phone') await page.getByRole('button', { name: l('filters') }).click();
    const filters = page.getByRole('search', { name: l('filters') });
    await choose(filters, l('class'), 'Class A');
    await matching(3);
    await choose(filters, t('kind'), t('plus'));
    await matching(2);
    await choose(filters, t('author'), username);
    await choose(filters, t('period'), t('periodOwn'));
    await filters.getByLabel(t('from'), { exact: true }).fill('2026-09-14');
    // The count does not change, so wait for the address.
    await expect.poll(() => page.url()).toMatch(/kind=plus.*from=2026-09-14.*by=a\d/);
    await matching(2);

    await page.getByRole('button', { name: l('export') }).click();
    const lines = await downloadLines(page, page.getByRole('menuitem', { name: l('saveCsv') }));
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2026-09-15 ([\d:]+),2026-09-15 \1,s1a1,s1a1,Grade 1,Class A,3,'=Reading,/);

    for (const box of await page.getByRole('checkbox', { name: l('selectRow') }).all()) await box.check();
    const bar = page.getByRole('region', { name: t('selection') });
    await bar.getByRole('button', { name: t('revoke') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('revokeMany', { points: '+5', count: 1 })).waitFor();
    await dialog.getByRole('button', { name: t('revoke') }).click();
    await page.getByText(t('revoked', { count: 2 })).waitFor();
    await page.getByText(l('noMatchTitle')).waitFor();
    const [pupil] = a.students;
    expect((await admin.get(`/users/${pupil?.id}?schoolDb=${schoolDb}`)).data).toMatchObject({
      totalScore: -1,
    });

    await choose(filters, t('state'), t('stateRevoked'));
    await matching(2);
    await visit.row('=Reading').getByText(username).filter({ visible: true }).nth(1).waitFor();
    await expect.poll(() => page.getByRole('button', { name: t('revoke') }).count()).toBe(0);
  });

  journey('staff end the term of chosen classes; ranking and records stay readable', async (visit) => {
    const { page, say, screen, school, admin } = visit;
    const t = say(termsTexts);
    const r = say(recordsTexts);
    const { schoolDb, grades } = school;
    const [[a, b], [, d]] = [grades[0].classes, grades[1].classes];
    await give(visit, [[a, 8, 'Relay'], [b, 8, 'Relay'], [d, 8, 'Relay']]); // biome-ignore format: a table
    await visit.goOn('/admin/terms');

    await page.getByText(t('emptyTitle')).waitFor();
    await page.getByRole('button', { name: t('closeTerm') }).click();
    const wizard = page.getByRole('dialog', { name: t('wizardTitle') });
    await wizard.getByRole('checkbox', { name: t('selectGrade', { grade: 'Grade 1' }) }).check();
    await wizard.getByText(t('chosenClasses', { count: 2 })).waitFor();
    await wizard.getByRole('button', { name: r('next') }).click();
    await wizard.getByRole('textbox', { name: t('name') }).fill('Spring <1>');
    await wizard.getByRole('button', { name: r('next') }).click();
    const confirm = page.getByRole('dialog', { name: t('confirmTitleArchive') });
    const run = confirm.getByRole('button', { name: t('confirmArchive') });
    await expect.poll(() => run.isDisabled()).toBe(true);
    await confirm.getByRole('textbox').fill('Spring <1>');
    await run.click();
    await wizard.getByText(t('allDone', { count: 2 })).waitFor();
    await wizard.getByRole('button', { name: r('done') }).click();
    const { data } = await admin.get(`/admin/terms?schoolDb=${schoolDb}`);
    const ended = (data as { classId: number }[]).map(({ classId }) => classId);
    expect(ended.toSorted((x, y) => x - y)).toEqual([a.id, b.id]);

    const history = page.getByRole(screen === 'phone' ? 'list' : 'table', { name: t('history') });
    const links = history.getByRole('link', { name: 'Spring <1>' });
    await links.first().waitFor();
    await expect.poll(() => links.count()).toBe(2);
    await links.last().click();
    await page.getByRole('heading', { level: 1, name: 'Spring <1>' }).waitFor();
    await visit.row('s1a1').getByText('+8').first().waitFor();
    await page.getByRole('link', { name: t('showRecords') }).click();
    await page.getByText(r('closedNote')).waitFor();
    await visit.row('Relay').getByText('+8').filter({ visible: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: r('revoke') }).count()).toBe(0);
  });
});

type Given = readonly [
  to: { readonly students: readonly { readonly id: number }[] },
  points: number,
  why: string,
];

async function give({ admin, school }: Pick<Visit, 'admin' | 'school'>, given: readonly Given[]) {
  const items = given.map(([to, scoreChange, description]) => {
    return { userId: to.students[0]?.id, scoreChange, description };
  });
  await admin.created('/scores/batch', { schoolDb: school.schoolDb, items });
}
