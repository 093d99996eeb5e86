import type { AttendanceSheet } from '@classledger/contract';
import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts as attendanceTexts } from '../../web/src/admin/classroom/attendance/texts.ts';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as marksTexts } from '../../web/src/admin/marks/texts.ts';
import { cardOf, startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const school = await startScoringSchool();
const say = speaker('en');
const [t, marks, sheet] = [say(texts), say(marksTexts), say(attendanceTexts)];

const batch = '**/api/scores/batch';

async function give(page: Page, number: number, template: string): Promise<void> {
  await cardOf(page, number).click();
  await page.getByRole('region', { name: 'Give points' }).getByRole('button', { name: template }).click();
}

/** The states of the latest taps. */
const latest = (page: Page, state: string) =>
  page.getByRole('list', { name: t('recent') }).getByText(state, { exact: true });

/** What the card of a student says besides the name. */
const shownOn = async (page: Page, number: number) => (await cardOf(page, number).textContent()) ?? '';

async function markAbsent(page: Page, number: number): Promise<void> {
  await cardOf(page, number).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('markAbsent') })
    .press('Enter');
}

const { schoolDb, classId, admin } = school;
const ofClass = `schoolDb=${schoolDb}&classId=${classId}`;
const students = (await admin.get(`/users?${ofClass}`)).data as { id: number; actualName: string }[];
const idOf = (number: number) => students.find(({ actualName }) => actualName === `Student ${number}`)?.id;

async function absentNames(): Promise<(string | undefined)[]> {
  const { absences } = (await admin.get(`/attendance?${ofClass}`)).data as AttendanceSheet;
  return absences.map(({ userId }) => students.find(({ id }) => id === userId)?.actualName);
}

/** Someone else gives points. */
async function giveElsewhere(number: number, scoreChange: number): Promise<void> {
  await admin.created('/scores/add', { schoolDb, userId: idOf(number), scoreChange, description: '' });
}

/** Two tabs of the teacher: the tests below go on in them, one after the other. */
const { page: first, context } = await openAs(school, 'class', '/scoring');
const other = await context.newPage();
await other.goto(first.url());
await cardOf(other, 1).waitFor();

beforeEach(async () => {
  for (const tab of context.pages()) await tab.unrouteAll();
});

const comesBack = (tab: Page) => tab.evaluate("dispatchEvent(new Event('online'))");

