import type { ScoreLog, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

const classOf = ({ traveller, school }: Visit) => school.grades[0].classes[traveller === 'class' ? 0 : 1];

function board(visit: Visit) {
  const { page, say, admin, school } = visit;
  const t = say(texts);
  const { id: classId, students } = classOf(visit);
  const here = `schoolDb=${school.schoolDb}&classId=${classId}`;
  return {
    names: students.map(({ username }) => username),
    card: (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }),
    settled: (state: string) =>
      page
        .getByRole('region', { name: t('recent') })
        .getByRole('listitem')
        .first()
        .getByText(state, { exact: true })
        .waitFor(),
    totals: async () => {
      const { data } = await admin.get(`/users?${here}`);
      return (data as Student[]).map(({ totalScore }) => totalScore);
    },
    newest: async () => ((await admin.get(`/scores/logs?${here}`)).data as ScoreLog[])[0],
  };
}

describeJourneys('scoring', ['class', 'school'], (journey) => {
  journey('staff give points to one student and all present students, and undo points', async (visit) => {
    const { page, say, go, traveller, username, school, screen, admin } = visit;
    const t = say(texts);
    const { names, card, settled, totals, newest } = board(visit);
    const [first = '', , third = ''] = names;
    const shared = { schoolDb: school.schoolDb, name: 'Homework', scoreChange: 2 };
    await admin.created('/scores/templates', shared);
    await go('/admin/scoring');
    const picker = page.getByRole('combobox', { name: t('class') });
    if (traveller !== 'class') {
      await picker.click();
      await page.getByRole('option').filter({ hasText: 'Class B' }).first().click();
    }
    for (const name of names) await card(name).waitFor();
    expect(
      await page
        .getByRole('group', { name: t('students') })
        .getByRole('button')
        .count(),
    ).toBe(3);
    await expect.poll(() => picker.count()).toBe(traveller === 'class' ? 0 : 1);

    await card(first).click();
    const giving = page.getByRole('region', { name: t('give') });
    await giving.getByRole('button', { name: /^Homework/ }).click();
    await settled(t('stateDone'));
    expect(await totals()).toEqual([2, 0, 0]);

    await card(third).click();
    await page
      .getByRole('button', { name: t('markAbsent') })
      .first()
      .click();
    await page.getByRole('button', { name: t('selectPresent') }).click();
    const panel = page.getByRole('region', { name: t('give') });
    if (screen === 'phone') await panel.getByRole('button', { name: t('custom') }).click();
    await panel.getByRole('textbox', { name: t('customPoints') }).fill('-3');
    await panel.getByRole('textbox', { name: t('customReason') }).fill('<i>Noise</i>');
    await panel.getByRole('button', { name: t('customTake', { points: 3 }) }).click();
    await settled(t('stateDone'));
    expect(await totals()).toEqual([-1, -3, 0]);
    expect(await newest()).toMatchObject({
      scoreChange: -3,
      description: '<i>Noise</i>',
      author: { name: username },
    });
    const what = t('whatMany', { points: '−3', count: 2 });
    await page.getByRole('button', { name: t('undoPoints', { what }) }).click();
    await settled(t('stateUndone'));
    expect(await totals()).toEqual([2, 0, 0]);
    await page.getByRole('button', { name: t('allPresent', { count: 1 }), exact: true }).click();
    await page.getByRole('button', { name: t('selectAll'), exact: true }).waitFor();
  });

  journey('staff find a student by name, and give and undo points for a random pick', async (visit) => {
    const { page, say } = visit;
    const t = say(texts);
    const { names, card, totals } = board(visit);
    const [first = '', , third = ''] = names;
    await page.locator('label', { hasText: t('viewList') }).click();
    await page.getByRole('searchbox', { name: t('searchLabel') }).fill(third);
    await card(first).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: t('give') })
      .getByRole('heading', { name: third })
      .waitFor();
    await page
      .getByRole('button', { name: t('clearSelection'), exact: true })
      .first()
      .click();

    const before = await totals();
    await page.getByRole('button', { name: t('random') }).click();
    const dialog = page.getByRole('dialog', { name: t('pickTitle') });
    const picked = dialog.getByRole('status').filter({ hasText: /s\d\w\d/ });
    await picked.waitFor({ state: 'attached' });
    const said = await picked.textContent();
    const index = names.findIndex((name) => said === t('pickDone', { names: name }));
    await dialog.getByRole('button', { name: /^Homework/ }).click();
    await expect.poll(totals).toEqual(before.map((total, place) => (place === index ? total + 2 : total)));
    const what = t('whatOne', { points: '+2', name: names[index] ?? '' });
    await dialog.getByRole('button', { name: t('undoPoints', { what }) }).click();
    await expect.poll(totals).toEqual(before);
    await dialog.getByRole('button', { name: t('close') }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
