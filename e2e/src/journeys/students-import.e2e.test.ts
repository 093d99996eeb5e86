import { readFile } from 'node:fs/promises';
import type { ImportRun, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as listsTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as rosterTexts } from '../../../web/src/admin/students/import/roster/texts.ts';
import { texts as runTexts } from '../../../web/src/admin/students/import/runs/texts.ts';
import { texts } from '../../../web/src/admin/students/import/texts.ts';
import { texts as passwordTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as listTexts } from '../../../web/src/admin/students/texts.ts';
import { toCsv } from '../../../web/src/spreadsheets/csv.ts';
import { strFromU8, strToU8, unzipSync, zipSync } from '../../../web/src/spreadsheets/zip-without-workers.ts';
import { barriers } from '../harness/barriers.ts';
import { chooseFile, loseAnswer, savedFile, savedLines, xlsxOf } from '../harness/files.ts';
import { describeJourneys } from '../harness/journeys.ts';

const title = '初一7A班学生名单';
const header = ['编号', 'Name', 'Grade', 'Class'];
/** Saved by LibreOffice. */
const workbook = new URL('../../../web/src/spreadsheets/testing/files/list.xls', import.meta.url);
/** A valid row, another class, another grade, an existing student, and a repeated username. */
const rows = [
  ['n1', '=1+1', 'Grade 1', 'Class A'],
  ['ｎ２', '𠮷田', 'Grade 1', 'Class Ｂ'],
  ['n3', 'Ann', 'Grade 2', 'Class A'],
  ['s1a1', 'Bob', 'Grade 1', 'Class A'],
  ['n1', 'Max', 'Grade 1', 'Class A'],
];