describe('scoring in trouble', () => {
  it('shows a tap in every tab, and leaves it to the tab where it was made', async () => {
    await first.route(batch, (route: Route) => route.abort());
    await give(first, 6, 'Homework +2');
    await latest(first, t('stateWaiting')).waitFor();
    await latest(other, t('stateWaiting')).waitFor();
    expect(await shownOn(other, 6)).toContain('2');
    await comesBack(other);
    await comesBack(first);
    expect(await latest(first, t('stateWaiting')).count()).toBe(1);
    expect(await school.totalOf(6)).toBe(0);
    await first.unrouteAll();
    await expect.poll(() => school.totalOf(6)).toBe(2);
    await latest(other, t('stateDone')).waitFor();
  });

  it('shows in every tab at once what another one has said of students, with what the server answers', async () => {
    // From here on the other tab learns from the first alone.
    await other.route(/\/api\/attendance\?/, (route: Route) => route.abort());
    await markAbsent(first, 11);
    await cardOf(other, 11).getByText(t('absent')).waitFor();
    const unsent = `Object.keys(localStorage).filter((key) => key.startsWith('classledger.mark.')).length`;
    await expect.poll(() => other.evaluate(unsent)).toBe(0);
    expect(await absentNames()).toEqual(['Student 11']);
    await cardOf(other, 11).getByText(t('absent')).waitFor();
  });

  it('sends what a tab could not send that was closed, by another tab that is open', async () => {
    await first.route(batch, (route: Route) => route.abort());
    await give(first, 5, 'Homework +2');
    await latest(first, t('stateWaiting')).waitFor();
    expect(await school.totalOf(5)).toBe(0);
    await first.close();
    await comesBack(other);
    await expect.poll(() => school.totalOf(5)).toBe(2);
    await expect.poll(() => latest(other, t('stateDone')).count()).toBe(2);

    // There it can also be taken back.
    await other.getByRole('button', { name: t('undoTap', { what: '+2 for Student 5' }) }).click();
    await expect.poll(() => school.totalOf(5)).toBe(0);
  });

  it('shows what others give while the server fails at a tap, and the tap on top of it', async () => {
    await other.route(batch, (route: Route) =>
      route.fulfill({
        status: 503,
        headers: { 'x-request-id': 'a request' },
        json: { success: false, data: null, message: 'no' },
      }),
    );
    await give(other, 9, 'Homework +2');
    await latest(other, t('stateFailing')).waitFor();
    await giveElsewhere(9, 40);
    await giveElsewhere(10, 50);
    await expect.poll(() => shownOn(other, 10)).toContain('50');
    await expect.poll(() => shownOn(other, 9)).toContain('42');
    await other.unrouteAll();
    await comesBack(other);
    await latest(other, t('stateFailing')).waitFor({ state: 'detached' });
    await expect.poll(() => school.totalOf(9)).toBe(42);
  });

  it('says which absence the server fails at, holds back no other, and lets go of it when told to', async () => {
    let failures = 0;
    const fail = (route: Route) => {
      if (!route.request().postDataJSON().userIds.includes(idOf(12))) return route.continue();
      // Then it rests for longer than the test takes: what is sent after that, a person has sent.
      const rest = ++failures < 4 ? undefined : { 'retry-after': '60' };
      const headers = { 'x-request-id': 'a request', ...rest };
      return route.fulfill({ status: 500, headers, json: { success: false, data: null, message: 'no' } });
    };
    await other.route(/\/api\/attendance$/, fail);
    await markAbsent(other, 12);
    await markAbsent(other, 13);
    await expect.poll(absentNames).toContain('Student 13');
    const notice = other.getByRole('alert').filter({ hasText: 'Student 12' });
    await notice.getByText(marks('stateFailing')).waitFor();
    await other.reload();
    await notice.getByRole('button', { name: marks('giveUp') }).click();
    await notice.waitFor({ state: 'detached' });
    await cardOf(other, 13).getByText(t('absent')).waitFor();
    await expect.poll(() => cardOf(other, 12).getByText(t('absent')).count()).toBe(0);
    expect(await absentNames()).not.toContain('Student 12');

    failures = 0;
    await markAbsent(other, 12);
    await notice.getByText(marks('stateFailing')).waitFor();
    // Points by the sheet would go by what the server knows, to a child who is shown as absent.
    await other.goto(`${school.origin}/admin/attendance`);
    await other.getByRole('button', { name: sheet('give') }).click();
    const dialog = other.getByRole('dialog');
    await dialog.getByText(sheet('giveLater', { count: 1 })).waitFor();
    expect(await dialog.getByRole('button', { name: sheet('giveButton') }).isDisabled()).toBe(true);
    await other.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await other.unrouteAll();
    await notice.getByRole('button', { name: marks('retry') }).click();
    await notice.waitFor({ state: 'detached' });
    await expect.poll(absentNames).toContain('Student 12');
  });

  it('stays with the only class when a second one is made', async () => {
    const { page } = await openAs(school, 'super', '/scoring');
    await cardOf(page, 1).waitFor();
    const [grade] = (await admin.get(`/grades?schoolDb=${schoolDb}`)).data as { id: number }[];
    await admin.created('/classes', { schoolDb, gradeId: grade?.id, name: 'Class B' });
    await give(page, 1, 'Answered +1');
    await latest(page, t('stateDone')).waitFor();
    const asked = page.waitForResponse(/api\/classes\?/);
    // As when the teacher comes back from the tab where the class was made.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await asked;
    // Other points: the same once more would be taken for the second half of a double click.
    await give(page, 1, 'Homework +2');
    await expect.poll(() => school.totalOf(1)).toBe(3);
    await page.reload();
    await cardOf(page, 1).waitFor();
  });
});
