import type { ClassSummary, SchoolSettings, StudentExport } from '@classledger/contract';
import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { actionTexts } from '../../../web/src/admin/access/action-texts.ts';
import { texts as classroomTexts } from '../../../web/src/admin/classroom/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as figureTexts } from '../../../web/src/admin/reports/figures/texts.ts';
import { texts as recordsTexts } from '../../../web/src/admin/reports/records/texts.ts';
import { texts as statisticsTexts } from '../../../web/src/admin/reports/statistics/texts.ts';
import { texts as promotionTexts } from '../../../web/src/admin/school/promotion/texts.ts';
import { texts as settingsTexts } from '../../../web/src/admin/school/settings/texts.ts';
import { texts as structureTexts } from '../../../web/src/admin/school/structure/texts.ts';
import { texts as termsTexts } from '../../../web/src/admin/school/terms/texts.ts';
import { texts as studentActionTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { texts as personalTexts } from '../../../web/src/admin/students/personal-data/texts.ts';
import { texts as profileTexts } from '../../../web/src/admin/students/profile/texts.ts';
import { texts as studentTexts } from '../../../web/src/admin/students/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as componentTexts } from '../../../web/src/components/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { downloadFile, downloadLines } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { checkPrintout } from '../harness/page-actions.ts';

const look = { screen: 'phone', language: 'en' } as const;

/** These journeys build on each other: the second gives further points, and the third ends the term. */
describeJourneys('points', ['grade', 'school'], look, (journey) => {
  journey('dashboard and statistics show the own range; statistics can be printed', async (visit) => {
    const { page, say, screen, traveller } = visit;
    const [d, t] = [say(dashboardTexts), say(statisticsTexts)];
    const own =
      traveller === 'grade'
        ? { classes: 2, students: 6, records: 3, total: 7, plus: '+9', leader: 's1a1' }
        : { classes: 4, students: 12, records: 4, total: 37, plus: '+39', leader: 's2b1' };
    // biome-ignore format: a table
    await give(visit, [['s1a1', 5, 'Homework'], ['s1a2', -2, 'Late'], ['s1b1', 4, 'Reading'], ['s2b1', 30, 'Contest']]);
    await visit.go('/admin');
    const overview = page.getByRole('region', { name: d('overview') });
    await overview.getByText(d('records', { count: own.records })).waitFor();
    const tile = (name: 'students' | 'total') => overview.locator('dl > div').filter({ hasText: d(name) });
    await tile('students').getByText(String(own.students), { exact: true }).waitFor();
    await tile('total').getByText(String(own.total), { exact: true }).waitFor();
    const week = say(figureTexts)('daysSummary', { plus: own.plus, minus: '−2', count: 7 });
    await page.getByText(week).waitFor();
    const part = (name: 'classes' | 'leaders' | 'latest') =>
      page.getByRole('region', { name: d(name), exact: true }).getByRole('listitem');
    await part('leaders').first().getByText(own.leader).waitFor();
    await expect.poll(() => part('latest').count()).toBe(own.records);
    await expect.poll(() => part('classes').count()).toBe(own.classes);
    const toScoring = page.getByRole('main').getByRole('link', { name: d('scoreNow') });
    await expect.poll(() => toScoring.getAttribute('href')).toContain('/scoring');

    await page.getByRole('link', { name: d('allOf', { what: d('improved') }) }).click();
    await page.getByText(t('hintImprovement', { count: 7 })).waitFor();
    const figures = page.getByRole('region', { name: t('overview') });
    await figures.getByText('−2', { exact: true }).waitFor();
    const table = screen === 'phone' ? 'list' : 'table';
    const ranking = page.getByRole(table, { name: t('ranking') });
    await ranking.getByText(own.leader).waitFor();
    await expect.poll(() => ranking.getByText(/^s2/).count()).toBe(traveller === 'grade' ? 0 : 6);
    await page.getByRole('button', { name: t('export') }).click();
    const csv = { name: `${t('classes')}: ${say(listTexts)('saveCsv')}` };
    const saved = await downloadLines(page, page.getByRole('menuitem', csv));
    expect(saved).toHaveLength(own.classes + 1);
    expect(saved).toContain('Grade 1,Class A,3,3,1,2,5,-2,3');
    await checkPrintout(page, async (paper) => {
      await page.getByRole('button', { name: t('print') }).click();
      const tables = paper.locator('table');
      await tables.last().locator('tbody').getByText(own.leader).waitFor({ state: 'attached' });
      expect(await tables.last().locator('tbody tr').count()).toBeGreaterThanOrEqual(own.students);
      expect(await tables.count()).toBe(2);
      if (traveller === 'grade') await paper.getByText('Grade 1 · ').waitFor({ state: 'attached' });
    });

    const compared = page.getByRole(table, { name: t('classes') });
    await expect.poll(() => compared.getByRole('link').count()).toBe(own.classes);
    await compared.getByRole('link', { name: 'Grade 1 Class A' }).click();
    await compared.waitFor({ state: 'detached' });
    const others = ranking.getByText(/^s(1b|2)/);
    await others.first().waitFor({ state: 'detached' });
    await ranking.getByText('s1a1').waitFor();
    const group = (name: string) => page.getByRole('radiogroup', { name });
    await group(t('period')).getByText(t('days90')).click();
    await group(t('rankBy')).getByText(t('column_recent')).click();
    await page.getByText(t('hintRecent', { count: 90 })).waitFor();
    await visit.row('s1a1').getByText('+5').first().waitFor();
    const { searchParams: shown } = new URL(page.url());
    expect([shown.get('days'), shown.get('by')]).toEqual(['90', 'recent']);
  });

  journey('staff filter and export point records, and revoke selected records', async (visit) => {
    const { page, say, choose, screen, traveller, username, password, app } = visit;
    const [t, l] = [say(recordsTexts), say(listTexts)];
    const author = await app.signIn(username, password);
    await give({ ...visit, admin: author }, [['s1a1', 2, 'Tidy'], ['s1a1', 3, '=Tidy']]); // biome-ignore format: a table
    await visit.goOn('/admin/records');
    const matching = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await matching(traveller === 'grade' ? 5 : 6);
    if (screen === 'phone') await page.getByRole('button', { name: l('filters') }).click();
    const filters = page.getByRole('search', { name: l('filters') });
    await choose(filters, l('class'), 'Class A');
    await matching(4);
    await choose(filters, t('kind'), t('plus'));
    await matching(3);
    await choose(filters, t('author'), username);
    await matching(2);
    await choose(filters, t('period'), t('periodOwn'));
    await filters.getByLabel(t('from'), { exact: true }).fill('2026-09-14');
    // The count does not change, so wait for the address.
    await expect.poll(() => page.url()).toMatch(/kind=plus.*from=2026-09-14.*by=a\d/);
    await matching(2);

    await page.getByRole('button', { name: l('export') }).click();
    const lines = await downloadLines(page, page.getByRole('menuitem', { name: l('saveCsv') }));
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2026-09-15 ([\d:]+),2026-09-15 \1,s1a1,s1a1,Grade 1,Class A,3,'=Tidy,/);
    for (const box of await page.getByRole('checkbox', { name: l('selectRow') }).all()) await box.check();
    const bar = page.getByRole('region', { name: t('selection') });
    await bar.getByRole('button', { name: t('revoke') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('revokeMany', { points: '+5', count: 1 })).waitFor();
    await dialog.getByRole('button', { name: t('revoke') }).click();
    await page.getByText(t('revoked', { count: 2 })).waitFor();
    await page.getByText(l('noMatchTitle')).waitFor();
    await choose(filters, t('state'), t('stateRevoked'));
    await matching(2);
    await visit.row('=Tidy').getByText(username).filter({ visible: true }).nth(1).waitFor();
    await expect.poll(() => page.getByRole('button', { name: t('revoke') }).count()).toBe(0);
  });

  journey('staff end the term of a grade, and keep or discard its ranking', async (visit) => {
    const { page, say, goOn, row, screen } = visit;
    const [t, r] = [say(termsTexts), say(recordsTexts)];
    await goOn('/admin/terms');
    await page.getByText(t('emptyTitle')).waitFor();
    const wizard = page.getByRole('dialog', { name: t('closeTerm') });
    const press = (name: string) => wizard.getByRole('button', { name }).click();
    const close = async (name: string, action: 'Archive' | 'Reset') => {
      await page.getByRole('button', { name: t('closeTerm') }).click();
      await wizard.getByRole('checkbox', { name: t('selectGrade', { grade: 'Grade 1' }) }).check();
      await wizard.getByText(t('chosenClasses', { count: 2 })).waitFor();
      await press(r('next'));
      await wizard.getByRole('textbox', { name: t('name') }).fill(name);
      await wizard
        .getByRole('radio', { name: t(action === 'Archive' ? 'archive' : 'reset'), exact: true })
        .click();
      await press(r('next'));
      const confirm = page.getByRole('dialog', { name: t(`confirmTitle${action}`) });
      const run = confirm.getByRole('button', { name: t(`confirm${action}`) });
      await expect.poll(() => run.isDisabled()).toBe(true);
      await confirm.getByRole('textbox').fill(name);
      await run.click();
      await wizard.getByText(t('allDone', { count: 2 })).waitFor();
      await press(r('done'));
    };
    await close('Spring <1>', 'Archive');
    const history = page.getByRole(screen === 'phone' ? 'list' : 'table', { name: t('history') });
    const links = history.getByRole('link', { name: 'Spring <1>' });
    await expect.poll(() => links.count()).toBe(2);
    await links.last().click();
    await page.getByRole('heading', { level: 1, name: 'Spring <1>' }).waitFor();
    await row('s1a1').getByText('+5').first().waitFor();
    await page.getByRole('link', { name: t('showRecords') }).click();
    await page.getByText(r('closedNote')).waitFor();
    await row('Homework').getByText('+5').filter({ visible: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: r('revoke') }).count()).toBe(0);

    await goOn('/admin/terms');
    await close('Trial', 'Reset');
    await row('Trial').first().getByText(t('discarded')).waitFor();
    await history.getByRole('link', { name: 'Trial' }).first().click();
    await page.getByText(t('resetTitle')).waitFor();
  });
});

type Given = readonly [username: string, points: number, why: string];

async function give({ admin, school }: Pick<Visit, 'admin' | 'school'>, given: readonly Given[]) {
  const students = school.grades.flatMap(({ classes }) => classes.flatMap((one) => one.students));
  const items = given.map(([username, scoreChange, description]) => {
    return { userId: students.find((one) => one.username === username)?.id, scoreChange, description };
  });
  await admin.created('/scores/batch', { schoolDb: school.schoolDb, items });
}

describeJourneys('a school', ['school', 'super'], look, (journey) => {
  journey('staff promote and restore classes by a checked plan; graduates are read-only', async (visit) => {
    const { page, say, go, goOn, row, school, admin } = visit;
    const [t, s] = [say(promotionTexts), say(structureTexts)];
    await give(visit, [['s1a1', 1, 'Homework'], ['s2a1', 1, 'Homework']]); // biome-ignore format: a table
    await go('/admin/structure');
    await page.getByRole('link', { name: s('promote') }).click();
    const target = (name: string) =>
      page.getByRole('combobox', { name: t('targetOfGrade', { grade: name }) });
    await expect.poll(() => target('Grade 1').inputValue()).toBe(t('movesTo', { grade: 'Grade 2' }));
    await expect.poll(() => target('Grade 2').inputValue()).toBe(t('graduates'));
    const name = page.getByRole('textbox', { name: t('newNameOf', { name: 'Grade 1 Class A' }) });
    await name.fill('Class B');
    await page.getByRole('button', { name: t('check') }).click();
    await page.getByText(t('problem_classNameTaken', { name: 'Class B' })).waitFor();
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
    await page.getByRole('link', { name: 'Class of 2026 · Class A' }).click();
    await page.getByText(say(componentTexts)('graduates')).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    const { data } = await admin.get(`/classes?schoolDb=${school.schoolDb}&archived=true`);
    const [graduated] = data as [ClassSummary];
    await goOn(`/admin/scoring?class=${graduated.id}`);
    const called = { name: `${graduated.gradeName} ${graduated.name}` };
    await page.getByText(say(classroomTexts)('graduatedTitle', called)).waitFor();
    await goOn('/admin/records');
    await row('s1a1').getByRole('checkbox').waitFor();
    await expect.poll(() => row('s2a1').getByRole('checkbox').count()).toBe(0);
    expect(await row('s2a1').getByRole('button').count()).toBe(0);

    await goOn('/admin/activity');
    const line = row(say(actionTexts)('promoteSchool')).first();
    await line.getByRole('link', { name: 'Class of 2026' }).click();
    await page.getByRole('button', { name: t('undoPromotion') }).click();
    await dialog.getByRole('button', { name: t('undoPromotion') }).click();
    await page.getByText(t('because_undone')).waitFor();
    const before = ['Grade 1 Class A', 'Grade 1 Class B', 'Grade 2 Class A', 'Grade 2 Class B'];
    expect(await places(visit)).toEqual(before);
  });

  journey('staff save school settings for classmates, time zone and automatic erasure', async (visit) => {
    const { page, say, goOn, admin, school } = visit;
    const t = say(settingsTexts);
    const stored = async () =>
      (await admin.get(`/school-settings?schoolDb=${school.schoolDb}`)).data as SchoolSettings;
    const classmates = async () => (await stored()).classmates;
    await goOn('/admin/settings');
    const preview = page.getByRole('figure', { name: t('previewTitle') });
    await preview.getByText(t('others')).waitFor();
    const save = page.getByRole('button', { name: t('save') }).first();
    // A choice during a save must survive.
    const saving = Promise.withResolvers<void>();
    const held = async (route: Route) => {
      await saving.promise;
      await route.continue();
    };
    await page.route('**/api/school-settings', held, { times: 1 });
    await page.getByRole('radio', { name: t('all') }).check();
    await preview.getByText(t('others')).waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('radio', { name: t('names') }).check();
    saving.resolve();
    await expect.poll(classmates).toBe('all');
    await save.click();
    await expect.poll(classmates).toBe('names');
    await expect.poll(() => save.isDisabled()).toBe(true);

    await page.getByRole('combobox', { name: t('timeZone') }).fill('kathm');
    await page.getByRole('option', { name: /^Asia\/Kathmandu/ }).click();
    await page.getByText(t('timeZoneChanges')).waitFor();
    const ofZone = page.getByRole('region', { name: t('timeZoneTitle') });
    await ofZone.getByRole('button', { name: t('save') }).click();
    await page.getByText(t('timeZoneChanges')).waitFor({ state: 'detached' });

    await page.getByRole('radio', { name: t('after') }).check();
    await page.getByRole('textbox', { name: t('days') }).fill('90');
    const ofLeavers = page.getByRole('region', { name: t('leaversTitle') });
    await ofLeavers.getByRole('button', { name: t('save') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('confirmText', { count: 90 })).waitFor();
    await dialog.getByRole('button', { name: t('confirm') }).click();
    await dialog.waitFor({ state: 'detached' });
    const saved = { classmates: 'names', eraseLeaversAfterDays: 90, timeZone: 'Asia/Kathmandu' };
    expect(await stored()).toMatchObject(saved);
  });

  journey('staff revoke points on a student’s page, export the data, and erase it', async (visit) => {
    const { page, say, goOn, row, act, admin, school, language } = visit;
    const { schoolDb } = school;
    const [t, p] = [say(profileTexts), say(personalTexts)];
    const { id, username } = school.grades[0].classes[0].students[1] as { id: number; username: string };
    const name = 'Mei <i>Lin</i>';
    await admin.patch(`/users/${id}`, { schoolDb, actualName: name });
    const reason = '</td><script>alert(1)</script>';
    await give(visit, [[username, 3, reason], [username, -1, '迟到']]); // biome-ignore format: a table
    await goOn(`/admin/students/${id}`);
    await page.getByText(t('trendSummary', { plus: '+3', minus: '−1', count: 30 })).waitFor();
    const late = row('迟到');
    await late.getByRole('button', { name: t('undo') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('−1').waitFor();
    await dialog.getByRole('button', { name: t('undo') }).click();
    await late.waitFor({ state: 'detached' });
    await row(reason).waitFor();

    await act(name, p('exportEntry'));
    const download = dialog.getByRole('button', { name: p('download') });
    const html = (await downloadFile(page, download)).toString();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('&lt;/td&gt;&lt;script&gt;');
    expect(html).not.toContain('<script');
    await dialog.waitFor({ state: 'detached' });
    await act(name, p('exportEntry'));
    await dialog.getByRole('radio', { name: p('asData') }).check();
    const data: StudentExport = JSON.parse((await downloadFile(page, download)).toString());
    expect(data).toMatchObject({ id, totals: { totalScore: 3, deductScore: 0, scoreCount: 1 } });
    expect(data.records.map(({ description }) => description)).toContain(reason);
    await dialog.waitFor({ state: 'detached' });

    await act(name, p('eraseEntry'));
    await dialog.getByRole('textbox').fill(username);
    await dialog.getByRole('button', { name: p('eraseConfirm') }).click();
    const pseudonym = say(commonTexts)('erasedName', { id: String(id) });
    await page.getByRole('heading', { level: 1, name: pseudonym }).waitFor();
    await page.getByText(say(studentTexts)('stateErased'), { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText('Mei').count()).toBe(0);
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: pseudonym }) }).click();
    const actions = say(studentActionTexts);
    const left = [actions('move'), p('exportEntry'), actions('delete')];
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(left);
    await page.keyboard.press('Escape');
  });

  journey('staff add, rename, move and delete grades and classes, and erase students', async (visit) => {
    const { page, say, goOn, act, choose, forgive } = visit;
    const t = say(structureTexts);
    await goOn('/admin/structure');
    const tree = page.getByRole('list', { name: t('tree') });
    const second = tree.getByRole('list', { name: 'Grade 2' });
    await page.getByRole('button', { name: t('addGrade') }).click();
    const gradeName = page.getByRole('textbox', { name: t('gradeName') });
    await gradeName.fill('Grade 9');
    await gradeName.press('Enter');
    await page.getByRole('button', { name: t('addClassTo', { grade: 'Grade 9' }) }).click();
    const className = page.getByRole('textbox', { name: t('className', { grade: 'Grade 9' }) });
    await className.fill('Class X');
    await className.press('Enter');
    await tree.getByRole('link', { name: 'Class X' }).waitFor();

    const dialog = page.getByRole('dialog');
    await act('Class A', t('rename'), second);
    const name = dialog.getByRole('textbox', { name: t('name') });
    forgive(/409/);
    await name.fill('Class B');
    await name.press('Enter');
    await dialog.getByText(t('classNameTaken')).waitFor();
    await name.fill('<i>一班</i>');
    await name.press('Enter');
    await act('<i>一班</i>', t('move'));
    await choose(dialog, t('grade'), 'Grade 9');
    await dialog.getByRole('button', { name: t('moveConfirm') }).click();
    const ninth = tree.getByRole('list', { name: 'Grade 9' });
    await ninth.getByRole('link', { name: '<i>一班</i>' }).waitFor();

    await act('Class B', t('erase'), second);
    await dialog.getByText(t('eraseGoes', { count: 3 })).waitFor();
    await dialog.getByRole('textbox').fill('Class B');
    await dialog.getByRole('button', { name: t('eraseConfirm') }).click();
    await page.getByText(t('erasedClass', { count: 3 })).waitFor();
    await act('Grade 2', t('delete'));
    await dialog.getByText(t('classes', { count: 1 })).waitFor();
    const confirm = dialog.getByRole('button', { name: t('deleteConfirm') });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Grade 2');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    const left = ['Grade 1 Class A', 'Grade 1 Class B', 'Grade 9 <i>一班</i>', 'Grade 9 Class X'];
    expect(await places(visit)).toEqual(left);
    await tree.getByRole('list', { name: 'Grade 1' }).getByRole('link', { name: 'Class B' }).click();
    const matching = say(studentTexts)('matching', { count: 3 });
    await page.getByRole('status').getByText(matching).waitFor();
  });
});

async function places({ admin, school }: Visit): Promise<string[]> {
  const { data } = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
  return (data as ClassSummary[]).map((one) => `${one.gradeName} ${one.name}`).toSorted();
}
