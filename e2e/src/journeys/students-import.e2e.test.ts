import type { Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/students/import/texts.ts';
import { texts as passwordTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as listTexts } from '../../../web/src/admin/students/texts.ts';
import { toCsv } from '../../../web/src/spreadsheets/csv.ts';
import { chooseFile, savedLines, xlsxOf } from '../harness/files.ts';
import { administrators, describeJourneys } from '../harness/journeys.ts';

const title = '初一7A班学生名单';
const header = ['编号', 'Name', 'Grade', 'Class'];
/** Of each kind one: good, in the other class, in the other grade, taken, a number that a spreadsheet cut short. */
const rows = [
  ['n1', '=1+1', 'Grade 1', 'Class A'],
  ['ｎ２', '𠮷田', 'Grade 1', 'Class Ｂ'],
  ['n3', 'Ann', 'Grade 2', 'Class A'],
  ['s1a1', 'Bob', 'Grade 1', 'Class A'],
  ['1.23457E+18', 'Max', 'Grade 1', 'Class A'],
];

describeJourneys('imports', administrators, (journey) => {
  journey('of a file say what becomes of each row, and give the passwords once', async (visit) => {
    const { page, say, go, choose, traveller, screen, school, admin, app } = visit;
    const t = say(texts);
    const p = say(passwordTexts);
    const createdHere = { grade: ['n1', 'n2'], class: ['n1'] }[String(traveller)] ?? ['n1', 'n2', 'n3'];
    await go('/admin/students/import');
    await page.getByRole('heading', { name: t('dropTitle') }).waitFor();
    const name = screen === 'phone' ? 'list.csv' : 'list.xlsx';
    const buffer =
      screen === 'phone'
        ? Buffer.from(toCsv({ header: [title], rows: [[], header, ...rows] }), 'utf16le')
        : await xlsxOf([[title], [], header, ...rows]);
    await chooseFile(page, name, buffer);
    await page.getByText(t('rowsFound', { count: 5, name })).waitFor();

    await page.getByText(t('rowAbove', { line: 1, text: title })).waitFor();
    // A heading that no one could guess.
    await page.getByRole('button', { name: p('next') }).click();
    await page.getByText(t('needUsername')).waitFor();
    await choose(page, t('columnHolds', { n: 1 }), t('fieldUsername'));
    await page.getByRole('button', { name: p('next') }).click();
    const fate = (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor();
    await fate('s1a1', t('usernameTaken'));
    await fate('n1', t('fateCreate'));
    await fate('n1', '4');
    await fate('Max', t('numberRounded'));
    await fate('𠮷田', 'n2');
    const classOf3 = t('classUnknown', { class: 'Grade 2 Class A' });
    await fate('n3', createdHere.includes('n3') ? t('fateCreate') : classOf3);

    const { length: count } = createdHere;
    await page.getByRole('button', { name: t('startImport', { count }) }).click();
    await page.getByText(t('created', { count })).waitFor();
    await page.getByText(t('failedRows', { count: 5 - count })).waitFor();
    // By the keyboard: where it was just pressed, a finger would not be trusted so soon.
    await page.getByRole('link', { name: t('showStudents') }).press('Enter');
    const question = page.getByRole('dialog', { name: p('leaveTitle') });
    await question.getByRole('button', { name: p('cancel') }).click();
    const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    expect(lines.map((line) => line.split(',').slice(0, 3).join())).toContain("Grade 1 Class A,'=1+1,n1");
    await app.signInStudent(school.schoolDb, 'n1', lines[1]?.split(',')[3]);

    await page.getByRole('link', { name: t('showStudents') }).click();
    await page.getByRole('heading', { level: 1, name: say(listTexts)('title') }).waitFor();
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=n`);
    const created = data as Student[];
    expect(created.map(({ username }) => username)).toEqual(createdHere);
    if (createdHere.includes('n2'))
      expect(created[1]).toMatchObject({ actualName: '𠮷田', className: 'Class B' });
  });

  journey('of a pasted list go into one class, each with a password of its own', async (visit) => {
    const { page, say, go, choose, traveller, school, admin, app } = visit;
    const t = say(texts);
    const p = say(passwordTexts);
    await go('/admin/students/import');
    await page.getByText(t('paste'), { exact: true }).click();
    await page.getByRole('textbox').fill('p1\t李伟\np2\tCara');
    const next = page.getByRole('button', { name: t('next') });
    await next.click();
    // Who has one class only is not asked for it.
    if (traveller === 'class') {
      await expect.poll(() => page.getByRole('combobox', { name: t('class') }).count()).toBe(0);
    } else {
      // The button of the step before has the same name: this one is there with its class, and stands where a click was
      // just made.
      await page.getByRole('combobox', { name: t('class') }).waitFor();
      await next.press('Enter');
      await page.getByText(t('needClass')).waitFor();
      await choose(page, t('class'), 'Class A');
    }
    await next.click();
    await page.getByRole('button', { name: t('startImport', { count: 2 }) }).click();
    await page.getByText(t('created', { count: 2 })).waitFor();
    const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    const passwords = lines.slice(1).map((line) => line.split(',')[3]);
    expect(new Set(passwords).size).toBe(2);
    await app.signInStudent(school.schoolDb, 'p2', passwords[1]);
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=p1`);
    const classId = school.grades[0].classes[0].id;
    expect(data).toMatchObject([{ username: 'p1', actualName: '李伟', classId }]);
  });
});
