import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openWatched } from './harness/browser.ts';
import { openAs, people, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();
const [classA, classB] = school.school.grades[0].classes;

const classIn = (page: Page) => Number(new URL(page.url()).searchParams.get('class'));

const { page, complaints } = await openAs(school, 'grade', `/scoring?class=${classB.id}`);

it('The address contains the class: links open it, and back and forward switch between classes', async () => {
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
  // A link without a class opens the last class and adds it to the address.
  await page.getByRole('link', { name: 'Seating plan', exact: true }).click();
  await expect.poll(() => page.url()).toMatch(new RegExp(`/seats\\?.*class=${classA.id}`));
  expect(complaints).toEqual([]);
});

it('A list opens its first page when the page in the address is not a number', async () => {
  await page.goto(`${school.origin}/admin/students?page=abc`);
  await page.getByText('s1a1').first().waitFor();
  expect(complaints).toEqual([]);
});

it('An unknown or foreign class shows a message and lets the person choose another class', async () => {
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

it('An unknown address shows a "not found" page with a link home, to administrators, visitors and students', async () => {
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

it('Sign-in leads to the requested address, and its scripts load while the password is typed', async () => {
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
