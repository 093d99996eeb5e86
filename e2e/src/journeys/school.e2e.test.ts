import {
  type Administrator,
  type ClassSummary,
  type ListedStudent,
  limits,
  type Template,
} from '@classledger/contract';
import { expect } from 'vitest';
import type { SampleClass } from '../../../server/test/test-app.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { checkPrintout } from '../harness/page-actions.ts';

const inChinese = { screen: 'phone', language: 'zh-CN' } as const;
const inEnglish = { screen: 'phone', language: 'en' } as const;

describeJourneys('templates', 'class', inChinese, (journey) => {
  journey('staff add ten common templates despite an error, and edit and delete one', async (visit) => {
    const { page, dialog, say, go, act, school, admin, forgive } = visit;
    const t = say.templates;
    const ofSchool = `/scores/templates?schoolDb=${school.schoolDb}`;
    const listed = () => admin.read<Template[]>(ofSchool);
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
    const classId = school.grades[0].classes[0].id;
    const made = await listed();
    expect(made.map(({ scoreChange }) => scoreChange)).toEqual([1, 1, 1, 2, 2, 3, -1, -1, -2, -2]);
    expect(new Set(made.map((one) => one.classId))).toEqual(new Set([classId]));

    await page.getByRole('button', { name: t('addTemplate'), exact: true }).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('<b>Homework</b>');
    await dialog.getByText(t('minus'), { exact: true }).click();
    await dialog.getByRole('textbox', { name: t('points') }).fill('0');
    await dialog.getByRole('button', { name: t('add') }).click();
    await dialog.getByText(t('pointsRange', { max: limits.scoreChangeMax })).waitFor();
    await dialog.getByRole('textbox', { name: t('points') }).fill('7');
    await dialog.getByRole('button', { name: t('add') }).click();
    await page.getByText(t('added', { name: '<b>Homework</b>' })).waitFor();
    const list = visit.region(`Class A ${t('minus')}`);
    await list.getByText('−7').waitFor();
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

describeJourneys('grades and classes', 'school', inChinese, (journey) => {
  journey('staff add, rename, move and delete grades and classes, and erase students', async (visit) => {
    const { page, dialog, say, go, act, choose, school, admin, forgive } = visit;
    const t = say.structure;
    await go('/admin/structure');
    const tree = page.getByRole('list', { name: t('tree') });
    const second = tree.getByRole('list', { name: 'Grade 2' });
    await page.getByRole('button', { name: t('addGrade') }).click();
    // Each field has the focus, so grades can be typed in a row.
    for (const name of ['Grade 8', 'Grade 9']) {
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe(t('gradeName'));
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await tree.getByText(name, { exact: true }).waitFor();
    }
    await page.getByRole('button', { name: t('addClassTo', { grade: 'Grade 9' }) }).click();
    for (const name of ['Class X', 'Class Y']) {
      const field = page.getByRole('textbox', { name: t('className', { grade: 'Grade 9' }) });
      await field.fill(name);
      await field.press('Enter');
      await tree.getByRole('link', { name }).waitFor();
    }

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
    const { id } = school.grades[1].classes[0];
    const students = await admin.read<ListedStudent[]>(`/users?schoolDb=${school.schoolDb}&classId=${id}`);
    expect(students.map(({ erased }) => erased)).toEqual([true, true, true]);
    await act('Grade 2', t('delete'));
    await dialog.getByText(t('classes', { count: 3 })).waitFor();
    const confirm = dialog.getByRole('button', { name: t('deleteConfirm') });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Grade 2');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await places(visit)).toEqual(['Grade 1 Class A', 'Grade 1 Class B', 'Grade 9 Class Y']);

    await tree.getByRole('list', { name: 'Grade 1' }).getByRole('link', { name: 'Class B' }).click();
    const matching = say.students('matching', { count: 3 });
    await page.getByRole('status').getByText(matching).waitFor();
  });
});

describeJourneys('year promotions', 'super', inEnglish, (journey) => {
  journey('staff promote and restore classes by a checked plan; graduates are read-only', async (visit) => {
    const { page, dialog, say, go, goOn } = visit;
    const { promotion: t, structure: s } = say;
    const { id: schoolId, grades } = visit.school;
    for (const { classes } of grades) await give(visit, [[classes[0], 1, 'Homework']]);
    const teaches = grades.map(({ classes }) => ({ classId: classes[0].id }));
    const subject = { username: 'promoted teacher', generatePassword: true, role: 'teacher' };
    await visit.admin.created('/admin/manage', { ...subject, schoolId, teaches });
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

    await page.getByText(t('teaching', { count: 1 })).waitFor();
    await page.getByRole('radio', { name: t('clearTeaching') }).check();
    await page.getByRole('button', { name: t('promote'), exact: true }).click();
    await dialog.waitFor();
    expect(await axeViolations(page, { bestPractice: true })).toEqual([]);
    await dialog.getByRole('textbox').fill('Class of 2026');
    await dialog.getByRole('button', { name: t('promote'), exact: true }).click();
    await page.getByRole('heading', { name: t('detailsTitle', { name: 'Class of 2026' }) }).waitFor();
    expect(await places(visit)).toEqual(['Grade 2 2A', 'Grade 2 Class B']);
    expect(await countTaughtClasses(visit)).toBe(0);

    await goOn('/admin/structure');
    await page.getByRole('button', { name: s('graduated') }).click();
    const graduates = page.getByRole('link', { name: 'Class of 2026 · Class A' });
    await graduates.waitFor();
    await graduates.click();
    await page.getByText(say.lists('graduates')).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    const archived = `/classes?schoolDb=${visit.school.schoolDb}&archived=true`;
    const [{ id, gradeName, name: called }] = await visit.admin.read<[ClassSummary]>(archived);
    await goOn(`/admin/scoring?class=${id}`);
    await page.getByText(say.classroom('graduatedTitle', { name: `${gradeName} ${called}` })).waitFor();
    await goOn('/admin/records');
    await visit.row('s1a1').getByRole('checkbox').waitFor();
    await expect.poll(() => visit.row('s2a1').getByRole('checkbox').count()).toBe(0);
    expect(await visit.row('s2a1').getByRole('button').count()).toBe(0);
    await goOn('/admin/activity');
    const logged = visit.row(say.loggedActions('promoteSchool')).first();
    await logged.getByRole('link', { name: 'Class of 2026' }).click();
    await page.getByRole('button', { name: t('undoPromotion') }).click();
    await dialog.getByRole('button', { name: t('undoPromotion') }).click();
    await page.getByText(t('because_undone')).waitFor();
    expect(await places(visit)).toEqual([
      'Grade 1 Class A',
      'Grade 1 Class B',
      'Grade 2 Class A',
      'Grade 2 Class B',
    ]);
    expect(await countTaughtClasses(visit)).toBe(2);
  });
});

async function countTaughtClasses({ admin, school }: Visit): Promise<number> {
  const staff = await admin.read<Administrator[]>(`/admin/manage?schoolDb=${school.schoolDb}&role=teacher`);
  return staff.flatMap(({ teaches }) => teaches).length;
}

async function places({ admin, school }: Visit): Promise<string[]> {
  const classes = await admin.read<ClassSummary[]>(`/classes?schoolDb=${school.schoolDb}`);
  return classes.map(({ gradeName, name }) => `${gradeName} ${name}`).toSorted();
}

describeJourneys('dashboard and statistics', 'grade', inEnglish, (journey) => {
  journey('the dashboard shows figures of the own range and links to statistics', async (visit) => {
    const { page, say, admin, school } = visit;
    const { dashboard: t, figures: f, statistics: s } = say;
    const [[a, b], [, d]] = [school.grades[0].classes, school.grades[1].classes];
    const late = { userId: a.students[1].id, scoreChange: -2, description: 'Late' };
    await give(visit, [[a, 5, 'Homework'], [b, 4, 'Reading'], [d, 30, 'Contest']]); // biome-ignore format: a table
    await admin.created('/scores/add', { schoolDb: school.schoolDb, ...late });
    await visit.go('/admin');

    const overview = visit.region(f('overview'));
    await overview.getByText(t('records', { count: 3 })).waitFor();
    const tile = (name: 'students' | 'total') => overview.locator('dl > div').filter({ hasText: f(name) });
    await tile('students').getByText('6', { exact: true }).waitFor();
    await tile('total').getByText('7', { exact: true }).waitFor();
    await page.getByText(f('daysSummary', { plus: '+9', minus: '−2', count: 7 })).waitFor();
    const part = (name: 'classes' | 'leaders' | 'latest') =>
      page.getByRole('region', { name: t(name), exact: true }).getByRole('listitem');
    await part('leaders').first().getByText('s1a1').waitFor();
    await part('latest').first().waitFor();
    await expect.poll(() => part('latest').count()).toBe(3);
    await expect.poll(() => part('classes').count()).toBe(2);
    const toScoring = visit.main.getByRole('link', { name: t('scoreNow') });
    await expect.poll(() => toScoring.getAttribute('href')).toContain('/scoring');

    await page.getByRole('link', { name: t('allOf', { what: t('improved') }) }).click();
    await page.getByText(s('hintImprovement', { count: 7 })).waitFor();
  });

  journey('statistics rank, print and export the own range, filtered by class and days', async (visit) => {
    const { page, say } = visit;
    const t = say.statistics;
    await visit.goOn('/admin/statistics');

    await visit.region(say.figures('overview')).getByText('−2', { exact: true }).waitFor();
    const ranking = page.getByRole('list', { name: t('ranking') });
    await ranking.getByText('s1a1').waitFor();
    await expect.poll(() => ranking.getByText(/^s2/).count()).toBe(0);

    await page.getByRole('button', { name: t('export') }).click();
    const csv = { name: `${t('classes')}: ${say.lists('saveCsv')}` };
    const saved = await downloadLines(page, page.getByRole('menuitem', csv));
    expect(saved).toHaveLength(3);
    expect(saved).toContain('Grade 1,Class A,3,3,1,2,5,-2,3');

    await checkPrintout(page, async (paper) => {
      await page.getByRole('button', { name: t('print') }).click();
      const tables = paper.locator('table');
      await tables.last().locator('tbody').getByText('s1a1').waitFor({ state: 'attached' });
      expect(await tables.last().locator('tbody tr').count()).toBeGreaterThanOrEqual(6);
      expect(await tables.count()).toBe(2);
      await paper.getByText('Grade 1 · ').waitFor({ state: 'attached' });
    });

    const compared = page.getByRole('list', { name: t('classes') });
    await expect.poll(() => compared.getByRole('link').count()).toBe(2);
    await compared.getByRole('link', { name: 'Grade 1 Class A' }).click();
    await compared.waitFor({ state: 'detached' });
    const others = ranking.getByText(/^s(1b|2)/);
    await others.first().waitFor({ state: 'detached' });
    await ranking.getByText('s1a1').waitFor();

    await visit.pick(t('period'), t('days7'));
    await visit.pick(t('rankBy'), t('column_recent'));
    await page.getByText(t('hintRecent', { count: 7 })).waitFor();
    await visit.row('s1a1').getByText('+5').first().waitFor();
    expect(page.url()).toMatch(/days=7.*by=recent/);
  });
});

describeJourneys('records and terms', 'school', inChinese, (journey) => {
  journey('staff filter and export point records, and revoke selected records', async (visit) => {
    const { page, dialog, say, choose, username, password, school, admin, app } = visit;
    const { records: t, lists: l } = say;
    const { schoolDb, grades } = school;
    const [[a, b], [, d]] = [grades[0].classes, grades[1].classes];
    await give(visit, [[a, -1, 'Late'], [b, 1, 'Reading'], [d, 1, 'Reading']]); // biome-ignore format: a table
    const own = await app.signIn(username, password);
    await give({ ...visit, admin: own }, [[a, 2, 'Homework'], [a, 3, '=Reading']]); // biome-ignore format: a table
    await visit.go('/admin/records');

    const matching = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await matching(5);
    await page.getByRole('button', { name: l('filters') }).click();
    const filters = page.getByRole('search', { name: l('filters') });
    await choose(filters, l('class'), 'Class A');
    await matching(3);
    await choose(filters, t('kind'), t('plus'));
    await matching(2);
    await choose(filters, t('author'), username);
    await choose(filters, t('period'), t('period_own'));
    await filters.getByLabel(t('from'), { exact: true }).fill('2026-09-14');
    // The count does not change, so wait for the address.
    await expect.poll(() => page.url()).toMatch(/kind=plus.*from=2026-09-14.*by=a\d/);
    await matching(2);

    await page.getByRole('button', { name: l('export') }).click();
    const lines = await downloadLines(page, page.getByRole('menuitem', { name: l('saveCsv') }));
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^2026-09-15 ([\d:]+),2026-09-15 \1,s1a1,s1a1,Grade 1,Class A,3,'=Reading,/);

    for (const box of await page.getByRole('checkbox', { name: l('selectRow') }).all()) await box.check();
    const bar = visit.region(t('selection'));
    await bar.getByRole('button', { name: t('undo') }).click();
    await dialog.getByText(t('revokeMany', { points: '+5', count: 1 })).waitFor();
    await dialog.getByRole('button', { name: t('undo') }).click();
    await page.getByText(t('revoked', { count: 2 })).waitFor();
    await page.getByText(l('noMatchTitle')).waitFor();
    const [pupil] = a.students;
    expect(await admin.read(`/users/${pupil.id}?schoolDb=${schoolDb}`)).toMatchObject({ totalScore: -1 });

    await choose(filters, t('state'), t('stateRevoked'));
    await matching(2);
    await visit.row('=Reading').getByText(username).filter({ visible: true }).nth(1).waitFor();
    await expect.poll(() => page.getByRole('button', { name: t('undo') }).count()).toBe(0);
  });

  journey('staff end terms of chosen classes with or without a ranking, and read records', async (visit) => {
    const { page, heading, say, school, admin } = visit;
    const { terms: t, records: r } = say;
    const { schoolDb, grades } = school;
    const [[a, b], [, d]] = [grades[0].classes, grades[1].classes];
    await give(visit, [[a, 8, 'Relay'], [b, 8, 'Relay'], [d, 8, 'Relay']]); // biome-ignore format: a table
    await visit.goOn('/admin/terms');

    await page.getByText(t('emptyTitle')).waitFor();
    await page.getByRole('button', { name: t('closeTerm') }).click();
    const wizard = page.getByRole('dialog', { name: t('closeTerm') });
    const choose = async (name: string, action: 'archive' | 'reset') => {
      await wizard.getByRole('checkbox', { name: t('selectGrade', { grade: 'Grade 1' }) }).check();
      await wizard.getByText(t('chosenClasses', { count: 2 })).waitFor();
      await wizard.getByRole('button', { name: r('next') }).click();
      await wizard.getByRole('textbox', { name: t('name') }).fill(name);
      await wizard.getByRole('radio', { name: t(action), exact: true }).click();
      await wizard.getByRole('button', { name: r('next') }).click();
    };
    await choose('Spring <1>', 'archive');
    const confirm = page.getByRole('dialog', { name: t('confirmTitle_archive') });
    const run = confirm.getByRole('button', { name: t('confirm_archive') });
    await expect.poll(() => run.isDisabled()).toBe(true);
    await confirm.getByRole('textbox').fill('Spring <1>');
    await run.click();
    await wizard.getByText(t('allDone', { count: 2 })).waitFor();
    await wizard.getByRole('button', { name: r('done') }).click();
    const ended = await admin.read<{ classId: number }[]>(`/admin/terms?schoolDb=${schoolDb}`);
    expect(new Set(ended.map(({ classId }) => classId))).toEqual(new Set([a.id, b.id]));

    const history = page.getByRole('list', { name: t('history') });
    const links = history.getByRole('link', { name: 'Spring <1>' });
    await links.first().waitFor();
    await expect.poll(() => links.count()).toBe(2);
    await links.last().click();
    await heading('Spring <1>').waitFor();
    await visit.row('s1a1').getByText('+8').first().waitFor();
    await page.getByRole('link', { name: t('showRecords') }).click();
    await page.getByText(r('closedNote')).waitFor();
    await visit.row('Relay').getByText('+8').filter({ visible: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: r('undo') }).count()).toBe(0);

    await visit.goOn('/admin/terms');
    await page.getByRole('button', { name: t('closeTerm') }).click();
    await choose('Trial', 'reset');
    const discard = page.getByRole('dialog', { name: t('confirmTitle_reset') });
    await discard.getByRole('textbox').fill('Trial');
    await discard.getByRole('button', { name: t('confirm_reset') }).click();
    await wizard.getByText(t('allDone', { count: 2 })).waitFor();
    await wizard.getByRole('button', { name: r('done') }).click();
    await visit.row('Trial').first().getByText(t('discarded')).waitFor();
    await history.getByRole('link', { name: 'Trial' }).first().click();
    await page.getByText(t('resetTitle')).waitFor();
  });
});

type Given = readonly [to: SampleClass, points: number, why: string];

/** Gives points to the first student of each class. */
async function give({ admin, school }: Pick<Visit, 'admin' | 'school'>, given: readonly Given[]) {
  const items = given.map(([to, scoreChange, description]) => {
    return { userId: to.students[0].id, scoreChange, description };
  });
  await admin.created('/scores/batch', { schoolDb: school.schoolDb, items });
}
