import type { AttendanceSheet, ClassTeams, ScoreLog, Seat, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as attendanceTexts } from '../../../web/src/admin/classroom/attendance/texts.ts';
import { texts as projectorTexts } from '../../../web/src/admin/classroom/projector/texts.ts';
import { texts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { texts as seatTexts } from '../../../web/src/admin/classroom/seats/texts.ts';
import { texts as teamTexts } from '../../../web/src/admin/classroom/teams/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { boxOf } from '../harness/page-actions.ts';

/** Journeys must not meet each other's points, so they use different classes. */
function classesOf({ school: { schoolDb, grades } }: Visit) {
  const at = (grade: 0 | 1, place: 0 | 1) => {
    const { id, students } = grades[grade].classes[place];
    return { classId: id, students, here: `schoolDb=${schoolDb}&classId=${id}` };
  };
  return { toolClass: at(0, 1), projectorClass: at(0, 0), seatClass: at(1, 0), teamClass: at(1, 1) };
}

const look = { screen: 'desktop', language: 'zh-CN' } as const;

describeJourneys('the classroom', ['school', 'super'], look, (journey) => {
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
  });

  journey('staff give points with a reason or a note, by random pick too, and undo them', async (visit) => {
    const { page, say, goOn, button, username, school, screen, admin } = visit;
    const t = say(texts);
    const { schoolDb } = school;
    const { classId, here, students } = classesOf(visit).toolClass;
    const names = students.map(({ username }) => username) as [string, string, string];
    const [first, , third] = names;
    const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) });
    const giving = page.getByRole('region', { name: t('give') });
    const latest = page
      .getByRole('region', { name: t('recent') })
      .getByRole('listitem')
      .first();
    const settled = (state: string) => latest.getByText(state, { exact: true }).waitFor();
    const newest = async () => ((await admin.get(`/scores/logs?${here}`)).data as ScoreLog[])[0];
    const totals = async () =>
      ((await admin.get(`/users?${here}`)).data as Student[]).map(({ totalScore }) => totalScore);
    await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
    const [a = 0, b = 0, c = 0] = await totals();
    await goOn(`/admin/scoring?class=${classId}`);
    for (const name of names) await card(name).waitFor();
    const cards = page.getByRole('group', { name: t('students') }).getByRole('button');
    expect(await cards.count()).toBe(3);

    await card(first).press('Enter');
    await giving.getByRole('button', { name: t('pointsNote') }).press('Enter');
    await page.keyboard.type('Helped clean up');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const given = { username: first, note: 'Helped clean up', description: 'Homework' };
    await expect.poll(newest).toMatchObject(given);
    expect(await totals()).toEqual([a + 2, b, c]);
    // The keyboard goes on from the card.
    expect(await card(first).evaluate((one) => one.matches(':focus'))).toBe(true);
    await page
      .getByRole('button', { name: new RegExp(`^${t('notePoints', { what: '' }).trim()}`) })
      .first()
      .click();
    const noting = page.getByRole('dialog');
    await noting.getByRole('textbox').fill('Read aloud');
    await noting.getByRole('button', { name: t('save') }).click();
    await expect.poll(newest).toMatchObject({ note: 'Read aloud' });
    await noting.waitFor({ state: 'detached' });

    await card(third).click();
    await button(t('markAbsent')).click();
    await page.getByRole('button', { name: t('selectPresent') }).click();
    if (screen === 'phone') await giving.getByRole('button', { name: t('custom') }).click();
    await giving.getByRole('textbox', { name: t('customPoints') }).fill('-3');
    await giving.getByRole('textbox', { name: t('customReason') }).fill('<i>Noise</i>');
    await giving.getByRole('button', { name: t('customTake', { points: 3 }) }).click();
    await settled(t('stateDone'));
    expect(await totals()).toEqual([a - 1, b - 3, c]);
    const author = { name: username };
    expect(await newest()).toMatchObject({ scoreChange: -3, description: '<i>Noise</i>', author });
    const what = t('whatMany', { points: '−3', count: 2 });
    await page.getByRole('button', { name: t('undoPoints', { what }) }).click();
    await settled(t('stateUndone'));
    expect(await totals()).toEqual([a + 2, b, c]);
    await page.getByRole('button', { name: t('allPresent', { count: 1 }), exact: true }).click();
    await page.getByRole('button', { name: t('selectAll'), exact: true }).waitFor();

    await page.locator('label', { hasText: t('viewList') }).click();
    await page.getByRole('searchbox', { name: t('searchLabel') }).fill(third);
    await card(first).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await giving.getByRole('heading', { name: third }).waitFor();
    await page
      .getByRole('button', { name: t('clearSelection'), exact: true })
      .first()
      .click();

    await page.getByRole('button', { name: t('random') }).click();
    const picking = page.getByRole('dialog', { name: t('pickTitle') });
    const picked = picking.getByRole('status').filter({ hasText: /s\d\w\d/ });
    await picked.waitFor({ state: 'attached' });
    const said = await picked.textContent();
    const place = names.findIndex((name) => said === t('pickDone', { names: name }));
    await picking.getByRole('button', { name: /^Homework/ }).click();
    const afterPick = [a + 2, b, c].map((total, index) => (index === place ? total + 2 : total));
    await expect.poll(totals).toEqual(afterPick);
    const onePick = t('whatOne', { points: '+2', name: names[place] ?? '' });
    await picking.getByRole('button', { name: t('undoPoints', { what: onePick }) }).click();
    await expect.poll(totals).toEqual([a + 2, b, c]);
    await picking.getByRole('button', { name: t('close') }).click();
    await picking.waitFor({ state: 'detached' });

    const opensTimer = page.getByRole('button', { name: t('timer'), exact: true });
    await opensTimer.waitFor();
    await page.locator('label', { hasText: t('viewCards') }).click();
    await admin.patch('/school-settings', { schoolDb, switchedOffTools: ['timer', 'attendance', 'notes'] });
    await page.reload();
    await page.getByRole('button', { name: t('random') }).waitFor();
    expect(await opensTimer.count()).toBe(0);
    await card(first).press('Enter');
    await giving.getByRole('button', { name: /^Homework/ }).waitFor();
    expect(await giving.getByRole('button', { name: t('pointsNote') }).count()).toBe(0);
    await admin.patch('/school-settings', { schoolDb, switchedOffTools: [] });
  });

  journey(
    'the projector shows new points at once and can hide names and minus points; only namesakes have numbers',
    async (visit) => {
      const { page, say, goOn, choose, school, admin } = visit;
      const [t, b] = [say(projectorTexts), say(texts)];
      const { schoolDb } = school;
      const { classId, students } = classesOf(visit).projectorClass;
      const [first, second] = students;
      const called = (number = '') => say(commonTexts)('nameWithNumber', { name: 'Li Wei', number });
      const give = (userId: number | undefined, scoreChange: number) =>
        admin.created('/scores/add', { schoolDb, userId, scoreChange });
      const expectNumbers = async () => {
        await page.getByText('Ana López').first().waitFor();
        const shown = async () => (await page.locator('#root').textContent())?.match(/s1[ab][123]/g);
        await expect.poll(async () => [...new Set(await shown())].sort()).toEqual(['s1a1', 's1a2']);
      };
      for (const [index, { id }] of students.entries())
        await admin.patch(`/users/${id}`, { schoolDb, actualName: index < 2 ? 'Li Wei' : 'Ana López' });
      await admin.created('/scores/templates', { schoolDb, name: 'Reading', scoreChange: 3 });
      await give(first?.id, 50);
      await give(first?.id, -20);
      await goOn(`/admin/projector?class=${classId}`);
      await page.getByRole('heading', { level: 1, name: /Class A/ }).waitFor();
      const entries = page.getByRole('list', { name: t('ranking') }).getByRole('listitem');
      const shown = async () => (await entries.allInnerTexts()).map((entry) => entry.split(/\s+/).join(' '));
      await expect.poll(shown).toContain(`1 Li Wei ${first?.username} 30`);
      await give(second?.id, 40);
      await expect.poll(shown).toContain(`1 Li Wei ${second?.username} 40`);
      await expectNumbers();

      await page.getByRole('button', { name: t('settings') }).click();
      const settings = page.getByRole('dialog', { name: t('settings') });
      await settings.locator('label', { hasText: t('plusOnly') }).click();
      await choose(settings, t('names'), t('namesNumbers'));
      await settings.locator('label', { hasText: t('everybody') }).click();
      const numbers = [1, 2, 3].map((number) => t('number', { number }));
      await expect.poll(shown).toEqual([50, 40, 0].map((points, place) => `${numbers[place]} ${points}`));
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: t('back') }).click();
      await page.getByRole('heading', { level: 1, name: b('title') }).waitFor();
      await goOn(`/admin/scoring?class=${classId}`);
      await expectNumbers();
      await page.getByRole('button', { name: new RegExp(`^Li Wei ${second?.username} `) }).click();
      await page
        .getByRole('region', { name: b('give') })
        .getByRole('button', { name: /^Reading/ })
        .click();
      const what = b('whatOne', { points: '+3', name: called(second?.username) });
      await page.getByRole('button', { name: b('undoPoints', { what }) }).click();
      const latest = page
        .getByRole('region', { name: b('recent') })
        .getByRole('listitem')
        .first();
      await latest.getByText(b('stateUndone'), { exact: true }).waitFor();
      await goOn('/admin/students');
      const menu = (name: string) =>
        page.getByRole('button', { name: say(listTexts)('actionsFor', { name }), exact: true });
      await menu(called(first?.username)).waitFor();
      expect(await menu('Ana López').count()).toBe(1);
    },
  );

  journey('staff plan seats by tap, mouse and keys; a move that fails is taken back', async (visit) => {
    const { page, say, goOn, screen, admin, forgive } = visit;
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
    if (screen === 'phone') {
      await seats.nth(2).click();
      await seats.nth(3).click();
    } else {
      const [from, to] = [await boxOf(seats.nth(2)), await boxOf(seats.nth(3))];
      await page.mouse.move(from.x + 20, from.y + 20);
      await page.mouse.down();
      await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
      await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
      await page.locator('[data-seat][data-target]').waitFor();
      await page.mouse.up();
    }
    await expect.poll(seated).toEqual([b, a, '', third]);
    // Enter picks up and swaps; Delete frees the seat.
    await seats.nth(1).focus();
    for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(seated).toEqual([b, third, '', a]);
    await page.keyboard.press('Delete');
    await expect.poll(seated).toEqual([b, third, '', '']);
    const free = t('freeShort');
    await page.locator('label', { hasText: t('seenByTeacher') }).click();
    await expect.poll(() => seats.allInnerTexts()).toEqual([free, free, third, b]);
    await page.locator('label', { hasText: t('seenByClass') }).click();

    forgive(/500/);
    await page.route('**/api/seats/data/*', (route) => route.fulfill({ status: 500, json: {} }));
    await page
      .getByRole('region', { name: t('noSeat') })
      .getByRole('button', { name: a })
      .click();
    await seats.nth(2).click();
    await page.getByText(t('notMoved')).waitFor();
    await expect.poll(() => seats.allInnerTexts()).toEqual([b, third, free, free]);
    await page.unrouteAll();

    // The student has just moved back, so a click would be ignored.
    await page.getByRole('button', { name: t('newLayout') }).press('Enter');
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
    await admin.created('/scores/templates', { schoolDb, name: 'Teamwork', scoreChange: 2 });
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
    const long = 'Unstoppable Mathematics Wizards';
    await page
      .getByRole('region', { name: t('teamName', { number: 1 }), exact: true })
      .getByRole('textbox', { name: t('name') })
      .fill(long);
    const wizards = page.getByRole('region', { name: long, exact: true });
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
    const sizes = (await teams()).map(({ userIds }) => userIds.length);
    expect(sizes.toSorted()).toEqual([1, 2]);

    await goOn('/admin/scoring');
    const card = page
      .getByRole('list', { name: b('teams') })
      .getByRole('button')
      .filter({ hasText: long });
    const template = page.getByRole('region', { name: b('give') }).getByRole('button', { name: /^Teamwork/ });
    await card.click();
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
