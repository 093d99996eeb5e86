import type { ScoreLog, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

const look = { screen: 'phone', language: 'zh-CN' } as const;
const points = '+1';

/** The teacher's classes, in two grades. The class teacher and other subject teachers also give points there. */
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

describeJourneys('a subject teacher', ['teacher'], look, (journey) => {
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
      const mine = region(say.dashboard('myClasses'));
      await expect.poll(() => mine.getByRole('listitem').count()).toBe(2);
      const students = say.dashboard('studentCount', { count: 3 });
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

  journey(
    'finds no managing entry in the menu and on the pages, and may undo only own points',
    async (visit) => {
      const { page, say, go, goOn, row, heading, admin, school } = visit;
      const [first] = classesOf(visit);
      const { schoolDb } = school;
      const [one, two] = first.students;
      await admin.created('/scores/add', { schoolDb, userId: one.id, scoreChange: 5 });
      const grid = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 2 };
      await admin.created('/seats/data/generate', { schoolDb, classId: first.id, ...grid });
      await go('/admin');
      await page.getByRole('button', { name: say.shell('openMenu') }).click();
      const entries = page.getByRole('dialog').getByRole('navigation').getByRole('link');
      const theirs = [
        'dashboard',
        'scoring',
        'students',
        'records',
        'seats',
        'attendance',
        'statistics',
      ] as const;
      const ofSchool = ['structure', 'terms'] as const;
      await expect
        .poll(() => entries.allInnerTexts())
        .toEqual([...theirs, ...ofSchool].map((entry) => say.shell(entry)));
      await page.keyboard.press('Escape');

      const buttons = async () => {
        const names = await page.getByRole('main').getByRole('button').allInnerTexts();
        return names.map((name) => name.trim()).filter((name) => name !== '');
      };
      await goOn(`/admin/students?class=${first.id}`);
      await row(two.username).waitFor();
      const { addStudent, importList } = {
        addStudent: say.students('addStudent'),
        importList: say.students('importList'),
      };
      expect(await buttons()).not.toContain(addStudent);
      expect(await page.getByRole('link', { name: importList }).count()).toBe(0);
      expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0);
      expect(
        await page.getByRole('button', { name: say.lists('actionsFor', { name: two.username }) }).count(),
      ).toBe(0);

      await goOn(`/admin/students/${one.id}`);
      await heading(one.username).waitFor();
      await page.getByText('+5').first().waitFor();
      expect(await buttons()).not.toContain(say.common('edit'));
      const undo = page.getByRole('button', { name: say.common('undo'), exact: true });
      expect(await undo.count()).toBe(0);

      await goOn('/admin/records');
      await row('+5').waitFor();
      expect(await undo.count()).toBe(0);

      await goOn(`/admin/seats?class=${first.id}`);
      await page
        .getByRole('group', { name: say.seats('room') })
        .getByText(one.username)
        .waitFor();
      expect(await page.getByRole('button', { name: say.seats('newLayout') }).count()).toBe(0);
      await goOn('/admin/students/import');
      await page.getByText(say.shell('notAllowedTitle')).waitFor();
    },
  );
});
