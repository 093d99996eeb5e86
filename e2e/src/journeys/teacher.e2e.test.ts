import type { Administrator, ScoreLog, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

const look = { screen: 'phone', language: 'zh-CN' } as const;
const points = '+1';

/** The teacher's classes, in two grades. */
function classesOf({ school: { schoolDb, grades }, admin }: Visit) {
  const at = (grade: 0 | 1) => {
    const { id, students } = grades[grade].classes[0];
    const here = `schoolDb=${schoolDb}&classId=${id}`;
    const totals = async () =>
      (await admin.read<Student[]>(`/users?${here}`)).map(({ totalScore }) => totalScore);
    return { id, students, here, totals, name: `Grade ${grade + 1} Class A` };
  };
  return [at(0), at(1)] as const;
}

describeJourneys('a subject teacher', 'teacher', look, (journey) => {
  journey(
    'opens a class, gives a point, switches the class with one tap and undoes the point',
    async (visit) => {
      const { page, say, go, region, button, admin, school, username } = visit;
      const t = say.scoring;
      const [first, second] = classesOf(visit);
      await admin.created('/scores/templates', {
        schoolDb: school.schoolDb,
        name: 'Answered',
        scoreChange: 1,
      });
      await go('/admin');
      const mine = region(say.myClasses('title'));
      await expect.poll(() => mine.getByRole('listitem').count()).toBe(2);
      const students = say.myClasses('studentCount', { count: 3 });
      await mine.getByRole('link', { name: `${first.name} ${students}` }).click();

      const card = (name = '') => page.getByRole('button', { name: new RegExp(`^${name} `) });
      const [one] = first.students;
      await card(one.username).click();
      await region(t('give'))
        .getByRole('button', { name: /^Answered/ })
        .click();
      await expect.poll(first.totals).toEqual([1, 0, 0]);
      const [given] = await admin.read<ScoreLog[]>(`/scores/logs?${first.here}`);
      expect(given).toMatchObject({ userId: one.id, author: { name: username } });
      await button(t('clearSelection')).click();

      const classes = page.getByRole('group', { name: t('class') }).getByRole('button');
      const pressed = () =>
        classes.evaluateAll((all) => all.map((each) => each.getAttribute('aria-pressed')));
      expect(await pressed()).toEqual(['true', 'false']);
      await classes.filter({ hasText: second.name }).click();
      await card(second.students[0].username).waitFor();
      expect(await pressed()).toEqual(['false', 'true']);

      await classes.filter({ hasText: first.name }).click();
      const what = t('whatOne', { points, name: one.username });
      await button(t('undoPoints', { what })).click();
      await expect.poll(first.totals).toEqual([0, 0, 0]);
      // Without a class in its address, the page opens the one that was shown last.
      await go('/admin/scoring');
      await card(one.username).waitFor();
      expect(await pressed()).toEqual(['true', 'false']);
    },
  );

  journey('finds no managing entry in the menu and on the pages', async (visit) => {
    const { page, say, go, goOn, heading, admin, school } = visit;
    const [{ id: classId, students }] = classesOf(visit);
    const [{ id, username }] = students;
    const grid = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 2 };
    await admin.created('/seats/data/generate', { schoolDb: school.schoolDb, classId, ...grid });
    await go('/admin');
    expect(await page.getByRole('button', { name: say.dashboard('addStudent') }).count()).toBe(0);
    await page.getByRole('button', { name: say.shell('openMenu') }).click();
    const entries = page.getByRole('dialog').getByRole('navigation').getByRole('link');
    const daily = [
      'dashboard',
      'scoring',
      'students',
      'records',
      'seats',
      'attendance',
      'statistics',
    ] as const;
    const expected = [...daily, 'structure', 'terms'] as const;
    await expect.poll(() => entries.allInnerTexts()).toEqual(expected.map((entry) => say.shell(entry)));
    await page.keyboard.press('Escape');

    await goOn(`/admin/students?class=${classId}`);
    expect(await managingControls(visit, username)).toEqual(noControls);
    await goOn(`/admin/students/${id}`);
    await heading(username).waitFor();
    expect(await page.getByRole('button', { name: say.profile('edit'), exact: true }).count()).toBe(0);
    await goOn(`/admin/seats?class=${classId}`);
    await page
      .getByRole('group', { name: say.seats('room') })
      .getByText(username)
      .waitFor();
    await page.getByRole('button', { name: say.seats('print') }).waitFor();
    expect(await page.getByRole('button', { name: say.seats('newLayout') }).count()).toBe(0);
    await goOn('/admin/terms');
    await page.getByText(say.terms('emptyHintReader')).waitFor();
    expect(await page.getByRole('button', { name: say.terms('closeTerm') }).count()).toBe(0);
    await goOn('/admin/students/import');
    await page.getByText(say.shell('notAllowedTitle')).waitFor();
  });

  journey('may undo only own records', async (visit) => {
    const { page, say, goOn, row, app, admin, school, username, password } = visit;
    const [{ students }] = classesOf(visit);
    const { schoolDb } = school;
    const own = await app.signIn(username, password);
    await admin.created('/scores/add', { schoolDb, userId: students[0].id, scoreChange: 5 });
    await own.created('/scores/add', { schoolDb, userId: students[1].id, scoreChange: 4 });
    await goOn('/admin/records');
    await row('+5').waitFor();
    await row('+4').waitFor();
    const undo = page.getByRole('button', { name: say.common('undo'), exact: true });
    expect(await undo.count()).toBe(1);
    expect(
      await row('+4')
        .getByRole('button', { name: say.common('undo'), exact: true })
        .count(),
    ).toBe(1);
  });
});

