import type { ImportRun, Student, StudentExport } from '@classledger/contract';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { atEndOfFile } from '../../../server/test/test-app.ts';
import { strFromU8, strToU8, unzipSync, zipSync } from '../../../web/src/spreadsheets/zip-without-workers.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { chooseFile, downloadFile, downloadLines, xlsxOf } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { dropAnswer, holdRequests, readQr } from '../harness/page-actions.ts';

const look = { screen: 'desktop', language: 'en' } as const;

describeJourneys('students', 'grade', { ...look, language: 'zh-CN' }, (journey) => {
  journey('staff add, find, edit, move, disable and delete a student', async (visit) => {
    const { page, dialog, say, go, row, act, choose, school, app } = visit;
    const { students: t, studentActions: a } = say;
    const shown = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await go('/admin/students');
    await shown(6);
    await page.getByRole('button', { name: t('addStudent') }).click();
    await dialog.getByRole('textbox', { name: a('name'), exact: true }).fill('=Zoe+1');
    await dialog.getByRole('textbox', { name: a('username') }).fill('zoe');
    await dialog.getByRole('textbox', { name: t('cardNumber') }).fill('0007');
    await dialog.getByRole('button', { name: a('add'), exact: true }).click();
    await dialog.getByText(a('chooseClass')).waitFor();
    await choose(dialog, a('class'), 'Class B');
    await dialog.getByRole('button', { name: a('add'), exact: true }).click();
    await dialog.getByText(a('added', { name: '=Zoe+1' })).waitFor();
    const password = dialog.getByLabel(say.newPasswords('password'), { exact: true });
    await app.signInStudent(school.schoolDb, 'zoe', (await password.textContent()) ?? '');
    await dialog.getByRole('button', { name: a('done') }).click();
    await shown(7);

    await page.getByRole('searchbox', { name: a('search') }).fill('0007');
    await shown(1);
    await act('=Zoe+1', a('edit'));
    await dialog.getByRole('textbox', { name: a('name'), exact: true }).fill('Zoe');
    await dialog.getByRole('button', { name: a('save') }).click();
    await page.getByRole('link', { name: 'Zoe', exact: true }).waitFor();
    await act('Zoe', a('move'));
    await choose(dialog, a('class'), 'Class A');
    await dialog.getByRole('button', { name: a('moveConfirm') }).click();
    await row('zoe').getByText('Grade 1 Class A').filter({ visible: true }).waitFor();
    await act('Zoe', a('disable'));
    await dialog.getByRole('button', { name: a('disable') }).click();
    await row('zoe').getByText(t('disabled')).waitFor();
    expect(await found(visit, 'zoe')).toMatchObject([
      { actualName: 'Zoe', classId: school.grades[0].classes[0].id, disabled: true },
    ]);

    await act('Zoe', a('delete'));
    await dialog.getByRole('textbox').fill('zoe');
    await dialog.getByRole('button', { name: a('delete') }).click();
    await page.getByText(say.lists('noMatchTitle')).waitFor();
    const filters = page.getByRole('search');
    await filters.getByRole('button', { name: say.lists('clearFilters') }).click();
    await shown(6);
    expect(await found(visit, 'zoe')).toEqual([]);
  });

  journey('staff move several students, and renew passwords not chosen by the student', async (visit) => {
    const { page, dialog, say, goOn, row, choose, school, admin, app } = visit;
    const { students: t, studentActions: a, newPasswords: p, lists: l } = say;
    await goOn('/admin/students?q=s1a');
    await row('s1a3').waitFor();
    // The unfiltered list of the journey before stays until the filtered one has been read.
    await row('s1b1').waitFor({ state: 'detached' });
    const act = async (action: string) => {
      await page.getByRole('checkbox', { name: l('selectAll') }).check();
      const bar = visit.region(t('selection'));
      await bar.getByText(l('selected', { count: 3 })).waitFor();
      await bar.getByRole('button', { name: action }).click();
    };
    await act(a('move'));
    await choose(dialog, a('class'), 'Class B');
    await dialog.getByRole('button', { name: a('moveConfirm') }).click();
    await dialog.getByText(a('doneOf', { count: 3 })).waitFor();
    await dialog.getByRole('button', { name: a('done') }).click();

    const [one, two] = await found(visit, 's1a');
    for (const student of [one, two])
      await admin.created(`/users/${student?.id}/password?schoolDb=${school.schoolDb}`, {});
    await act(a('resetPassword'));
    await dialog.getByRole('checkbox', { name: a('onlyInitial') }).check();
    await dialog.getByRole('button', { name: a('resetPassword') }).click();
    await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
    await dialog.getByText(a('keptOwn', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: a('done') }).click();
    await visit.answerDialog(p('leaveTitle'), a('cancel'));
    const lines = await downloadLines(page, dialog.getByRole('button', { name: p('downloadCsv') }));
    expect(lines).toHaveLength(3);
    await app.signInStudent(school.schoolDb, 's1a3');
    const [, , username = '', password = ''] = lines[1]?.split(',') ?? [];
    await app.signInStudent(school.schoolDb, username, password);
    await dialog.getByRole('button', { name: a('done') }).click();
    await dialog.waitFor({ state: 'detached' });
    const { id } = school.grades[0].classes[1];
    const moved = await found(visit, 's1a');
    expect(moved.map(({ classId }) => classId)).toEqual([id, id, id]);
  });

  journey('a student’s page shows trend and records, and revokes points', async (visit) => {
    const { page, dialog, say, goOn, row, school, admin } = visit;
    const { schoolDb } = school;
    const { id: userId, username: name } = school.grades[0].classes[0].students[0];
    await admin.created('/scores/add', { schoolDb, userId, scoreChange: 3, description: 'Homework' });
    await admin.created('/scores/add', { schoolDb, userId, scoreChange: -1, description: '迟到' });
    await goOn(`/admin/students/${userId}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText(say.figures('daysSummary', { plus: '+3', minus: '−1', count: 30 })).waitFor();
    const undo = { name: say.profile('undo') };
    await row('迟到').getByRole('button', undo).click();
    await dialog.getByText('−1').waitFor();
    await dialog.getByRole('button', undo).click();
    await row('迟到').waitFor({ state: 'detached' });
    await row('Homework').waitFor();
    expect(await found(visit, name)).toMatchObject([{ totalScore: 3, deductScore: 0, scoreCount: 1 }]);
  });
});

const found = ({ admin, school }: Visit, search: string) =>
  admin.read<Student[]>(`/users?schoolDb=${school.schoolDb}&search=${search}`);

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

describeJourneys('imports', 'grade', look, (journey) => {
  journey('a file import shows the outcome of each row first, and new passwords once', async (visit) => {
    const { page, say, go, choose, school, admin, app } = visit;
    // As a running server does.
    const timer = setInterval(() => void app.app.runImports(), 300);
    atEndOfFile(async () => clearInterval(timer));
    const { imports: t, listFiles: l, newPasswords: p } = say;
    const { expectOutcome, show } = resultOf(visit);
    await go('/admin/students/import');
    const file = await xlsxOf({ 名单: [[listTitle], [], ...rows], Staff: [['Ann', 'Lee']] });
    await chooseFile(page, 'list.xlsx', file);
    await page.getByText(l('rowsFound', { count: 5, name: 'list.xlsx' })).waitFor();
    await choose(page, l('worksheet'), 'Staff');
    await page.getByText(l('rowsFound', { count: 1, name: 'list.xlsx' })).waitFor();
    await choose(page, l('worksheet'), '名单');

    await page.getByText(l('rowAbove', { line: 1, text: listTitle })).waitFor();
    await page.getByRole('radiogroup', { name: t('patternTitle') }).waitFor();
    await choose(page, l('columnHolds', { n: 1 }), t('username'));
    await expect.poll(() => page.getByRole('radiogroup').count()).toBe(0);
    await page.getByRole('button', { name: p('next') }).click();
    await expectOutcome('n1', t('outcomeCreate'));
    await show('conflict');
    await expectOutcome('Max', t('usernameTwice'));
    await downloadFile(page, page.getByRole('button', { name: l('downloadFailed') }));
    await expectOutcome('n3', t('classUnknown', { class: 'Grade 2 Class A' }));
    await show('updated');
    const renamed = { field: t('field_actualName'), before: 's1a1', after: 'Bob' };
    await expectOutcome('s1a1', t('changeOf', renamed));

    // The list lacks two of the three students, so the page disables them only after a choice.
    await show('missing');
    await expectOutcome('s1a2', t('outcomeUnchanged'));
    const [away] = await found(visit, 's1a3');
    const classId = school.grades[0].classes[1].id;
    await admin.patch(`/users/${away?.id}`, { schoolDb: school.schoolDb, classId });
    await page.getByRole('radio', { name: t('missing_disable') }).check();
    const missing = { name: 'Grade 1 Class A', missing: 2, total: 3 };
    await page.getByRole('checkbox', { name: t('missingOfClass', missing) }).check();
    await expectOutcome('s1a2', t('outcomeDisable'));
    await expectOutcome('s1a3', t('movedSince'));
    expect(await axeViolations(page, { bestPractice: true })).toEqual([]);
    const startAll = t('startChanges', { count: 4 });
    await page.getByRole('button', { name: startAll }).click();
    await visit.answerDialog(t('disableTitle', { count: 1 }), startAll);
    await page.getByText(t('created', { count: 2 })).waitFor();
    await page.getByText(t('changedCount', { count: 1 })).waitFor();
    await page.getByText(t('missingCount', { count: 1 })).waitFor();
    const lines = await downloadLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    expect(lines.map((line) => line.split(',').slice(0, 3).join())).toContain("Grade 1 Class A,'=1+1,n1");
    await app.signInStudent(school.schoolDb, 'n1', lines[1]?.split(',')[3]);
    expect((await found(visit, 'n')).map(({ username }) => username)).toEqual(['n1', 'n2']);
  });

  journey('pasted names get usernames, are imported once, and can be undone', async (visit) => {
    const { page, heading, say, goOn, choose, school, admin } = visit;
    const { imports: t, newPasswords: p, importRuns: r } = say;
    const next = page.getByRole('button', { name: t('next') });
    await goOn('/admin/students/import');
    await page.getByText(say.listFiles('paste'), { exact: true }).click();
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
    await dropAnswer(page, '**/api/imports');
    await start.click();
    await page.getByRole('alert').first().waitFor();
    await start.press('Enter');
    await page.getByText(t('created', { count: 2 })).waitFor();
    await page.reload();
    const lines = await downloadLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    const passwords = lines.slice(1).map((line) => line.split(',')[3]);
    expect(new Set(passwords).size).toBe(2);
    const classId = school.grades[0].classes[0].id;
    expect(await found(visit, 'p01')).toMatchObject([{ actualName: '李伟', classId }]);

    await heading(r('pasted')).waitFor();
    await page.getByRole('button', { name: r('undoButton') }).click();
    await visit.answerDialog(r('undoTitle'), r('undoButton'));
    await page.getByText(r('allUndone', { count: 2 })).waitFor();
    expect(await found(visit, 'p01')).toEqual([]);
    await goOn('/admin/imports');
    await page.getByText(r('state_undone'), { exact: true }).waitFor();
    const runs = await admin.read<ImportRun[]>(`/imports?schoolDb=${school.schoolDb}`);
    expect(runs.filter(({ name }) => name === null)).toHaveLength(1);
  });

  journey('an import of a OneRoster file shows the differences and applies them', async (visit) => {
    const { page, say, goOn, school } = visit;
    const { roster: t, imports: i } = say;
    const { expectOutcome, show } = resultOf(visit);
    await goOn('/admin/students/roster');
    const saved = await downloadFile(page, page.getByRole('button', { name: t('exportButton') }));
    const files = unzipSync(new Uint8Array(saved));
    const append = (name: string, line: string) => {
      files[name] = strToU8(`${strFromU8(files[name] as Uint8Array)}${line}\r\n`);
    };
    const classId = school.grades[0].classes[0].id;
    const inSchool = `classledger-school-${school.id}`;
    append('users.csv', `R-1,,,true,newcomer,,小明,王,${','.repeat(14)}`);
    append('roles.csv', `x1,,,R-1,primary,student,,,${inSchool},`);
    append('enrollments.csv', `e1,,,classledger-class-${classId},${inSchool},R-1,student,,,`);
    await chooseFile(page, 'roster.zip', Buffer.from(zipSync(files)));
    await expectOutcome('newcomer', i('outcomeCreate'));
    await show('unchanged');
    await expectOutcome('s1a1', i('outcomeUnchanged'));
    await page.getByRole('button', { name: i('startImport', { count: 1 }) }).click();
    await page.getByText(i('created', { count: 1 })).waitFor();
    expect(await found(visit, 'R-1')).toMatchObject([
      { username: 'newcomer', actualName: '王小明', classId },
    ]);
  });
});

/** Finds the rows of a check. */
function resultOf({ page, row, say }: Visit) {
  return {
    expectOutcome: (of: string, text: string) => row(of).getByText(text, { exact: true }).waitFor(),
    show: (kind: 'updated' | 'unchanged' | 'missing' | 'conflict') =>
      page
        .getByRole('group', { name: say.imports('kinds') })
        .getByRole('button', { name: new RegExp(`\\d ${say.imports(`kind_${kind}`)}$`) })
        .press('Enter'),
  };
}

const chosen = 'three green kites';

describeJourneys('slips', 'class', look, (journey) => {
  journey('a slip’s code works once, and asks before another student is signed out', async (visit) => {
    const { page, signIn, choosePassword, heading, say, origin, forgive } = visit;
    const { slipCode: t, ownPassword: p } = say;
    const [first, second] = await printedSlips(visit);

    await page.goto(first.href);
    await heading(p('firstTitle')).waitFor();
    expect(page.url()).toBe(`${origin}/student`);
    expect(await everythingKept(page)).not.toContain(first.hash.split('=')[1]);
    await expect.poll(() => page.getByLabel(p('givenPasswordStudent')).count()).toBe(0);
    await choosePassword(chosen);
    const home = page.getByRole('link', { name: say.studentApp('home') });
    await home.waitFor();

    const scan = () => page.evaluate(`location.hash = ${JSON.stringify(second.hash)}`);
    await scan();
    await page.getByText(t('someoneElse', { name: 'slip1' })).waitFor();
    await page.getByRole('button', { name: t('stayAs', { name: 'slip1' }) }).click();
    await home.waitFor();
    await scan();
    await page.getByRole('button', { name: t('useCode') }).click();
    await heading(p('firstTitle')).waitFor();
    await page.getByText('slip2 (slip2)').waitFor();

    // On another device, the first code is used.
    await page.goto(`${origin}/icon.svg`);
    await page.evaluate("localStorage.removeItem('classledger.student-token')");
    forgive(/401/);
    await page.goto(first.href);
    await heading(t('usedTitle')).waitFor();
    await signIn({ username: 'slip1', password: chosen });
    await home.waitFor();
    expect(page.url()).toBe(`${origin}/student`);
  });
});

const everythingKept = async (page: Page) =>
  JSON.stringify(
    await page.evaluate(
      '[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, JSON.stringify(history.state)]',
    ),
  );

/** Prints slips for two students who share a password. @returns the addresses of their codes */
async function printedSlips(visit: Visit): Promise<[URL, URL]> {
  const { page, dialog, say, go, origin, row, choose, admin, school } = visit;
  const { students: t, studentActions: a, newPasswords: p } = say;
  const { schoolDb } = school;
  const classId = school.grades[0].classes[0].id;
  const students = [{ username: 'slip1' }, { username: 'slip2' }];
  await admin.created('/users', { schoolDb, classId, defaultPassword: 'kindle42', students });
  await page.addInitScript('window.print = () => {}');
  await go('/admin/students?q=slip');
  await row('slip1').getByText(t('password_shared')).waitFor();
  await choose(page.getByRole('search'), t('password'), t('password_atRisk'));
  await page.getByRole('button', { name: t('newSlips', { count: 2 }) }).click();
  await dialog.getByRole('button', { name: a('resetPassword') }).click();
  await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
  await dialog.getByRole('button', { name: p('printSlips') }).click();
  await page.locator('[data-password-slips]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const read = async (username: string) => {
    const slip = page.locator('[data-password-slips] li', { has: page.locator('svg'), hasText: username });
    const address = await readQr(slip.getByRole('img', { name: p('slipCode') }));
    expect(address).toMatch(new RegExp(`^${origin}/student#code=\\d+\\.[\\w-]{22}$`));
    const chooseBy = p('slipChooseBy', { day: '.*20\\d\\d.*' });
    expect((await slip.textContent()) ?? '').toMatch(new RegExp(chooseBy));
    return new URL(address);
  };
  const both: [URL, URL] = [await read('slip1'), await read('slip2')];
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: p('havePrinted') }).click();
  await dialog.getByRole('button', { name: a('done') }).click();
  await dialog.waitFor({ state: 'detached' });
  await row('slip2').getByText(t('password_unused')).waitFor();
  return both;
}

describeJourneys('personal data', 'school', look, (journey) => {
  journey('staff save school settings for classmates, time zone and automatic erasure', async (visit) => {
    const { page, dialog, say, go, app, admin, school } = visit;
    const t = say.settings;
    const [first, second] = school.grades[0].classes[1].students;
    const { schoolDb } = school;
    await admin.created('/scores/add', { schoolDb, userId: first.id, scoreChange: 5, description: '' });
    const mate = await app.signInStudent(schoolDb, second.username);
    const seen = async () =>
      (await mate.read<{ place: number | null }[]>('/student/classmates')).map(({ place }) => place);
    expect(await seen()).toEqual([1, null, null]);

    await go('/admin/settings');
    const preview = page.getByRole('figure', { name: t('previewTitle') });
    await preview.getByText(t('others')).waitFor();
    const buttons = page.getByRole('button', { name: t('save') });
    const save = buttons.first();
    // A choice during a save must survive.
    const releaseSave = await holdRequests(page, '**/api/school-settings', { times: 1 });
    await page.getByRole('radio', { name: t('all') }).check();
    await preview.getByText(t('others')).waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('radio', { name: t('names') }).check();
    releaseSave();
    await expect.poll(seen).toEqual([1, 2, 2]);
    await save.click();
    await expect.poll(seen).toEqual([null, null, null]);
    await expect.poll(() => save.isDisabled()).toBe(true);

    await page.getByRole('combobox', { name: t('timeZone') }).fill('kathm');
    await page.getByRole('option', { name: /^Asia\/Kathmandu/ }).click();
    await page.getByText(t('timeZoneChanges')).waitFor();
    const ofZone = visit.region(t('timeZoneTitle'));
    await ofZone.getByRole('button', { name: t('save') }).click();
    await page.getByText(t('timeZoneChanges')).waitFor({ state: 'detached' });

    await page.getByRole('radio', { name: t('giversPlus') }).check();
    await visit
      .region(t('giversTitle'))
      .getByRole('button', { name: t('save') })
      .click();
    await page.getByRole('radio', { name: t('after') }).check();
    const days = page.getByRole('textbox', { name: t('days') });
    await days.fill('90');
    await buttons.last().click();
    await dialog.getByText(t('confirmText', { count: 90 })).waitFor();
    await dialog.getByRole('button', { name: t('confirm') }).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = await admin.get(`/school-settings?schoolDb=${schoolDb}`);
    expect(stored.data).toMatchObject({
      classmates: 'names',
      pointGivers: 'plus',
      eraseLeaversAfterDays: 90,
      timeZone: 'Asia/Kathmandu',
    });
  });

  journey('staff export a student’s data as escaped HTML and JSON, and erase the student', async (visit) => {
    const { page, dialog, heading, say, goOn, act, admin, school } = visit;
    const { schoolDb } = school;
    const t = say.personalData;
    const { id, username } = school.grades[0].classes[0].students[1];
    const name = 'Mei <i>Lin</i>';
    await admin.patch(`/users/${id}`, { schoolDb, actualName: name });
    const reason = '</td><script>alert(1)</script>';
    await admin.created('/scores/add', { schoolDb, userId: id, scoreChange: 3, description: reason });
    await goOn(`/admin/students/${id}`);

    await act(name, t('exportEntry'));
    const download = dialog.getByRole('button', { name: t('download') });
    const html = (await downloadFile(page, download)).toString();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('&lt;/td&gt;&lt;script&gt;');
    expect(html).not.toContain('<script');
    await dialog.waitFor({ state: 'detached' });
    await act(name, t('exportEntry'));
    await dialog.getByRole('radio', { name: t('asData') }).check();
    const data: StudentExport = JSON.parse((await downloadFile(page, download)).toString());
    expect(data).toMatchObject({ id, records: [{ description: reason }], totals: { totalScore: 3 } });
    await dialog.waitFor({ state: 'detached' });

    await act(name, t('eraseEntry'));
    await dialog.getByRole('textbox').fill(username);
    await dialog.getByRole('button', { name: t('eraseConfirm') }).click();
    const pseudonym = say.common('erasedName', { id: String(id) });
    await heading(pseudonym).waitFor();
    await page.getByText(say.students('stateErased'), { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText('Mei').count()).toBe(0);
    await page.getByRole('button', { name: say.lists('actionsFor', { name: pseudonym }) }).click();
    const left = [say.studentActions('move'), t('exportEntry'), say.studentActions('delete')];
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(left);
    await page.keyboard.press('Escape');
  });
});
