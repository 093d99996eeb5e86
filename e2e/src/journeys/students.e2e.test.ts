import type { Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as actionTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { texts as passwordTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as pageTexts } from '../../../web/src/admin/students/profile/texts.ts';
import { texts } from '../../../web/src/admin/students/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('students', ['grade', 'school', 'super'], (journey) => {
  journey('staff add, find, edit, move, disable and delete a student', async (visit) => {
    const { page, say, go, row, choose, traveller, school, app } = visit;
    const t = say(texts);
    const a = say(actionTexts);
    const inRange = traveller === 'grade' ? 6 : 12;
    const shown = (count: number) => page.getByText(t('matching', { count }), { exact: true }).waitFor();
    await go('/admin/students');
    await shown(inRange);
    const l = say(listTexts);
    await page.getByRole('button', { name: t('addStudent') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: a('name'), exact: true }).fill('=Zoe+1');
    await dialog.getByRole('textbox', { name: a('username') }).fill('zoe');
    await dialog.getByRole('textbox', { name: t('cardNumber') }).fill('0007');
    await dialog.getByRole('button', { name: a('add'), exact: true }).click();
    await dialog.getByText(a('chooseClass')).waitFor();
    await choose(dialog, a('class'), 'Class B');
    await dialog.getByRole('button', { name: a('add'), exact: true }).click();
    await dialog.getByText(a('added', { name: '=Zoe+1' })).waitFor();
    const password = dialog.getByLabel(say(passwordTexts)('password'), { exact: true });
    await app.signInStudent(school.schoolDb, 'zoe', (await password.textContent()) ?? '');
    await dialog.getByRole('button', { name: a('done') }).click();
    await shown(inRange + 1);

    await page.getByRole('searchbox', { name: a('search') }).fill('0007');
    await shown(1);
    const act = async (name: string, action: string) => {
      await row('zoe')
        .getByRole('button', { name: l('actionsFor', { name }) })
        .click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
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
    await row('zoe').getByText(t('stateDisabled')).waitFor();
    expect(await found(visit, 'zoe')).toMatchObject([
      { actualName: 'Zoe', classId: school.grades[0].classes[0].id, disabled: true },
    ]);

    await act('Zoe', a('delete'));
    await dialog.getByRole('textbox').fill('zoe');
    await dialog.getByRole('button', { name: a('delete') }).click();
    await page.getByText(l('noMatchTitle')).waitFor();
    await page
      .getByRole('search')
      .getByRole('button', { name: l('clearFilters') })
      .click();
    await shown(inRange);
    expect(await found(visit, 'zoe')).toEqual([]);
  });

  journey('staff move several students, and renew passwords not chosen by the student', async (visit) => {
    const { page, say, goOn, row, choose, screen, school, admin, app } = visit;
    const t = say(texts);
    const a = say(actionTexts);
    const p = say(passwordTexts);
    const l = say(listTexts);
    const dialog = page.getByRole('dialog');
    await goOn('/admin/students?q=s1a');
    await row('s1a3').waitFor();
    const act = async (action: string) => {
      if (screen === 'phone') {
        await row('s1a1').getByRole('checkbox').check();
        await page.getByRole('button', { name: l('selectAllMatching', { count: 3 }) }).click();
      } else {
        await page.getByRole('checkbox', { name: l('selectAll') }).check();
      }
      const bar = page.getByRole('region', { name: t('selection') });
      await bar.getByText(l('selected', { count: 3 })).waitFor();
      if (screen === 'phone') await bar.getByRole('button', { name: a('actions') }).click();
      await (screen === 'phone' ? page : bar)
        .getByRole(screen === 'phone' ? 'menuitem' : 'button', { name: action })
        .click();
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
    await dialog.getByRole('button', { name: a('resetConfirm') }).click();
    await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
    await dialog.getByText(a('keptOwn', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: a('done') }).click();
    const question = page.getByRole('dialog', { name: p('leaveTitle') });
    await question.getByRole('button', { name: a('cancel') }).click();
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

  journey('a student’s page shows trend and records, revokes points, resets the password', async (visit) => {
    const { page, say, goOn, row, school, admin, app } = visit;
    const s = say(pageTexts);
    const a = say(actionTexts);
    const { schoolDb } = school;
    const [student = { id: 0, username: '' }] = school.grades[0].classes[0].students;
    const { id: userId, username: name } = student;
    await admin.created('/scores/add', { schoolDb, userId, scoreChange: 3, description: 'Homework' });
    await admin.created('/scores/add', { schoolDb, userId, scoreChange: -1, description: '迟到' });
    await goOn(`/admin/students/${userId}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText(s('trendSummary', { plus: '+3', minus: '−1', count: 30 })).waitFor();

    const dialog = page.getByRole('dialog');
    await row('迟到')
      .getByRole('button', { name: s('revoke') })
      .click();
    await dialog.getByText('−1').waitFor();
    await dialog.getByRole('button', { name: s('revoke') }).click();
    await row('迟到').waitFor({ state: 'detached' });
    await row('Homework').waitFor();
    expect(await found(visit, name)).toMatchObject([{ totalScore: 3, deductScore: 0, scoreCount: 1 }]);

    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
    await page.getByRole('menuitem', { name: a('resetPassword') }).click();
    await dialog.getByRole('button', { name: a('resetConfirm') }).click();
    const password = dialog.getByLabel(say(passwordTexts)('password'), { exact: true });
    await app.signInStudent(schoolDb, name, (await password.textContent()) ?? '');
    await dialog.getByRole('button', { name: a('done') }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

async function found({ admin, school }: Visit, search: string): Promise<Student[]> {
  return (await admin.get(`/users?schoolDb=${school.schoolDb}&search=${search}`)).data as Student[];
}
