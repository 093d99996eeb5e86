import type { Seat } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as projectorTexts } from '../../../web/src/admin/classroom/projector/texts.ts';
import { texts as scoringTexts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { texts as seatTexts } from '../../../web/src/admin/classroom/seats/texts.ts';
import { administrators, describeJourneys } from '../harness/journeys.ts';

describeJourneys('projector and seating', administrators, (journey) => {
  journey('shows leaders or the class on the projector, and hides minus points and names', async (visit) => {
    const { page, say, go, choose, traveller, school, admin } = visit;
    const t = say(projectorTexts);
    const { schoolDb } = school;
    const [first, second] = school.grades[0].classes[0].students;
    const give = (userId: number | undefined, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb, userId, scoreChange });
    await give(first?.id, 50);
    await give(first?.id, -20);
    await give(second?.id, 40);
    await go('/admin/projector');
    if (traveller !== 'class') await choose(page, t('class'), 'Class A');
    await page.getByRole('heading', { level: 1, name: /Class A/ }).waitFor();
    const entries = page.getByRole('list', { name: t('ranking') }).getByRole('listitem');
    const shown = async () => (await entries.allInnerTexts()).map((entry) => entry.split(/\s+/).join(' '));
    await expect.poll(async () => (await shown()).toSorted()).toEqual(['1 s1a2 40', '2 s1a1 30', '3 s1a3 0']);

    await page.getByRole('button', { name: t('settings') }).click();
    const settings = page.getByRole('dialog', { name: t('settings') });
    await settings.locator('label', { hasText: t('plusOnly') }).click();
    await choose(settings, t('names'), t('namesNumbers'));
    await settings.locator('label', { hasText: t('everybody') }).click();
    const numbers = [1, 2, 3].map((number) => t('number', { number }));
    await expect.poll(shown).toEqual([50, 40, 0].map((points, place) => `${numbers[place]} ${points}`));
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: t('back') }).click();
    await page.getByRole('heading', { level: 1, name: say(scoringTexts)('title') }).waitFor();
  });

  journey('creates a seating plan, swaps and frees seats, turns and replaces the plan', async (visit) => {
    const { page, say, goOn, choose, traveller, school, admin } = visit;
    const t = say(seatTexts);
    const letter = traveller === 'class' ? 'A' : 'B';
    const { id: classId, students } = school.grades[0].classes[traveller === 'class' ? 0 : 1];
    const [a = '', b = '', third = ''] = students.map(({ username }) => username);
    const seated = async () => {
      const { data } = await admin.get(`/seats/data?schoolDb=${school.schoolDb}&classId=${classId}`);
      return (data as Seat[]).map(({ username }) => username ?? '');
    };
    await goOn('/admin/seats');
    const picker = page.getByRole('combobox', { name: t('class') });
    if (traveller !== 'class') await choose(page, t('class'), `Class ${letter}`);
    await page.getByRole('button', { name: t('makeLayout') }).click();
    await expect.poll(() => picker.count()).toBe(traveller === 'class' ? 0 : 1);
    const dialog = page.getByRole('dialog');
    for (const field of ['groupCount', 'rowsPerGroup', 'colsPerGroup'] as const) {
      await dialog.getByRole('textbox', { name: t(field) }).fill(field === 'groupCount' ? '1' : '2');
    }
    await dialog.getByText(t('remainFree', { count: 1 })).waitFor();
    await dialog.getByRole('button', { name: t('generate'), exact: true }).click();
    const seats = page.locator('[data-seat]');
    await seats.first().waitFor();
    await dialog.waitFor({ state: 'detached' });

    await seats.nth(0).click();
    await seats.nth(1).click();
    await page.getByText(t('nowSwapped', { name: a, other: b })).waitFor({ state: 'attached' });
    await expect.poll(seated).toEqual([b, a, third, '']);
    await seats.nth(2).click();
    await page.getByRole('button', { name: t('freeSeat'), exact: true }).click();
    await page
      .getByRole('region', { name: t('noSeat') })
      .getByRole('button', { name: third })
      .waitFor();
    await expect.poll(seated).toEqual([b, a, '', '']);

    await page.locator('label', { hasText: t('seenByTeacher') }).click();
    const free = t('freeShort');
    await expect.poll(() => seats.allInnerTexts()).toEqual([free, free, a, b]);
    await page.locator('label', { hasText: t('seenByClass') }).click();
    await page.getByRole('button', { name: t('newLayout') }).click();
    await dialog.getByText(t('replaces')).waitFor();
    await dialog.getByRole('textbox', { name: t('groupCount') }).fill('2');
    await dialog.getByRole('button', { name: t('generateAgain') }).click();
    await page.getByText(t('generated', { count: 8 })).waitFor();
    expect(await seated()).toEqual([a, b, third, '', '', '', '', '']);
  });
});