describeJourneys('a class teacher who also teaches another class', 'class', look, (journey) => {
  journey('manages only the own class', async (visit) => {
    const { page, dialog, say, go, goOn, region, admin, school, username } = visit;
    const [own, taught] = classesOf(visit);
    const staff = await admin.read<Administrator[]>(`/admin/manage?schoolDb=${school.schoolDb}`);
    const { id } = staff.find((one) => one.username === username) ?? { id: 0 };
    await admin.patch(`/admin/manage/${id}`, { teaches: [{ classId: taught.id }] });
    await go('/admin');
    const mine = region(say.myClasses('title')).getByRole('listitem');
    await expect.poll(() => mine.count()).toBe(2);

    await goOn(`/admin/students?class=${taught.id}`);
    expect(await managingControls(visit, taught.students[0].username)).toEqual(noControls);
    await goOn(`/admin/students?class=${own.id}`);
    const controls = await managingControls(visit, own.students[0].username);
    expect(controls).toMatchObject({ add: 1, importing: 1, menus: 1 });

    await goOn(`/admin/seats?class=${taught.id}`);
    await page.getByText(say.seats('noLayoutHintReader')).waitFor();
    // The page opens the class that was shown last, not the own one.
    await go('/admin/scoring');
    await page.getByRole('button', { name: new RegExp(`^${taught.students[0].username} `) }).waitFor();
    await goOn('/admin/terms');
    await page.getByRole('button', { name: say.terms('closeTerm') }).click();
    // There is no choice of classes, because the term of one class can be ended.
    await dialog.getByRole('heading', { name: say.terms('stepAction') }).waitFor();
    await dialog.getByText('Grade 1 Class A').waitFor();
  });
});

const noControls = { add: 0, importing: 0, menus: 0, boxes: 0 };

/** Counts the controls for changes on the list of students, after the student is shown. */
async function managingControls({ page, main, say, row }: Visit, username: string) {
  await row(username).waitFor();
  const menu = page.getByRole('button', { name: say.lists('actionsFor', { name: username }) });
  return {
    add: await main.getByRole('button', { name: say.students('addStudent') }).count(),
    importing: await main.getByRole('link', { name: say.students('importList') }).count(),
    menus: await menu.count(),
    boxes: await main.getByRole('checkbox', { disabled: false }).count(),
  };
}
