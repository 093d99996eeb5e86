import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openWatched } from './harness/browser.ts';
import { openAs, people, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();
const [classA, classB] = school.school.grades[0].classes;

const classIn = (page: Page) => Number(new URL(page.url()).searchParams.get('class'));

const { page, complaints } = await openAs(school, 'grade', `/scoring?class=${classB.id}`);

it('the address names the class: links open it, back and forward lead through classes', async () => {
  const shown = async ({ id, students }: typeof classA | typeof classB) => {
    await page
      .getByText(students[0]?.username ?? '')
      .first()
      .waitFor();
    await expect.poll(() => classIn(page)).toBe(id);
  };
  await shown(classB);
  await page.getByRole('combobox', { name: 'Class' }).click();
  await page.getByRole('option', { name: 'Class A', exact: true }).first().click();
  await shown(classA);
  await page.goBack();
  await shown(classB);
  await page.goForward();
  await shown(classA);
  // Without a class it is the last one, and the address says so.
  await page.getByRole('link', { name: 'Seating plan', exact: true }).click();
  await expect.poll(() => page.url()).toMatch(new RegExp(`/seats\\?.*class=${classA.id}`));
  expect(complaints).toEqual([]);
});

it('a page of a list that is no number is the first', async () => {
  await page.goto(`${school.origin}/admin/students?page=abc`);
  await page.getByText('s1a1').first().waitFor();
  expect(complaints).toEqual([]);
});

it('a class that is unknown, or of somebody else, is said to be so, and another can be chosen', async () => {
  const foreign = school.school.grades[1].classes[0].id;
  for (const path of ['/projector', '/scoring']) {
    await page.goto(`${school.origin}/admin${path}?class=${foreign}`);
    await page.getByText('Class not found').waitFor();
    await page.getByRole('combobox', { name: 'Class' }).waitFor();
  }
  const shownB = page.getByText(classB.students[0]?.username ?? '').first();
  await page.getByRole('combobox', { name: 'Class' }).click();
  await page.getByRole('option', { name: 'Class B', exact: true }).first().click();
  await shownB.waitFor();
  for (const [path, id] of [
    ['/records', foreign],
    ['/students', 99999],
  ] as const) {
    await page.goto(`${school.origin}/admin${path}?class=${id}`);
    await page.getByText('This filter no longer applies').waitFor();
    expect(classIn(page)).toBe(id);
    expect(await page.getByRole('table').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await shownB.waitFor();
});

it('an address that leads nowhere is answered by a page of ours, which leads home', async () => {
  await page.goto(`${school.origin}/admin/nonsense/x`);
  await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor();
  await page.goto(`${school.origin}/nonsense`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await page.waitForURL(`${school.origin}/`);
  const student = classA.students[0]?.username ?? '';
  const { token } = await school.app.signInStudent(school.school.schoolDb, student);
  await page.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
  await page.goto(`${school.origin}/student/xyz`);
  await page.getByText('Page not found').waitFor();
  await page.getByRole('button', { name: 'Go to home' }).click();
  await page.waitForURL(`${school.origin}/student`);
});

it('who signs in comes to the address that was asked for, whose files came while the password was typed', async () => {
  const { page, complaints } = await openWatched(school.origin, { screen: 'phone', colorScheme: 'light' });
  await page.goto(`${school.origin}/admin/scoring?class=${classB.id}`);
  await page.getByRole('textbox', { name: 'Username' }).fill(people.school.username);
  const fetched = () =>
    page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()');
  await expect.poll(fetched).toMatch(/\/SignedInApp-.*\/signed-in-/);
  await page.getByLabel('Password', { exact: true }).fill(people.school.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page
    .getByText(classB.students[0]?.username ?? '')
    .first()
    .waitFor();
  expect(classIn(page)).toBe(classB.id);
  expect(complaints).toEqual([]);
});
