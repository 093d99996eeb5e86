import type {
  Absence,
  AttendanceSheet,
  ClassTeams,
  Picks,
  ScoreLog,
  Seat,
  Student,
} from '@classledger/contract';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { texts as attendanceTexts } from '../../../web/src/admin/classroom/attendance/texts.ts';
import { picksTimeoutMs } from '../../../web/src/admin/classroom/picks-timeout.ts';
import { texts as projectorTexts } from '../../../web/src/admin/classroom/projector/texts.ts';
import { texts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { texts as seatTexts } from '../../../web/src/admin/classroom/seats/texts.ts';
import { texts as teamTexts } from '../../../web/src/admin/classroom/teams/texts.ts';
import { texts as timerTexts } from '../../../web/src/admin/classroom/timer/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

/** Journeys must not meet each other's points, so they use different classes. */
function classesOf({ school: { schoolDb, grades } }: Visit) {
  const at = (grade: 0 | 1, place: 0 | 1) => {
    const { id, students } = grades[grade].classes[place];
    return { classId: id, students, here: `schoolDb=${schoolDb}&classId=${id}` };
  };
  return { toolClass: at(0, 1), projectorClass: at(0, 0), seatClass: at(1, 0), teamClass: at(1, 1) };
}

describeJourneys('the classroom', ['school', 'super'], (journey) => {
  journey('staff save absences of a day, give points by attendance, and list absences', async (visit) => {
    const { page, say, go, row, choose, admin } = visit;
    const t = say(attendanceTexts);
    const { here, students } = classesOf(visit).toolClass;
    const [first, second] = students as [(typeof students)[0], (typeof students)[0]];
    const states = async () =>
      ((await admin.get(`/attendance?${here}`)).data as AttendanceSheet).absences.map(({ state }) => state);
    await go('/admin/attendance');
    await choose(page, say(texts)('class'), 'Class B');
    const card = (name: string) =>
      page.getByRole('list', { name: t('students') }).getByRole('button', { name: new RegExp(`^${name}`) });
    await card(first.username).click();
    await expect.poll(states).toEqual(['absent']);
    await card(second.username).focus();
    await page.keyboard.press('l');
    await expect.poll(async () => (await states()).toSorted()).toEqual(['absent', 'late']);
    await card(first.username).click();
    await expect.poll(states).toEqual(['late']);
    await page.getByText(t('countLate', { count: 1 })).waitFor();

    await page.getByRole('button', { name: t('give') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: t('late') }).fill('-1');
    await dialog.getByRole('button', { name: t('giveButton') }).click();
    await dialog.waitFor({ state: 'detached' });
    const logs = async () =>
      ((await admin.get(`/scores/logs?${here}`)).data as ScoreLog[]).map(({ scoreChange }) => scoreChange);
    await expect.poll(async () => (await logs()).toSorted()).toEqual([-1, 1, 1]);

    await page
      .getByRole('radiogroup', { name: t('view') })
      .getByText(t('past'))
      .click();
    await row(second.username).getByText(t('late')).waitFor();
    const absences = (await admin.get(`/attendance/absences?${here}`)).data as Absence[];
    expect(absences).toMatchObject([{ userId: second.id, state: 'late' }]);
  });

  journey('the scoring page opens each tool by one button, and hides disabled tools', async (visit) => {
    const { page, say, goOn, admin, school } = visit;
    const t = say(texts);
    const timer = say(timerTexts);
    const { classId, here, students } = classesOf(visit).toolClass;
    const newest = async () => ((await admin.get(`/scores/logs?${here}`)).data as ScoreLog[])[0];
    await admin.created('/scores/templates', { schoolDb: school.schoolDb, name: 'Reading', scoreChange: 3 });
    await goOn(`/admin/scoring?class=${classId}`);
    const opensTimer = page.getByRole('button', { name: t('timer'), exact: true });
    await opensTimer.click();
    const panel = page.getByRole('region', { name: timer('timer') });
    await panel.getByRole('button', { name: timer('minutes', { count: 1 }), exact: true }).click();
    await panel.getByRole('button', { name: timer('start') }).click();
    await panel.getByText(/^0:\d\d$/).waitFor();
    await panel.getByRole('button', { name: timer('pause') }).click();

    await panel.getByRole('button', { name: timer('close') }).click();
    await panel.waitFor({ state: 'detached' });

    const [noted, left] = students;
    const cardOf = (name?: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }).first();
    await cardOf(noted?.username).press('Enter');
    const giving = page.getByRole('region', { name: t('give') });
    await giving.getByRole('button', { name: t('pointsNote') }).press('Enter');
    await page.keyboard.type('Helped clean up');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await newest())?.username).toBe(noted?.username);
    expect(await newest()).toMatchObject({ note: 'Helped clean up', description: 'Reading' });
    // The keyboard goes on from the card.
    expect(await cardOf(noted?.username).evaluate((card) => card.matches(':focus'))).toBe(true);
    await page
      .getByRole('button', { name: new RegExp(`^${t('notePoints', { what: '' }).trim()}`) })
      .first()
      .click();
    const noteDialog = page.getByRole('dialog');
    await noteDialog.getByRole('textbox').fill('Read aloud');
    await noteDialog.getByRole('button', { name: t('save') }).click();
    await expect.poll(async () => (await newest())?.note).toBe('Read aloud');
    await noteDialog.waitFor({ state: 'detached' });
    const today = ((await admin.get(`/picks?${here}`)).data as Picks).day;
    const others = students.filter(({ id }) => id !== left?.id).map(({ id }) => id);
    await admin.put('/picks', { schoolDb: school.schoolDb, classId, day: today, userIds: others });
    // Disables the timeout of this request for slow machines.
    await page.evaluate(`{
      const { setTimeout } = window;
      window.setTimeout = (run, ms, ...more) => setTimeout(run, ms === ${picksTimeoutMs} ? 3_600_000 : ms, ...more);
    }`);
    await page.getByRole('button', { name: t('random') }).click();
    const drawn = t('pickDone', { names: left?.username ?? '' });
    await page.getByRole('status').filter({ hasText: drawn }).waitFor({ state: 'attached' });
    await expect
      .poll(async () => ((await admin.get(`/picks?${here}`)).data as Picks).userIds)
      .toContain(left?.id);
    await page.keyboard.press('Escape');

    const switchedOffTools = ['timer', 'attendance', 'notes'];
    await admin.patch('/school-settings', { schoolDb: school.schoolDb, switchedOffTools });
    await page.reload();
    await page.getByRole('button', { name: t('random') }).waitFor();
    expect(await opensTimer.count()).toBe(0);
    await cardOf(noted?.username).press('Enter');
    await giving.getByRole('button', { name: /^Reading/ }).waitFor();
    expect(await giving.getByRole('button', { name: t('pointsNote') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await admin.patch('/school-settings', { schoolDb: school.schoolDb, switchedOffTools: [] });
  });

  journey('the projector shows leaders or the class, and can hide minus points and names', async (visit) => {
    const { page, say, goOn, choose, school, admin } = visit;
    const t = say(projectorTexts);
    const { schoolDb } = school;
    const { classId, students } = classesOf(visit).projectorClass;
    const [first, second] = students;
    const give = (userId: number | undefined, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb, userId, scoreChange });
    await give(first?.id, 50);
    await give(first?.id, -20);
    await give(second?.id, 40);
    await goOn(`/admin/projector?class=${classId}`);
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
    await page.getByRole('heading', { level: 1, name: say(texts)('title') }).waitFor();
  });

  journey('staff create a seating plan, swap students, free seats, and replace the plan', async (visit) => {
    const { page, say, goOn, admin } = visit;
    const t = say(seatTexts);
    const { classId, here, students } = classesOf(visit).seatClass;
    const [a = '', b = '', third = ''] = students.map(({ username }) => username);
    const seated = async () =>
      ((await admin.get(`/seats/data?${here}`)).data as Seat[]).map(({ username }) => username ?? '');
    await goOn(`/admin/seats?class=${classId}`);
    await page.getByRole('button', { name: t('makeLayout') }).click();
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

  journey('staff make teams and give points; the board and the projector rank the teams', async (visit) => {
    const { page, say, goOn, school, screen, admin } = visit;
    const [t, b, p] = [say(teamTexts), say(texts), say(projectorTexts)];
    const { schoolDb } = school;
    const { classId, here } = classesOf(visit).teamClass;
    await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
    const teams = async () => ((await admin.get(`/teams?${here}`)).data as ClassTeams).teams;
    const totals = async () =>
      ((await admin.get(`/users?${here}`)).data as Student[])
        .map(({ totalScore }) => totalScore)
        .toSorted((one, other) => other - one);

    await goOn(`/admin/scoring?class=${classId}`);
    await page.locator('label', { hasText: b('viewTeams') }).click();
    await page.getByRole('link', { name: b('makeTeams') }).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('makeTeams') })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: t('dealTitle') });
    await dialog.getByRole('radio', { name: t('methodPoints') }).check();
    await dialog.getByRole('textbox', { name: t('byCount') }).fill('2');
    await dialog.getByRole('button', { name: t('deal'), exact: true }).click();
    const name = t('teamName', { number: 1 });
    const long = 'Unstoppable Mathematics Wizards';
    const box = page.getByRole('region', { name, exact: true });
    await box.getByRole('textbox', { name: t('name') }).fill(long);
    const wizards = page.getByRole('region', { name: long, exact: true });
    await wizards.waitFor();
    if (screen !== 'phone') {
      const other = page.getByRole('region', { name: t('teamName', { number: 2 }), exact: true });
      const isShown = async (here: Locator, elsewhere: Locator) => {
        await here.hover();
        return [await here.getAttribute('data-over'), await elsewhere.getAttribute('data-over')];
      };
      await wizards.locator('[draggable]').first().hover();
      await page.mouse.down();
      await expect.poll(() => isShown(other, wizards)).toEqual(['true', null]);
      await expect.poll(() => isShown(wizards, other)).toEqual(['true', null]);
      await page.mouse.up();
      await expect.poll(() => wizards.getAttribute('data-over')).toBe(null);
    }
    // The page is inert during a save, because the answer would overwrite changes.
    const saving = Promise.withResolvers<void>();
    await page.route('**/api/teams', async (route) => {
      await saving.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: t('save'), exact: true }).click();
    const isHeld = () => wizards.evaluate((box) => box.closest('[inert]') !== null);
    await expect.poll(isHeld).toBe(true);
    saving.resolve();
    await expect.poll(async () => (await teams()).map((team) => team.name)).toContain(long);
    await expect.poll(isHeld).toBe(false);
    await page.unroute('**/api/teams');
    const sizes = (await teams()).map(({ userIds }) => userIds.length);
    expect(sizes.toSorted()).toEqual([1, 2]);

    await goOn('/admin/scoring');
    const list = page.getByRole('list', { name: b('teams') });
    const card = list.getByRole('button').filter({ hasText: long });
    const template = page.getByRole('region', { name: b('give') }).getByRole('button', { name: /^Homework/ });
    await card.click();
    const ends = await Promise.all([card, list].map(async (part) => rightOf(await part.boundingBox())));
    expect(ends[0]).toBeLessThanOrEqual(ends[1] as number);
    await template.click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ name: long, ownPoints: 2, rank: 1 });
    expect(await totals()).toEqual([0, 0, 0]);
    const what = b('whatOne', { points: '+2', name: long });
    await page.getByRole('button', { name: b('undoPoints', { what }) }).click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ ownPoints: 0 });
    // A phone keeps the team selected.
    if (screen === 'phone')
      await page
        .getByRole('button', { name: b('clearSelection') })
        .last()
        .click();

    await page.locator('label', { hasText: b('targetMembers') }).click();
    await card.click();
    await template.click();
    const each = sizes[0] as number;
    await expect.poll(totals).toEqual([2, 2, 2].map((points, i) => (i < each ? points : 0)));
    await expect.poll(async () => (await teams())[0]).toMatchObject({ memberPoints: 2 * each, points: 2 });

    await goOn(`/admin/projector?class=${classId}`);
    await page.getByRole('button', { name: p('settings') }).click();
    await page
      .getByRole('dialog', { name: p('settings') })
      .locator('label', { hasText: p('teams') })
      .click();
    const first = page.getByRole('list', { name: p('teamRanking') }).getByRole('listitem');
    await expect
      .poll(async () => (await first.allInnerTexts()).join(' ').split(/\s+/).slice(0, 5))
      .toEqual(['1', ...long.split(' '), '2']);
  });
});

const rightOf = (box: { x: number; width: number } | null) =>
  box ? Math.round(box.x + box.width) : Number.NaN;