describeJourneys('imports', ['grade', 'class', 'school', 'super'], (journey) => {
  journey('of a file show the outcome of each row first, and the new passwords once', async (visit) => {
    const { page, say, go, choose, traveller, screen, school, admin, app } = visit;
    const t = say(texts);
    const l = say(listsTexts);
    const p = say(passwordTexts);
    const createdHere = { grade: ['n1', 'n2'], class: ['n1'] }[String(traveller)] ?? ['n1', 'n2', 'n3'];
    await go('/admin/students/import');
    await page.getByRole('heading', { name: l('dropTitle') }).waitFor();
    await chooseFile(page, 'list.csv', Buffer.from('%PDF-1.7'));
    await page.getByText(l('filePdf')).waitFor();
    await chooseFile(page, 'list', await readFile(workbook));
    await page.getByText(l('rowsFound', { count: 4, name: 'list' })).waitFor();
    await choose(page, l('worksheet'), '八年级');
    await page.getByText(l('rowsFound', { count: 220, name: 'list' })).waitFor();
    await page.getByRole('button', { name: t('otherList') }).click();
    const name = screen === 'phone' ? 'list.csv' : 'list.xlsx';
    const buffer =
      screen === 'phone'
        ? Buffer.from(toCsv({ header: [title], rows: [[], header, ...rows] }), 'utf16le')
        : await xlsxOf([[title], [], header, ...rows]);
    await chooseFile(page, name, buffer);
    await page.getByText(l('rowsFound', { count: 5, name })).waitFor();

    await page.getByText(l('rowAbove', { line: 1, text: title })).waitFor();
    await page.getByRole('radiogroup', { name: t('patternTitle') }).waitFor();
    await choose(page, l('columnHolds', { n: 1 }), t('fieldUsername'));
    await expect.poll(() => page.getByRole('radiogroup').count()).toBe(0);
    await page.getByRole('button', { name: p('next') }).click();
    const fate = (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor();
    const show = (kind: 'updated' | 'missing' | 'conflict') =>
      page
        .getByRole('group', { name: t('kinds') })
        .getByRole('button', { name: new RegExp(`\\d ${t(`kind_${kind}`)}$`) })
        .press('Enter');
    await fate('n1', t('fateCreate'));
    await fate('n1', '4');
    if (createdHere.includes('n2')) await fate('𠮷田', 'n2');
    if (createdHere.includes('n3')) await fate('n3', t('fateCreate'));
    await show('conflict');
    await fate('Max', t('usernameTwice'));
    await savedFile(page, page.getByRole('button', { name: l('downloadFailed') }));
    if (!createdHere.includes('n3')) await fate('n3', t('classUnknown', { class: 'Grade 2 Class A' }));
    await show('updated');
    const renamed = { field: t('field_actualName'), before: 's1a1', after: 'Bob' };
    await fate('s1a1', t('changeOf', renamed));

    // The list lacks two of the three students, so the page disables them only after a choice.
    await show('missing');
    await fate('s1a2', t('fateLeave'));
    const { length: count } = createdHere;
    const [away] = (await admin.get(`/users?schoolDb=${school.schoolDb}&search=s1a3`)).data as Student[];
    const classId = school.grades[0].classes[1].id;
    const moved = await admin.patch(`/users/${away?.id}`, { schoolDb: school.schoolDb, classId });
    expect(moved.status).toBe(200);
    await page.getByRole('radio', { name: t('missing_disable') }).check();
    await page.getByRole('button', { name: t('startImport', { count: count + 1 }) }).waitFor();
    const missing = { name: 'Grade 1 Class A', missing: 2, total: 3 };
    await page.getByRole('checkbox', { name: t('missingOfClass', missing) }).check();
    await fate('s1a2', t('fateDisable'));
    await fate('s1a3', t('movedSince'));
    expect(await barriers(page, { bestPractice: true })).toEqual([]);
    const startAll = { name: t('startChanges', { count: count + 2 }) };
    await page.getByRole('button', startAll).click();
    const sure = page.getByRole('dialog', { name: t('disableTitle', { count: 1 }) });
    await sure.getByRole('button', startAll).click();
    await page.getByText(t('created', { count })).waitFor();
    await page.getByText(t('changedCount', { count: 1 })).waitFor();
    await page.getByText(t('missingCount', { count: 1 })).waitFor();
    const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    expect(lines.map((line) => line.split(',').slice(0, 3).join())).toContain("Grade 1 Class A,'=1+1,n1");
    await app.signInStudent(school.schoolDb, 'n1', lines[1]?.split(',')[3]);

    await page.getByRole('link', { name: t('showStudents') }).click();
    await page.getByRole('heading', { level: 1, name: say(listTexts)('title'), exact: true }).waitFor();
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=n`);
    const created = data as Student[];
    expect(created.map(({ username }) => username)).toEqual(createdHere);
    if (createdHere.includes('n2'))
      expect(created[1]).toMatchObject({ actualName: '𠮷田', className: 'Class B' });
  });

  journey(
    'put a pasted list into one class with a password each, and can be undone as a whole',
    async (visit) => {
      const { page, say, goOn, choose, traveller, school, admin } = visit;
      const t = say(texts);
      const l = say(listsTexts);
      const p = say(passwordTexts);
      const next = page.getByRole('button', { name: t('next') });
      await goOn('/admin/students/import');
      await page.getByText(l('paste'), { exact: true }).click();
      await page.getByRole('textbox').fill('p1\t李伟\np2\tCara');
      await next.click();
      await page.getByRole('checkbox', { name: l('hasHeader', { line: 1 }) }).waitFor();
      const choices = page.getByRole('combobox', { name: t('class') });
      if (traveller === 'class') await expect.poll(() => choices.count()).toBe(0);
      else await choose(page, t('class'), 'Class A');
      // The same-named button of the last step stood here, so a click would be ignored.
      await next.press('Enter');
      const start = page.getByRole('button', { name: t('startImport', { count: 2 }) });
      visit.forgive(/Failed to load resource/);
      await loseAnswer(page, '**/api/imports', 1);
      await start.click();
      await page.getByRole('alert').first().waitFor();
      await start.press('Enter');
      await page.getByText(t('created', { count: 2 })).waitFor();
      await page.reload();
      const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
      const passwords = lines.slice(1).map((line) => line.split(',')[3]);
      expect(new Set(passwords).size).toBe(2);
      const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=p1`);
      const classId = school.grades[0].classes[0].id;
      expect(data).toMatchObject([{ username: 'p1', actualName: '李伟', classId }]);

      const r = say(runTexts);
      await page.getByRole('heading', { level: 1, name: r('pasted') }).waitFor();
      await page.getByRole('link', { name: 'Cara' }).waitFor();
      expect(await barriers(page, { bestPractice: true })).toEqual([]);
      await page.getByRole('button', { name: r('undoButton') }).click();
      const sure = page.getByRole('dialog', { name: r('undoTitle') });
      await sure.getByRole('button', { name: r('undoButton') }).click();
      await page.getByText(r('allUndone', { count: 2 })).waitFor();
      expect((await admin.get(`/users?schoolDb=${school.schoolDb}&search=p1`)).data).toEqual([]);
      await goOn('/admin/activity');
      await page.getByRole('link', { name: /^#/ }).first().waitFor();
      await goOn('/admin/imports');
      await page.getByText(r('state_undone'), { exact: true }).waitFor();
      const runs = await admin.get(`/imports?schoolDb=${school.schoolDb}`);
      expect((runs.data as ImportRun[]).filter(({ name }) => name === null)).toHaveLength(1);
    },
  );

  journey(
    'create usernames for names by a pattern, and find the same students by name the next time',
    async (visit) => {
      const { page, say, go, choose, traveller, school, admin, language } = visit;
      const t = say(texts);
      const l = say(listsTexts);
      const p = say(passwordTexts);
      const next = page.getByRole('button', { name: t('next') });
      const surnames = [...'张王李赵刘陈'];
      const names = surnames.flatMap((surname) => [...'伟芳娜敏静'].map((given) => surname + given));
      const paste = async (pattern: string) => {
        await page.getByText(l('paste'), { exact: true }).click();
        await page.getByRole('textbox').fill(names.join('\n'));
        await next.click();
        await page.getByRole('radio', { name: t('pattern_own') }).check();
        await page.getByRole('textbox', { name: t('patternOwn') }).fill(pattern);
        if (traveller !== 'class') {
          await next.press('Enter');
          await page.getByText(t('needClass')).waitFor();
          await choose(page, t('class'), 'Class A');
        }
      };
      // A student of another class has the first username, which a class administrator cannot see.
      const there = {
        username: 'k1a01',
        actualName: 'Ann',
        password: 'ann-has-one',
        schoolDb: school.schoolDb,
      };
      await admin.created('/users', { ...there, classId: school.grades[0].classes[1].id });
      await go('/admin/students/import');
      await paste('{nobody}');
      await next.press('Enter');
      await page.getByText(t('patternFault', { fault: '{nobody}' })).waitFor();
      const example = page.getByRole('radio', { name: t('pattern_gradeClassNumber') });
      await example.check();
      await page.getByRole('cell', { name: '1a01', exact: true }).waitFor();
      expect(await barriers(page, { bestPractice: true })).toEqual([]);
      const own = language === 'en' ? 'k{grade}{class}{number}' : 'k{年级}{班级}{序号}';
      await page.getByRole('radio', { name: t('pattern_own') }).check();
      await page.getByRole('textbox', { name: t('patternOwn') }).fill(own);
      const first = traveller === 'class' ? 'k1a01' : 'k1a02';
      await page.getByRole('cell', { name: first, exact: true }).waitFor();
      await next.press('Enter');
      await page.getByRole('button', { name: t('startImport', { count: 30 }) }).click();
      await page.getByText(t('created', { count: 30 })).waitFor();
      await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
      const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=k1a&limit=100`);
      const created = data as Student[];
      expect(created.map(({ username }) => username).toSorted()).toEqual(
        ['Ann', ...names].map((_, index) => `k1a${String(index + 1).padStart(2, '0')}`),
      );

      await page.getByRole('link', { name: t('importMore') }).press('Enter');
      await paste(own);
      await next.press('Enter');
      await page.getByText(t('foundByName', { count: 30 }), { exact: false }).waitFor();
      await page.getByText(t('nothingToDo')).waitFor();
    },
  );

  journey('of a OneRoster file apply the differences, and change nothing the second time', async (visit) => {
    const { page, say, goOn, school, admin, app } = visit;
    const t = say(rosterTexts);
    const i = say(texts);
    const p = say(passwordTexts);
    await goOn('/admin/students/roster');
    const saved = await savedFile(page, page.getByRole('button', { name: t('exportButton') }));
    const files = unzipSync(new Uint8Array(saved));
    const textOf = (name: string) => strFromU8(files[name] as Uint8Array);
    const classId = school.grades[0].classes[0].id;
    const inSchool = `classledger-school-${school.id}`;
    const more = {
      'users.csv': `R-1,,,true,newcomer,,小明,王,${','.repeat(14)}\r\nR-2,,,true,s1a1,,Ann,Lee,${','.repeat(14)}\r\n`,
      'roles.csv': `x1,,,R-1,primary,student,,,${inSchool},\r\nx2,,,R-2,primary,student,,,${inSchool},\r\n`,
      'enrollments.csv': ['R-1', 'R-2']
        .map((id) => `e${id},,,classledger-class-${classId},${inSchool},${id},student,,,\r\n`)
        .join(''),
    };
    // s1a1 comes from the other system with its id.
    const before = `classledger-student-${school.grades[0].classes[0].students[0]?.id}`;
    const others = (text: string) =>
      text
        .split('\r\n')
        .filter((line) => line !== '' && !line.split(',').includes(before))
        .map((line) => `${line}\r\n`)
        .join('');
    for (const [name, text] of Object.entries(more)) files[name] = strToU8(others(textOf(name)) + text);
    const archive = Buffer.from(zipSync(files));
    await chooseFile(page, 'roster.zip', archive);
    const fate = (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor();
    await fate('newcomer', i('fateCreate'));
    const show = (kind: 'updated' | 'unchanged') =>
      page
        .getByRole('group', { name: i('kinds') })
        .getByRole('button', { name: new RegExp(`\\d ${i(`kind_${kind}`)}$`) })
        .press('Enter');
    await show('updated');
    const linked = { field: i('field_externalId'), before: '–', after: 'R-2' };
    await fate('s1a1', i('changeOf', linked));
    await show('unchanged');
    await fate('s1a2', i('fateUnchanged'));
    await page.getByRole('button', { name: i('startImport', { count: 2 }) }).click();
    await page.getByText(i('created', { count: 1 })).waitFor();
    await page.getByText(i('changedCount', { count: 1 })).waitFor();
    const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }));
    await app.signInStudent(school.schoolDb, 'newcomer', lines[1]?.split(',')[3]);
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&search=R-`);
    expect(data).toMatchObject([
      { username: 's1a1', actualName: 'Ann Lee', externalId: 'R-2', classId },
      { username: 'newcomer', actualName: '王小明', externalId: 'R-1', classId },
    ]);

    await page.getByRole('link', { name: i('importMore') }).press('Enter');
    await chooseFile(page, 'roster.zip', archive);
    await page.getByText(i('nothingToDo')).waitFor();
  });
});

describeJourneys('first imports', ['super'], (journey) => {
  journey('add missing grades and classes, and give each row the class of a merged cell', async (visit) => {
    const { page, say, origin, admin } = visit;
    const t = say(texts);
    const l = say(listsTexts);
    const name = `Empty ${visit.screen}`;
    const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name });
    const blocks = ['七年级1班', '七年级2班', '八年级1班'];
    const people = blocks.flatMap((className, block) =>
      Array.from({ length: 10 }, (_, i) => [
        `学生${block}${'一二三四五六七八九十'[i]}`,
        i === 0 ? className : '',
      ]),
    );
    const file = await xlsxOf([['姓名', '班级'], ...people], ['B2:B11', 'B12:B21', 'B22:B31']);
    await page.goto(new URL(`/admin/students/import?school=${schoolDb}`, origin).href);
    await page.getByRole('heading', { name: l('dropTitle') }).waitFor();
    await chooseFile(page, 'merged.xlsx', file);
    await page.getByText(t('filled', { count: 27 })).waitFor();
    await page.getByRole('button', { name: t('next') }).press('Enter');
    await page.getByText(l('missingTitle', { count: 3 })).waitFor();
    const counts = page.getByRole('group', { name: t('kinds') });
    await counts.getByRole('button', { name: new RegExp(`30 ${t('kind_awaiting')}$`) }).waitFor();
    await counts.getByRole('button', { name: new RegExp(`0 ${t('kind_conflict')}$`) }).waitFor();
    expect(await page.getByText(t('nothingToImport')).count()).toBe(0);
    expect(await page.getByRole('button', { name: t('startImport', { count: 0 }) }).count()).toBe(0);
    expect(await barriers(page, { bestPractice: true })).toEqual([]);
    await page.getByRole('button', { name: l('missingOpen') }).click();
    await page.getByRole('button', { name: l('missingAdd', { count: 3 }) }).click();
    await page.getByRole('button', { name: t('startImport', { count: 30 }) }).click();
    await page.getByText(t('created', { count: 30 })).waitFor();
    const { data } = await admin.get(`/users?schoolDb=${schoolDb}&limit=100`);
    const perClass = Map.groupBy(data as Student[], (one) => `${one.gradeName}${one.className}`);
    expect([...perClass].map(([label, own]) => [label, own.length]).toSorted()).toEqual(
      blocks.map((label) => [label, 10]).toSorted(),
    );
  });
});
