import type { Absence, AttendanceSheet, ClassTeams, ScoreLog, Seat, Student } from '@classledger/contract';
import { expect } from 'vitest';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { boxOf, holdRequests } from '../harness/page-actions.ts';

/** A class and its records. Journeys use different classes, so that they do not meet each other's points. */
function classOf({ admin, school: { schoolDb, grades } }: Visit, grade: 0 | 1, place: 0 | 1) {
  const { id: classId, students } = grades[grade].classes[place];
  const [first, second, third] = students;
  const names = [first.username, second.username, third.username] as const;
  const here = `schoolDb=${schoolDb}&classId=${classId}`;
  const logs = () => admin.read<ScoreLog[]>(`/scores/logs?${here}`);
  return {
    ...{ classId, students, names, here, logs },
    newest: async () => (await logs())[0],
    totals: async () => (await admin.read<Student[]>(`/users?${here}`)).map(({ totalScore }) => totalScore),
  };
}

const look = { screen: 'desktop', language: 'en' } as const;

describeJourneys('the classroom', 'school', look, (journey) => {
  journey('staff save absences of a day, give points by attendance, and list absences', async (visit) => {
    const { page, dialog, say, go, row, choose, admin } = visit;
    const t = say.attendance;
    const { here, students, logs } = classOf(visit, 0, 1);
    const [first, second] = students;
    const states = async () =>
      (await admin.read<AttendanceSheet>(`/attendance?${here}`)).absences.map(({ state }) => state);
    await go('/admin/attendance');
    await choose(page, say.scoring('class'), 'Class B');
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
    await dialog.getByRole('textbox', { name: t('late') }).fill('-1');
    await dialog.getByRole('button', { name: t('giveButton') }).click();
    await dialog.waitFor({ state: 'detached' });
    const given = async () => (await logs()).map(({ scoreChange }) => scoreChange).toSorted();
    await expect.poll(given).toEqual([-1, 1, 1]);

    await visit.pick(t('view'), t('past'));
    await row(second.username).getByText(t('late')).waitFor();
    const absences = await admin.read<Absence[]>(`/attendance/absences?${here}`);
    expect(absences).toMatchObject([{ userId: second.id, state: 'late' }]);
  });

  journey('points can carry a note, now or later; the scoring page hides disabled tools', async (visit) => {
    const { page, dialog, say, goOn, admin, school } = visit;
    const t = say.scoring;
    const { schoolDb } = school;
    const { classId, names, newest } = classOf(visit, 0, 1);
    const switchOff = (switchedOffTools: readonly string[]) =>
      admin.patch('/school-settings', { schoolDb, switchedOffTools });
    await admin.created('/scores/templates', { schoolDb, name: 'Reading', scoreChange: 3 });
    await goOn(`/admin/scoring?class=${classId}`);
    const [name] = names;
    const card = page.getByRole('button', { name: new RegExp(`^${name} `) }).first();
    await card.press('Enter');
    const giving = visit.region(t('give'));
    await giving.getByRole('button', { name: t('pointsNote') }).press('Enter');
    await page.keyboard.type('Helped clean up');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    const given = { username: name, note: 'Helped clean up', description: 'Reading' };
    await expect.poll(newest).toMatchObject(given);
    // The keyboard goes on from the card.
    expect(await card.evaluate((one) => one.matches(':focus'))).toBe(true);
    const addsNote = new RegExp(`^${t('notePoints', { what: '' }).trim()}`);
    await page.getByRole('button', { name: addsNote }).first().click();
    await dialog.getByRole('textbox').fill('Read aloud');
    await dialog.getByRole('button', { name: t('save') }).click();
    await expect.poll(newest).toMatchObject({ note: 'Read aloud' });
    await dialog.waitFor({ state: 'detached' });

    const opensTimer = page.getByRole('button', { name: t('timer'), exact: true });
    await opensTimer.waitFor();
    // Without teams, the page shows the seats instead.
    await page.locator('label', { hasText: t('viewTeams') }).click();
    await switchOff(['timer', 'attendance', 'notes', 'teams']);
    await page.reload();
    await page.getByRole('button', { name: t('random') }).waitFor();
    expect(await opensTimer.count()).toBe(0);
    await card.press('Enter');
    await giving.getByRole('button', { name: /^Reading/ }).waitFor();
    expect(await giving.getByRole('button', { name: t('pointsNote') }).count()).toBe(0);
    await switchOff([]);
    // The next journey goes on in this page.
    await page.reload();
    await opensTimer.waitFor();
  });

  journey('the projector shows new points at once, and can hide minus points and names', async (visit) => {
    const { page, heading, say, goOn, choose, school, admin } = visit;
    const t = say.projector;
    const { schoolDb } = school;
    const { classId, students } = classOf(visit, 0, 0);
    const [first, second] = students;
    const give = (userId: number, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb, userId, scoreChange });
    await give(first.id, 50);
    await give(first.id, -20);
    await goOn(`/admin/projector?class=${classId}`);
    await heading(/Class A/).waitFor();
    const entries = page.getByRole('list', { name: t('ranking') }).getByRole('listitem');
    const shown = async () => (await entries.allInnerTexts()).map((entry) => entry.split(/\s+/).join(' '));
    await expect.poll(shown).toContain('1 s1a1 30');
    await give(second.id, 40);
    await expect.poll(shown).toContain('1 s1a2 40');

    await page.getByRole('button', { name: t('settings') }).click();
    const settings = page.getByRole('dialog', { name: t('settings') });
    await settings.locator('label', { hasText: t('plusOnly') }).click();
    await choose(settings, t('names'), t('namesNumbers'));
    await settings.locator('label', { hasText: t('everybody') }).click();
    const numbers = [1, 2, 3].map((number) => t('number', { number }));
    await expect.poll(shown).toEqual([50, 40, 0].map((points, place) => `${numbers[place]} ${points}`));
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: t('back') }).click();
    await heading(say.scoring('title')).waitFor();
  });

  journey('staff plan seats by tap, mouse and keys; a move that fails is taken back', async (visit) => {
    const { page, dialog, say, goOn, admin, forgive } = visit;
    const t = say.seats;
    const { classId, here, names } = classOf(visit, 1, 0);
    const [a, b, third] = names;
    const seated = async () =>
      (await admin.read<Seat[]>(`/seats/data?${here}`)).map(({ username }) => username ?? '');
    await goOn(`/admin/seats?class=${classId}`);
    await page.getByRole('button', { name: t('makeLayout') }).click();
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
    const [from, to] = [await boxOf(seats.nth(2)), await boxOf(seats.nth(3))];
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
    await page.locator('[data-seat][data-target]').waitFor();
    await page.mouse.up();
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
    // An answer without an envelope would count as a lost network, and its return blocks presses for a moment.
    const refused = { status: 500, json: { success: false, data: null, message: 'no' } };
    await page.route('**/api/seats/data/*', (route) => route.fulfill(refused));
    await visit.region(t('noSeat')).getByRole('button', { name: a }).click();
    await seats.nth(2).click();
    await page.getByText(t('notMoved')).waitFor();
    await expect.poll(() => seats.allInnerTexts()).toEqual([b, third, free, free]);
    await page.unrouteAll();

    await page.getByRole('button', { name: t('newLayout') }).click();
    await dialog.getByText(t('replaces')).waitFor();
    await dialog.getByRole('textbox', { name: t('groupCount') }).fill('2');
    await dialog.getByRole('button', { name: t('generateAgain') }).click();
    await page.getByText(t('generated', { count: 8 })).waitFor();
    expect(await seated()).toEqual([a, b, third, '', '', '', '', '']);
  });

  journey('staff make teams and give points; the board and the projector rank the teams', async (visit) => {
    const { page, say, goOn, school, admin } = visit;
    const { teams: t, scoring: b, projector: p } = say;
    const { schoolDb } = school;
    const { classId, here, totals } = classOf(visit, 1, 1);
    await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
    const teams = async () => (await admin.read<ClassTeams>(`/teams?${here}`)).teams;

    await goOn(`/admin/scoring?class=${classId}`);
    await page.locator('label', { hasText: b('viewTeams') }).click();
    await page.getByRole('link', { name: b('makeTeams') }).click();
    const open = visit.main.getByRole('button', { name: t('makeTeams') });
    await open.first().click();
    const dialog = page.getByRole('dialog', { name: t('makeTeams') });
    await dialog.getByRole('radio', { name: t('byPoints') }).check();
    await dialog.getByRole('textbox', { name: t('byCount') }).fill('2');
    await dialog.getByRole('button', { name: t('deal'), exact: true }).click();
    const long = 'Unstoppable Mathematics Wizards';
    const first = page.getByRole('region', { name: t('teamName', { number: 1 }), exact: true });
    await first.getByRole('textbox', { name: t('name') }).fill(long);
    const wizards = page.getByRole('region', { name: long, exact: true });
    // The page is inert during a save, because the answer would overwrite changes.
    const releaseSave = await holdRequests(page, '**/api/teams');
    await page.getByRole('button', { name: t('save'), exact: true }).click();
    const isHeld = () => wizards.evaluate((box) => box.closest('[inert]') !== null);
    await expect.poll(isHeld).toBe(true);
    releaseSave();
    await expect.poll(async () => (await teams()).map((team) => team.name)).toContain(long);
    await expect.poll(isHeld).toBe(false);
    const sizes = (await teams()).map(({ userIds }) => userIds.length);
    expect(sizes.toSorted()).toEqual([1, 2]);

    await goOn('/admin/scoring');
    const cards = page.getByRole('list', { name: b('teams') }).getByRole('button');
    const card = cards.filter({ hasText: long });
    const template = visit.region(b('give')).getByRole('button', { name: /^Homework/ });
    await card.click();
    await template.click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ name: long, ownPoints: 2, rank: 1 });
    expect(await totals()).toEqual([0, 0, 0]);
    const what = b('whatOne', { points: '+2', name: long });
    await page.getByRole('button', { name: b('undoPoints', { what }) }).click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ ownPoints: 0 });

    await page.locator('label', { hasText: b('targetMembers') }).click();
    await card.click();
    await template.click();
    const each = sizes[0] as number;
    const sorted = async () => (await totals()).toSorted((one, other) => other - one);
    await expect.poll(sorted).toEqual([2, 2, 2].map((points, i) => (i < each ? points : 0)));
    await expect.poll(async () => (await teams())[0]).toMatchObject({ memberPoints: 2 * each, points: 2 });

    await goOn(`/admin/projector?class=${classId}`);
    await page.getByRole('button', { name: p('settings') }).click();
    const settings = page.getByRole('dialog', { name: p('settings') });
    await settings.locator('label', { hasText: p('teams') }).click();
    const ranked = page.getByRole('list', { name: p('teamRanking') }).getByRole('listitem');
    await expect
      .poll(async () => (await ranked.allInnerTexts()).join(' ').split(/\s+/).slice(0, 5))
      .toEqual(['1', ...long.split(' '), '2']);
  });
});

