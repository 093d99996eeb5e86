import type { Absence, AttendanceSheet, Picks, ScoreLog } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as attendanceTexts } from '../../../web/src/admin/classroom/attendance/texts.ts';
import { picksTimeoutMs } from '../../../web/src/admin/classroom/picks-timeout.ts';
import { texts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { texts as timerTexts } from '../../../web/src/admin/classroom/timer/texts.ts';
import { describeJourneys, type Journey, type Visit } from '../harness/journeys.ts';

const classOf = ({ traveller, school }: Visit) => school.grades[0].classes[traveller === 'class' ? 0 : 1];

async function chooseClass({ page, say, traveller }: Visit) {
  const picker = page.getByRole('combobox', { name: say(texts)('class') });
  if (traveller === 'class') return;
  await picker.click();
  await page.getByRole('option').filter({ hasText: 'Class B' }).first().click();
}

describeJourneys('classroom tools', ['class', 'school'], toolJourneys, { screen: 'desktop' });

function toolJourneys(journey: Journey): void {
  journey('saves absences of the day, gives points by attendance, and lists past absences', async (visit) => {
    const { page, say, go, row, admin, school } = visit;
    const t = say(attendanceTexts);
    const { id: classId, students } = classOf(visit);
    const [first, second] = students as [(typeof students)[0], (typeof students)[0]];
    const here = `schoolDb=${school.schoolDb}&classId=${classId}`;
    const states = async () =>
      ((await admin.get(`/attendance?${here}`)).data as AttendanceSheet).absences.map(({ state }) => state);
    await go('/admin/attendance');
    await chooseClass(visit);
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

  journey('opens each tool from one button, and hides the tools that a school disables', async (visit) => {
    const { page, say, goOn, admin, school } = visit;
    const t = say(texts);
    const timer = say(timerTexts);
    const { id: classId, students } = classOf(visit);
    const here = `schoolDb=${school.schoolDb}&classId=${classId}`;
    const newest = async () => ((await admin.get(`/scores/logs?${here}`)).data as ScoreLog[])[0];
    await admin.created('/scores/templates', { schoolDb: school.schoolDb, name: 'Reading', scoreChange: 3 });
    await goOn('/admin/scoring');
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
    await giving.getByRole('button', { name: t('giftNote') }).press('Enter');
    await page.keyboard.type('Helped clean up');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await newest())?.username).toBe(noted?.username);
    expect(await newest()).toMatchObject({ note: 'Helped clean up', description: 'Reading' });
    // The keyboard goes on from the card.
    expect(await cardOf(noted?.username).evaluate((card) => card.matches(':focus'))).toBe(true);
    await page
      .getByRole('button', { name: new RegExp(`^${t('noteTap', { what: '' }).trim()}`) })
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
    expect(await giving.getByRole('button', { name: t('giftNote') }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await admin.patch('/school-settings', { schoolDb: school.schoolDb, switchedOffTools: [] });
  });
}
