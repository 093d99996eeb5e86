import type { ImportRun, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as listsTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as rosterTexts } from '../../../web/src/admin/students/import/roster/texts.ts';
import { texts as runTexts } from '../../../web/src/admin/students/import/runs/texts.ts';
import { texts } from '../../../web/src/admin/students/import/texts.ts';
import { texts as passwordTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { strFromU8, strToU8, unzipSync, zipSync } from '../../../web/src/spreadsheets/zip-without-workers.ts';
import { axeViolations } from '../harness/axe-violations.ts';
import { chooseFile, downloadFile, downloadLines, dropAnswer, xlsxOf } from '../harness/files.ts';
import { describeJourneys, type Journey, type Visit } from '../harness/journeys.ts';

const title = '初一7A班学生名单';
/** A valid row, another class, another grade, an existing student, and a repeated username. */
const rows = [
  ['编号', 'Name', 'Grade', 'Class'],
  ['n1', '=1+1', 'Grade 1', 'Class A'],
  ['ｎ２', '𠮷田', 'Grade 1', 'Class Ｂ'],
  ['n3', 'Ann', 'Grade 2', 'Class A'],
  ['s1a1', 'Bob', 'Grade 1', 'Class A'],
  ['n1', 'Max', 'Grade 1', 'Class A'],
];

describeJourneys('imports', ['grade', 'school', 'super'], importJourneys, { runsImports: true });

function importJourneys(journey: Journey): void {
  journey('a file import shows the outcome of each row first, and new passwords once', async (visit) => {
    const { page, say, go, choose, traveller, school, admin, app } = visit;
    const t = say(texts);
    const l = say(listsTexts);
    const p = say(passwordTexts);
    const { expectOutcome, show } = resultOf(visit);
    const createdHere = traveller === 'grade' ? ['n1', 'n2'] : ['n1', 'n2', 'n3'];
    await go('/admin/students/import');
    const file = await xlsxOf({ 名单: [[title], [], ...rows], Staff: [['Ann', 'Lee']] });
    await chooseFile(page, 'list.xlsx', file);
    await page.getByText(l('rowsFound', { count: 5, name: 'list.xlsx' })).waitFor();
    await choose(page, l('worksheet'), 'Staff');
    await page.getByText(l('rowsFound', { count: 1, name: 'list.xlsx' })).waitFor();
    await choose(page, l('worksheet'), '名单');

    await page.getByText(l('rowAbove', { line: 1, text: title })).waitFor();
    await page.getByRole('radiogroup', { name: t('patternTitle') }).waitFor();
    await choose(page, l('columnHolds', { n: 1 }), t('fieldUsername'));
    await expect.poll(() => page.getByRole('radiogroup').count()).toBe(0);
    await page.getByRole('button', { name: p('next') }).click();
    await expectOutcome('n1', t('outcomeCreate'));
    await show('conflict');
    await expectOutcome('Max', t('usernameTwice'));
    await downloadFile(page, page.getByRole('button', { name: l('downloadFailed') }));
    if (!createdHere.includes('n3'))
      await expectOutcome('n3', t('classUnknown', { class: 'Grade 2 Class A' }));
    await show('updated');
    const renamed = { field: t('field_actualName'), before: 's1a1', after: 'Bob' };
    await expectOutcome('s1a1', t('changeOf', renamed));

    // The list lacks two of the three students, so the page disables them only after a choice.
    await show('missing');
    await expectOutcome('s1a2', t('outcomeLeave'));
    const [away] = (await admin.get(`/users?schoolDb=${school.schoolDb}&search=s1a3`)).data as Student[];
    const classId = school.grades[0].classes[1].id;
    await admin.patch(`/users/${away?.id}`, { schoolDb: school.schoolDb, classId });
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
    expect(lines.map((line) => line.split(',').slice(0, 3).join())).toContain("Grade 1 Class A,'=1+1,n1");
    await app.signInStudent(school.schoolDb, 'n1', lines[1]?.split(',')[3]);
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=n`);
    expect((data as Student[]).map(({ username }) => username)).toEqual(createdHere);
  });

  journey('pasted names get usernames, are imported once, and can be undone', async (visit) => {
    const { page, say, goOn, choose, school, admin } = visit;
    const t = say(texts);
    const p = say(passwordTexts);
    const r = say(runTexts);
    const next = page.getByRole('button', { name: t('next') });
    await goOn('/admin/students/import');
    await page.getByText(say(listsTexts)('paste'), { exact: true }).click();
    await page.getByRole('textbox').fill('李伟\n王芳');
    await next.click();
    await page.getByRole('radio', { name: t('pattern_own') }).check();
    const pattern = page.getByRole('textbox', { name: t('patternOwn') });
    await pattern.fill('{nobody}');
    // The same-named button of the last step stood here, so a click would be ignored.
    await next.press('Enter');
    await page.getByText(t('patternFault', { fault: '{nobody}' })).waitFor();
    await pattern.fill('p{number}');
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
    await page.reload();
    const lines = await downloadLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    const passwords = lines.slice(1).map((line) => line.split(',')[3]);
    expect(new Set(passwords).size).toBe(2);
    const ofFirst = `/users?schoolDb=${school.schoolDb}&search=p01`;
    const classId = school.grades[0].classes[0].id;
    expect((await admin.get(ofFirst)).data).toMatchObject([{ actualName: '李伟', classId }]);

    await page.getByRole('heading', { level: 1, name: r('pasted') }).waitFor();
    expect(await axeViolations(page, { bestPractice: true })).toEqual([]);
    await page.getByRole('button', { name: r('undoButton') }).click();
    const sure = page.getByRole('dialog', { name: r('undoTitle') });
    await sure.getByRole('button', { name: r('undoButton') }).click();
    await page.getByText(r('allUndone', { count: 2 })).waitFor();
    expect((await admin.get(ofFirst)).data).toEqual([]);
    await goOn('/admin/imports');
    await page.getByText(r('state_undone'), { exact: true }).waitFor();
    const runs = await admin.get(`/imports?schoolDb=${school.schoolDb}`);
    expect((runs.data as ImportRun[]).filter(({ name }) => name === null)).toHaveLength(1);
  });

  journey('an import of a OneRoster file shows the differences and applies them', async (visit) => {
    const { page, say, goOn, school, admin } = visit;
    const t = say(rosterTexts);
    const i = say(texts);
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
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=R-1`);
    expect(data).toMatchObject([{ username: 'newcomer', actualName: '王小明', classId }]);
  });
}

/** Finds the rows of a check. */
function resultOf({ page, say }: Visit) {
  const t = say(texts);
  return {
    expectOutcome: (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor(),
    show: (kind: 'updated' | 'unchanged' | 'missing' | 'conflict') =>
      page
        .getByRole('group', { name: t('kinds') })
        .getByRole('button', { name: new RegExp(`\\d ${t(`kind_${kind}`)}$`) })
        .press('Enter'),
  };
}
