import type { ImportRun, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as readingTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as actionTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { texts as rosterTexts } from '../../../web/src/admin/students/import/roster/texts.ts';
import { texts as runTexts } from '../../../web/src/admin/students/import/runs/texts.ts';
import { texts as importTexts } from '../../../web/src/admin/students/import/texts.ts';
import { texts as passwordTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts } from '../../../web/src/admin/students/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { passwordTexts as ownPasswordTexts } from '../../../web/src/session/password-texts.ts';
import { texts as signInTexts } from '../../../web/src/session/texts.ts';
import { texts as codeTexts } from '../../../web/src/student/code/texts.ts';
import { texts as appTexts } from '../../../web/src/student/texts.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { chooseFile, downloadFile, downloadLines, dropAnswer, xlsxOf } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { readQr } from '../harness/qr.ts';
import { runImportsInBackground } from '../harness/served-school.ts';

const look = { screen: 'desktop', language: 'en' } as const;

const listTitle = '初一7A班学生名单';
/** A valid row, another class, another grade, an existing student, and a repeated username. */
const rows = [
  ['编号', 'Name', 'Grade', 'Class'],
  ['n1', '=1+1', 'Grade 1', 'Class A'],
  ['ｎ２', '𠮷田', 'Grade 1', 'Class Ｂ'],
  ['n3', 'Ann', 'Grade 2', 'Class A'],
  ['s1a1', 'Bob', 'Grade 1', 'Class A'],
  ['n1', 'Max', 'Grade 1', 'Class A'],
];

describeJourneys('students', ['grade', 'school', 'super'], look, (journey) => {
  journey('staff add, find, edit, move and delete a student', async (visit) => {
    const { page, say, go, row, act, choose, traveller, school, app } = visit;
    const [t, a, l] = [say(texts), say(actionTexts), say(listTexts)];
    const inRange = traveller === 'grade' ? 6 : 12;
    const shown = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await go('/admin/students');
    await shown(inRange);
    await page.getByRole('button', { name: t('addStudent') }).click();
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const name = dialog.getByRole('textbox', { name: a('name'), exact: true });
    await name.fill('=Zoe+1');
    await dialog.getByRole('textbox', { name: a('username') }).fill('zoe');
    await dialog.getByRole('textbox', { name: t('cardNumber') }).fill('0007');
    await press(a('add'));
    await dialog.getByText(a('chooseClass')).waitFor();
    await choose(dialog, a('class'), 'Class B');
    await press(a('add'));
    await dialog.getByText(a('added', { name: '=Zoe+1' })).waitFor();
    const password = dialog.getByLabel(say(passwordTexts)('password'), { exact: true });
    await app.signInStudent(school.schoolDb, 'zoe', (await password.textContent()) ?? '');
    await press(a('done'));
    await shown(inRange + 1);

    await page.getByRole('searchbox', { name: a('search') }).fill('0007');
    await shown(1);
    await act('=Zoe+1', a('edit'));
    await name.fill('Zoe');
    await press(a('save'));
    await page.getByRole('link', { name: 'Zoe', exact: true }).waitFor();
    await act('Zoe', a('move'));
    await choose(dialog, a('class'), 'Class A');
    await press(a('moveConfirm'));
    await row('zoe').getByText('Grade 1 Class A').filter({ visible: true }).waitFor();

    await act('Zoe', a('delete'));
    await dialog.getByRole('textbox').fill('zoe');
    await press(a('delete'));
    await page.getByText(l('noMatchTitle')).waitFor();
    const filters = page.getByRole('search');
    await filters.getByRole('button', { name: l('clearFilters') }).click();
    await shown(inRange);
  });

  journey('a file import shows the outcome of each row first, and new passwords once', async (visit) => {
    const { page, say, goOn, choose, traveller, school, admin, app } = visit;
    runImportsInBackground(app);
    const [t, l, p] = [say(importTexts), say(readingTexts), say(passwordTexts)];
    const { schoolDb } = school;
    const { expectOutcome, show } = resultOf(visit);
    const createdHere = traveller === 'grade' ? ['n1', 'n2'] : ['n1', 'n2', 'n3'];
    await goOn('/admin/students/import');
    const file = await xlsxOf({ 名单: [[listTitle], [], ...rows], Staff: [['Ann', 'Lee']] });
    await chooseFile(page, 'list.xlsx', file);
    await choose(page, l('worksheet'), 'Staff');
    await page.getByText(l('rowsFound', { count: 1, name: 'list.xlsx' })).waitFor();
    await choose(page, l('worksheet'), '名单');
    await page.getByText(l('rowsFound', { count: 5, name: 'list.xlsx' })).waitFor();
    await page.getByText(l('rowAbove', { line: 1, text: listTitle })).waitFor();
    await page.getByRole('radiogroup', { name: t('patternTitle') }).waitFor();
    await choose(page, l('columnHolds', { n: 1 }), t('username'));
    await expect.poll(() => page.getByRole('radiogroup').count()).toBe(0);
    await page.getByRole('button', { name: p('next') }).click();
    await expectOutcome('n1', t('outcomeCreate'));
    await show('conflict');
    await expectOutcome('Max', t('usernameTwice'));
    await downloadFile(page, page.getByRole('button', { name: l('downloadFailed') }));
    if (traveller === 'grade') await expectOutcome('n3', t('classUnknown', { class: 'Grade 2 Class A' }));
    await show('updated');
    const renamed = { field: t('field_actualName'), before: 's1a1', after: 'Bob' };
    await expectOutcome('s1a1', t('changeOf', renamed));

    // The list lacks two of the three students, so the page disables them only after a choice.
    await show('missing');
    await expectOutcome('s1a2', t('outcomeUnchanged'));
    const [away] = await found(visit, 's1a3');
    await admin.patch(`/users/${away?.id}`, { schoolDb, classId: school.grades[0].classes[1].id });
    await page.getByRole('radio', { name: t('missing_disable') }).check();
    const missing = { name: 'Grade 1 Class A', missing: 2, total: 3 };
    await page.getByRole('checkbox', { name: t('missingOfClass', missing) }).check();
    await expectOutcome('s1a2', t('outcomeDisable'));
    await expectOutcome('s1a3', t('movedSince'));
    expect(await axeViolations(page, { bestPractice: true })).toEqual([]);
    const { length: count } = createdHere;
    const startAll = { name: t('startChanges', { count: count + 2 }) };
    await page.getByRole('button', startAll).click();
    const sure = page.getByRole('dialog', { name: t('disableTitle', { count: 1 }) });
    await sure.getByRole('button', startAll).click();
    await page.getByText(t('created', { count })).waitFor();
    await page.getByText(t('changedCount', { count: 1 })).waitFor();
    await page.getByText(t('missingCount', { count: 1 })).waitFor();
    const lines = await downloadLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    const own = lines.find((line) => line.startsWith("Grade 1 Class A,'=1+1,n1,"));
    await app.signInStudent(schoolDb, 'n1', own?.split(',')[3]);
    expect((await found(visit, 'n')).map(({ username }) => username)).toEqual(createdHere);
  });

  journey('pasted names get usernames, are imported once, and can be undone', async (visit) => {
    const { page, say, goOn, choose, school, admin } = visit;
    const [t, p, r] = [say(importTexts), say(passwordTexts), say(runTexts)];
    const next = page.getByRole('button', { name: t('next') });
    await goOn('/admin/students/import');
    await page.getByText(say(readingTexts)('paste'), { exact: true }).click();
    await page.getByRole('textbox').fill('李伟\n王芳');
    await next.click();
    await page.getByRole('radio', { name: t('pattern_own') }).check();
    await page.getByRole('textbox', { name: t('patternOwn') }).fill('p{number}');
    // The same-named button of the last step stood here, so a click would be ignored.
    await next.press('Enter');
    await page.getByText(t('needClass')).waitFor();
    await choose(page, t('class'), 'Class A');
    await page.getByRole('cell', { name: 'p01', exact: true }).waitFor();
    await next.press('Enter');
    const start = page.getByRole('button', { name: t('startImport', { count: 2 }) });
    visit.forgive(/Failed to load resource/);
    await dropAnswer(page, '**/api/imports', 1);
    await start.click();
    await page.getByRole('alert').first().waitFor();
    await start.press('Enter');
    await page.getByText(t('created', { count: 2 })).waitFor();
    // A key is safe here: the offline notice moves the button away from a click.
    const download = page.getByRole('button', { name: p('downloadCsv') });
    const lines = await downloadLines(page, download, 'keyboard');
    expect(new Set(lines.slice(1).map((line) => line.split(',')[3])).size).toBe(2);
    const classId = school.grades[0].classes[0].id;
    expect(await found(visit, 'p01')).toMatchObject([{ actualName: '李伟', classId }]);

    await page.getByRole('heading', { level: 1, name: r('pasted') }).waitFor();
    await page.getByRole('button', { name: r('undoButton') }).click();
    const sure = page.getByRole('dialog', { name: r('undoTitle') });
    await sure.getByRole('button', { name: r('undoButton') }).click();
    await page.getByText(r('allUndone', { count: 2 })).waitFor();
    expect(await found(visit, 'p01')).toEqual([]);
    await goOn('/admin/imports');
    await page.getByText(r('state_undone'), { exact: true }).waitFor();
    const runs = await admin.get(`/imports?schoolDb=${school.schoolDb}`);
    expect((runs.data as ImportRun[]).filter(({ name }) => name === null)).toHaveLength(1);
  });

  journey('an import of a OneRoster file shows the differences and applies them', async (visit) => {
    const { page, say, goOn, school, admin } = visit;
    const [t, i] = [say(rosterTexts), say(importTexts)];
    const { expectOutcome, show } = resultOf(visit);
    await goOn('/admin/students/roster');
    const saved = await downloadFile(page, page.getByRole('button', { name: t('exportButton') }));
    const [student] = await found(visit, 's1b1');
    await admin.patch(`/users/${student?.id}`, { schoolDb: school.schoolDb, actualName: '王小明' });
    await chooseFile(page, 'roster.zip', saved);
    const renamed = { field: i('field_actualName'), before: '王小明', after: 's1b1' };
    await expectOutcome('s1b1', i('changeOf', renamed));
    await show('unchanged');
    await expectOutcome('s1a1', i('outcomeUnchanged'));
    await page.getByRole('button', { name: i('startImport', { count: 1 }) }).click();
    await page.getByText(i('changedCount', { count: 1 })).waitFor();
    expect(await found(visit, 's1b1')).toMatchObject([{ actualName: 's1b1' }]);
  });

  /** The address in the code on a printed slip. */
  let slip: URL;

  journey('staff print slips for students without an own password, and move students', async (visit) => {
    const { page, say, goOn, row, choose, screen, school, admin, app, origin } = visit;
    const [t, a, p, l] = [say(texts), say(actionTexts), say(passwordTexts), say(listTexts)];
    const { schoolDb } = school;
    const [classA, classB] = school.grades[0].classes;
    const [first, second] = sharingOf(visit);
    const students = [{ username: first }, { username: second }];
    await admin.created('/users', { schoolDb, classId: classB.id, defaultPassword: 'kindle42', students });
    await page.evaluate('window.print = () => {}');
    await goOn('/admin/students?q=s1b');
    await row(first).getByText(t('password_shared')).waitFor();
    if (screen === 'phone') {
      await row(first).getByRole('checkbox').check();
      await page.getByRole('button', { name: l('selectAllMatching', { count: 5 }) }).click();
    } else {
      await page.getByRole('checkbox', { name: l('selectAll') }).check();
    }
    const bar = page.getByRole('region', { name: t('selection') });
    await bar.getByText(l('selected', { count: 5 })).waitFor();
    const actOnSelected = async (name: string) => {
      if (screen !== 'phone') return bar.getByRole('button', { name }).click();
      await bar.getByRole('button', { name: a('actions') }).click();
      return page.getByRole('menuitem', { name }).click();
    };
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name }).click();
    await actOnSelected(a('resetPassword'));
    await dialog.getByRole('checkbox', { name: a('onlyInitial') }).check();
    await press(a('resetPassword'));
    await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
    await dialog.getByText(a('keptOwn', { count: 3 })).waitFor();
    await press(a('done'));
    const question = page.getByRole('dialog', { name: p('leaveTitle') });
    await question.getByRole('button', { name: a('cancel') }).click();
    await question.waitFor({ state: 'detached' });

    await press(p('printSlips'));
    const printed = page.locator('[data-password-slips] li', { has: page.locator('svg'), hasText: first });
    await printed.waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    const address = await readQr(printed.getByRole('img', { name: p('slipCode') }));
    expect(address).toMatch(new RegExp(`^${origin}/student#code=\\d+\\.[\\w-]{22}$`));
    slip = new URL(address);
    const chooseBy = p('slipChooseBy', { day: '.*20\\d\\d.*' });
    expect((await printed.textContent()) ?? '').toMatch(new RegExp(chooseBy));
    await page.emulateMedia({ media: null });
    await press(p('havePrinted'));
    const lines = await downloadLines(page, dialog.getByRole('button', { name: p('downloadCsv') }));
    expect(lines).toHaveLength(3);
    await press(a('done'));
    await dialog.waitFor({ state: 'detached' });

    await choose(page.getByRole('search'), t('password'), t('password_atRisk'));
    await row(second).getByText(t('password_unused')).waitFor();
    await page.getByRole('button', { name: t('newSlips', { count: 2 }) }).click();
    await page.getByRole('dialog', { name: a('bulkReset', { count: 2 }) }).waitFor();
    await press(a('cancel'));
    await actOnSelected(a('move'));
    await choose(dialog, a('class'), 'Class A');
    await press(a('moveConfirm'));
    await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
    await press(a('done'));
    const moved = (await found(visit, 's1b')).filter(({ classId }) => classId === classA.id);
    expect(moved.map(({ username }) => username)).toEqual([first, second]);
    await app.signInStudent(schoolDb, 's1b1');
    const [, , , password] = lines.find((line) => line.includes(`,${second},`))?.split(',') ?? [];
    await app.signInStudent(schoolDb, second, password);
  });

  journey('a slip’s code works once, and asks before another student is signed out', async (visit) => {
    const { page, say, origin, school, admin, forgive } = visit;
    const [t, p, s] = [say(codeTexts), say(ownPasswordTexts), say(signInTexts)];
    const [first, second] = sharingOf(visit);
    const chosen = 'three green kites';
    const firstTitle = page.getByRole('heading', { level: 1, name: p('firstTitle') });
    await page.goto(slip.href);
    await firstTitle.waitFor();
    expect(page.url()).toBe(`${origin}/student`);
    const kept = await page.evaluate(
      'JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
    );
    expect(kept).not.toContain(slip.hash.split('=')[1]);
    await expect.poll(() => page.getByLabel(p('givenPasswordStudent')).count()).toBe(0);
    await page.getByLabel(p('newPassword'), { exact: true }).fill(chosen);
    await page.getByLabel(p('repeatPassword')).fill(chosen);
    await page.getByRole('button', { name: p('saveAndGo') }).click();
    const home = page.getByRole('link', { name: say(appTexts)('home') });
    await home.waitFor();

    const [other] = await found(visit, second);
    const reset = `/users/${other?.id}/password?schoolDb=${school.schoolDb}`;
    const { signInCode } = await admin.created<{ signInCode: string }>(reset, {});
    const scan = () => page.evaluate(`location.hash = '#code=${signInCode}'`);
    await scan();
    await page.getByText(t('someoneElse', { name: first })).waitFor();
    await page.getByRole('button', { name: t('stayAs', { name: first }) }).click();
    await home.waitFor();
    await scan();
    await page.getByRole('button', { name: t('useCode') }).click();
    await firstTitle.waitFor();
    await page.getByText(`${second} (${second})`).waitFor();

    // On another device, the first code is used.
    await page.goto(`${origin}/icon.svg`);
    await page.evaluate("localStorage.removeItem('classledger.student-token')");
    forgive(/401/);
    await page.goto(slip.href);
    await page.getByRole('heading', { level: 1, name: t('usedTitle') }).waitFor();
    await page.getByLabel(s('username')).fill(first);
    await page.getByLabel(s('password'), { exact: true }).fill(chosen);
    await page.getByRole('button', { name: s('signIn') }).click();
    await home.waitFor();
  });
});

async function found({ admin, school }: Visit, search: string): Promise<Student[]> {
  return (await admin.get(`/users?schoolDb=${school.schoolDb}&search=${search}`)).data as Student[];
}

/** Finds the rows of a check. */
function resultOf({ page, say }: Visit) {
  const t = say(importTexts);
  const kinds = page.getByRole('group', { name: t('kinds') });
  return {
    expectOutcome: (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor(),
    show: (kind: 'updated' | 'unchanged' | 'missing' | 'conflict') =>
      kinds.getByRole('button', { name: new RegExp(`\\d ${t(`kind_${kind}`)}$`) }).press('Enter'),
  };
}

/** Names two students who share a password. A sign-in without a school needs a unique username. */
const sharingOf = ({ school }: Visit) => [`s1b8-${school.id}`, `s1b9-${school.id}`] as const;
