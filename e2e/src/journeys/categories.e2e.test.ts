import type { Category, ScoreLog } from '@classledger/contract';
import { expect } from 'vitest';
import { studentPassword } from '../../../server/test/test-app.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys, enter, type Visit } from '../harness/journeys.ts';
import { checkPrintout } from '../harness/page-actions.ts';
import { markPasswordsAsChosen } from '../harness/served-school.ts';

const look = { screen: 'desktop', language: 'zh-CN' } as const;
const [sport, moral] = ['体育', '德育'];

describeJourneys('categories', 'school', look, (journey) => {
  journey('a school without categories finds them only on the page of templates', async (visit) => {
    const { main, say, goOn, go, heading, school, admin } = visit;
    const [{ students }] = school.grades[1].classes;
    const [{ id: userId }] = students;
    await admin.created('/scores/add', { schoolDb: school.schoolDb, userId, scoreChange: 1 });
    await go('/admin/records');
    for (const [path, title] of [
      ['/admin/records', say.records('title')],
      ['/admin/statistics', say.statistics('title')],
      [`/admin/students/${userId}`, students[0].username],
      ['/admin/templates', say.templates('title')],
    ] as const) {
      await goOn(path);
      await heading(title).waitFor();
      await visit.page.waitForLoadState('networkidle');
      const count = path === '/admin/templates' ? 1 : 0;
      expect([path, await main.getByText(/类别/).count()]).toEqual([path, count]);
    }
  });

  journey('points by a template count for its category, for staff and for the student', async (visit) => {
    const { page, dialog, say, go, goOn, act, region, row, button, choose, admin, app, school } = visit;
    const { categories: t, templates, records, scoring } = say;
    const { schoolDb } = school;
    const [{ id: classId, students }] = school.grades[0].classes;
    const [anna, bert] = students;
    const logsOf = ({ id }: { readonly id: number }) =>
      admin.read<ScoreLog[]>(`/scores/logs?schoolDb=${schoolDb}&userId=${id}`);
    await admin.created('/scores/templates', { schoolDb, name: 'Long jump', scoreChange: 3 });

    await go('/admin/templates');
    await page.getByRole('link', { name: templates('categories') }).click();
    await button(t('preset_fiveVirtues')).click();
    await page.getByText(t('presetAdded', { count: 5 })).waitFor();
    await act('劳育', t('retire'));
    await dialog.getByRole('button', { name: t('retire') }).click();
    await page.getByText(t('retiredDone', { name: '劳育' })).waitFor();
    await act('劳育', t('bringBack'));
    await page.getByText(t('broughtBack', { name: '劳育' })).waitFor();
    await button(t('addCategory')).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('纪律');
    await dialog.getByRole('textbox', { name: t('code') }).fill('纪 律');
    await dialog.getByRole('button', { name: t('add') }).click();
    await dialog.getByText(t('codeWrong')).waitFor();
    await dialog.getByRole('textbox', { name: t('code') }).fill('discipline');
    await choose(dialog, t('colour'), t('colour7'));
    await dialog.getByRole('button', { name: t('add') }).click();
    await page.getByText(t('added', { name: '纪律' })).waitFor();
    await act('纪律', t('retire'));
    await dialog.getByRole('button', { name: t('retire') }).click();
    await row('纪律').getByText(t('retired')).waitFor();
    const all = await admin.read<Category[]>(`/scores/categories?schoolDb=${schoolDb}`);
    expect(all.map(({ name }) => name)).toEqual([moral, '智育', sport, '美育', '劳育', '纪律']);
    expect(all[5]).toMatchObject({ code: 'discipline', colour: 7, retired: true });
    const idOf = (wanted = '') => all.find(({ name }) => name === wanted)?.id;

    await goOn('/admin/templates');
    await act('Long jump', say.common('edit'));
    await choose(dialog, templates('category'), sport);
    await dialog.getByRole('button', { name: say.common('save') }).click();
    await page.getByText(say.common('saved')).waitFor();

    const teacher = { username: 'pe.teacher', password: 'password of sports' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...teacher });
    await markPasswordsAsChosen(app);
    await enter(visit, { ...visit, traveller: 'class', ...teacher }, look.language);
    await go('/admin/scoring');
    const give = region(scoring('give'));
    const tap = () => give.getByRole('button', { name: /^Long jump 体育/ }).click();
    const card = ({ username = '' }) => page.getByRole('button', { name: new RegExp(`^${username} `) });
    await card(anna).click();
    await tap();
    await expect.poll(() => logsOf(anna)).toMatchObject([{ categoryId: idOf(sport), scoreChange: 3 }]);

    // Without a network the point waits in the browser, and keeps its category after a reload.
    visit.forgive(/ERR_FAILED/);
    await page.route('**/api/scores/batch', (route) => route.abort());
    await card(bert).click();
    await tap();
    await page.getByText(scoring('stateWaiting')).first().waitFor();
    await page.unroute('**/api/scores/batch');
    await page.reload();
    await expect.poll(() => logsOf(bert)).toMatchObject([{ categoryId: idOf(sport) }]);

    await card(anna).click();
    await choose(give, t('category'), moral);
    await give.getByRole('button', { name: scoring('customGive', { points: 1 }) }).click();
    await expect.poll(async () => (await logsOf(anna))[0]?.categoryId).toBe(idOf(moral));

    await goOn('/admin/records');
    await choose(page, t('category'), sport);
    await page.getByText(records('matching', { count: 2 })).waitFor();
    await row('Long jump').first().getByRole('cell', { name: sport, exact: true }).waitFor();
    await checkPrintout(page, async (paper) => {
      await button(say.common('print')).click();
      await paper.locator('th').getByText(t('category')).waitFor({ state: 'attached' });
    });
    await button(say.common('export')).click();
    const lines = await downloadLines(page, page.getByRole('menuitem', { name: /CSV/ }));
    expect([lines.length, lines[1]?.includes(`Long jump,${sport}`)]).toEqual([3, true]);

    await goOn('/admin/statistics');
    const kinds = region(t('pointsByCategory'));
    await kinds.getByRole('row', { name: `${sport} 6 +6 0 +6` }).waitFor();
    await goOn(`/admin/students/${anna.id}`);
    await expectKinds(visit);

    const student = { username: anna.username, password: studentPassword };
    await enter(visit, { ...visit, traveller: 'student', ...student }, look.language);
    await go('/student');
    await expectKinds(visit);
  });
});

/** A radar of five axes, and a table that says the same. */
async function expectKinds({ region, say }: Visit): Promise<void> {
  const kinds = region(say.categories('pointsByCategory'));
  await kinds.getByRole('row', { name: `${sport} +3 0 3` }).waitFor();
  await kinds.getByRole('row', { name: `${moral} +1 0 1` }).waitFor();
  expect(await kinds.locator('svg text').filter({ hasText: '育' }).count()).toBe(5);
}