/** The scoring page of the class teacher. */
function board(visit: Visit) {
  const { page, say } = visit;
  return {
    ...classOf(visit, 0, 0),
    card: (name: string) => page.getByRole('button', { name: new RegExp(`^${name} `) }),
    giving: visit.region(say.scoring('give')),
    settled: (state: string) => {
      const newest = visit.region(say.scoring('recent')).getByRole('listitem').first();
      return newest.getByText(state, { exact: true }).waitFor();
    },
  };
}

describeJourneys('scoring', 'class', { ...look, language: 'zh-CN' }, (journey) => {
  journey(
    'staff give and undo points of one and all present students, and find one by name',
    async (visit) => {
      const { page, say, go, button, username, school, admin } = visit;
      const t = say.scoring;
      const { names, card, giving, settled, totals, newest } = board(visit);
      const [first, , third] = names;
      const shared = { schoolDb: school.schoolDb, name: 'Homework', scoreChange: 2 };
      await admin.created('/scores/templates', shared);
      await go('/admin/scoring');
      for (const name of names) await card(name).waitFor();
      const cards = page.getByRole('group', { name: t('students') }).getByRole('button');
      expect(await cards.count()).toBe(3);
      expect(await page.getByRole('combobox', { name: t('class') }).count()).toBe(0);

      await card(first).click();
      await giving.getByRole('button', { name: /^Homework/ }).click();
      await settled(t('stateDone'));
      expect(await totals()).toEqual([2, 0, 0]);

      await card(third).click();
      await button(t('markAbsent')).click();
      await page.getByRole('button', { name: t('selectPresent') }).click();
      await giving.getByRole('textbox', { name: t('customPoints') }).fill('-3');
      await giving.getByRole('textbox', { name: t('customReason') }).fill('<i>Noise</i>');
      await giving.getByRole('button', { name: t('customTake', { points: 3 }) }).click();
      await settled(t('stateDone'));
      expect(await totals()).toEqual([-1, -3, 0]);
      const author = { name: username };
      expect(await newest()).toMatchObject({ scoreChange: -3, description: '<i>Noise</i>', author });
      const what = t('whatMany', { points: '−3', count: 2 });
      await page.getByRole('button', { name: t('undoPoints', { what }) }).click();
      await settled(t('stateUndone'));
      expect(await totals()).toEqual([2, 0, 0]);
      await page.getByRole('button', { name: t('allPresent', { count: 1 }), exact: true }).click();
      await page.getByRole('button', { name: t('selectAll'), exact: true }).waitFor();

      await page.locator('label', { hasText: t('viewList') }).click();
      await page.getByRole('searchbox', { name: t('searchLabel') }).fill(third);
      await card(first).waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await giving.getByRole('heading', { name: third }).waitFor();
    },
  );

  journey('pages show student numbers only for students with the same name', async (visit) => {
    const { page, say, go, goOn, school, admin } = visit;
    const t = say.scoring;
    const { students, names, giving, settled } = board(visit);
    const called = (number: string) => say.common('nameWithNumber', { name: 'Li Wei', number });
    const { schoolDb } = school;
    for (const [index, { id }] of students.entries())
      await admin.patch(`/users/${id}`, { schoolDb, actualName: index < 2 ? 'Li Wei' : 'Ana López' });
    const expectNumbers = async () => {
      await page.getByText('Ana López').first().waitFor();
      const shown = async () => (await page.locator('#root').textContent())?.match(/s1a[123]/g);
      await expect.poll(async () => [...new Set(await shown())].sort()).toEqual(names.slice(0, 2));
    };
    await go('/admin/scoring');
    await page.locator('label', { hasText: t('viewCards') }).click();
    await expectNumbers();
    await page.getByRole('button', { name: new RegExp(`^Li Wei ${names[1]} `) }).click();
    await giving.getByRole('button', { name: /^Homework/ }).click();
    const what = t('whatOne', { points: '+2', name: called(names[1]) });
    await page.getByRole('button', { name: t('undoPoints', { what }) }).click();
    await settled(t('stateUndone'));
    await goOn('/admin/projector');
    await expectNumbers();
    await goOn('/admin/students');
    const menu = (name: string) =>
      page.getByRole('button', { name: say.lists('actionsFor', { name }), exact: true });
    await menu(called(names[0])).waitFor();
    expect(await menu('Ana López').count()).toBe(1);
  });
});
