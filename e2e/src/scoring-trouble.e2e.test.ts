import type { AttendanceSheet } from '@classledger/contract';
import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts as attendanceTexts } from '../../web/src/admin/classroom/attendance/texts.ts';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as marksTexts } from '../../web/src/admin/outbox/texts.ts';
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

const latest = (page: Page, state: string) =>
  page.getByRole('list', { name: t('recent') }).getByText(state, { exact: true });

const shownOn = async (page: Page, number: number) => (await cardOf(page, number).textContent()) ?? '';

async function markAbsent(page: Page, number: number): Promise<void> {
  await cardOf(page, number).press('Enter');
  await page
    .getByRole('region', { name: t('give') })
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

async function giveElsewhere(number: number, scoreChange: number): Promise<void> {
  await admin.created('/scores/add', { schoolDb, userId: idOf(number), scoreChange, description: '' });
}

/** All tests use these two tabs in sequence. */
const { page: first, context } = await openAs(school, 'class', '/scoring');
const other = await context.newPage();
await other.goto(first.url());
await cardOf(other, 1).waitFor();

beforeEach(async () => {
  for (const tab of context.pages()) await tab.unrouteAll();
});

const comesBack = (tab: Page) => tab.evaluate("dispatchEvent(new Event('online'))");

describe('Scoring page with network errors, server errors and changes by others', () => {
  it('shows a tap in every tab, but sends it only from its own tab', async () => {
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

  it('shows an absence in every tab at once and after it is sent', async () => {
    // Now the second tab learns only from the first.
    await other.route(/\/api\/attendance\?/, (route: Route) => route.abort());
    await markAbsent(first, 11);
    await cardOf(other, 11).getByText(t('absent')).waitFor();
    const unsent = `Object.entries(localStorage)
      .filter(([key, text]) => key.startsWith('classledger.outbox.') && text.includes('attendance')).length`;
    await expect.poll(() => other.evaluate(unsent)).toBe(0);
    expect(await absentNames()).toEqual(['Student 11']);
    await cardOf(other, 11).getByText(t('absent')).waitFor();
  });

  it('sends the waiting taps of a closed tab from another tab, which can also undo them', async () => {
    await first.route(batch, (route: Route) => route.abort());
    await give(first, 5, 'Homework +2');
    await latest(first, t('stateWaiting')).waitFor();
    expect(await school.totalOf(5)).toBe(0);
    await first.close();
    await comesBack(other);
    await expect.poll(() => school.totalOf(5)).toBe(2);
    await expect.poll(() => latest(other, t('stateDone')).count()).toBe(2);

    await other.getByRole('button', { name: t('undoTap', { what: '+2 for Student 5' }) }).click();
    await expect.poll(() => school.totalOf(5)).toBe(0);
  });

  it('shows the points of others during a server error, plus the waiting tap', async () => {
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

  it('names the absence that the server rejects, sends others, and lets a person retry or discard it', async () => {
    let failures = 0;
    const fail = (route: Route) => {
      if (!route.request().postDataJSON().userIds.includes(idOf(12))) return route.continue();
      // The long pause makes sure that only a person's retry is sent.
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
    // The sheet would give points to an absent student, because the server lacks the mark.
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

  it('keeps a school’s only class open when another administrator creates a second one', async () => {
    const { page } = await openAs(school, 'super', '/scoring');
    await cardOf(page, 1).waitFor();
    const [grade] = (await admin.get(`/grades?schoolDb=${schoolDb}`)).data as { id: number }[];
    await admin.created('/classes', { schoolDb, gradeId: grade?.id, name: 'Class B' });
    await give(page, 1, 'Answered +1');
    await latest(page, t('stateDone')).waitFor();
    const asked = page.waitForResponse(/api\/classes\?/);
    // The teacher returns from another tab.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await asked;
    // The same points again would count as a double click.
    await give(page, 1, 'Homework +2');
    await expect.poll(() => school.totalOf(1)).toBe(3);
    await page.reload();
    await cardOf(page, 1).waitFor();
  });
});
