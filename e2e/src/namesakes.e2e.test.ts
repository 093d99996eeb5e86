import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { studentPassword } from '../../server/test/test-app.ts';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { openWatched } from './harness/browser.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';

const school = await startServedSchool();
const say = speaker('en');
const [t, shell] = [say(texts), say(shellTexts)];
const name = 'Li Wei';
const called = (number: string) => say(commonTexts)('nameWithNumber', { name, number });

beforeAll(async () => {
  const { admin, school: made, classId } = school;
  const { schoolDb } = made;
  const [first, second, third] = made.grades[0].classes[0].students;
  for (const [student, actualName] of [
    [first, name],
    [second, name],
    [third, 'Ana López'],
  ] as const) {
    await admin.patch(`/users/${student?.id}`, { schoolDb, actualName });
    await admin.created('/scores/add', { schoolDb, userId: student?.id, scoreChange: 2, description: '' });
  }
  await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
  const layout = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 2 };
  await admin.created('/seats/data/generate', { schoolDb, classId, ...layout });
});

const numbersOn = async (page: Page) =>
  [...new Set((await page.locator('#root').textContent())?.match(/s1a[123]/g))].sort();

it('Pages for staff show student numbers for students with the same name, and only for them', async () => {
  const { page, complaints } = await openAs(school, 'class', '/scoring');
  const card = page.getByRole('button', { name: /^Li Wei s1a2 / });
  await card.waitFor();
  expect(await numbersOn(page)).toEqual(['s1a1', 's1a2']);
  await card.click();
  const giving = page.getByRole('region', { name: t('give') });
  await giving.getByRole('button', { name: /^Homework/ }).click();
  await page
    .getByRole('button', {
      name: t('undoTap', { what: t('whatOne', { points: '+2', name: called('s1a2') }) }),
    })
    .waitFor();
  await page.getByText(t('stateDone'), { exact: true }).waitFor();
  await page.getByRole('button', { name: t('random') }).click();
  await page.getByRole('textbox', { name: t('pickCount') }).fill('3');
  await page.getByRole('button', { name: t('pickAgain') }).click();
  const picked = page.getByRole('dialog').getByRole('status').filter({ hasText: 'Ana López' });
  await picked
    .and(page.getByText(called('s1a1')))
    .and(page.getByText(called('s1a2')))
    .waitFor({ state: 'attached' });

  await page.keyboard.press('Escape');
  const menu = page.getByRole('navigation').first();
  const expectNumbers = async (where: string) => {
    await page.getByText('Ana López').first().waitFor();
    await expect.poll(() => numbersOn(page), { message: where }).toEqual(['s1a1', 's1a2']);
  };
  for (const name of ['dashboard', 'seats', 'records', 'statistics'] as const) {
    await menu.getByRole('link', { name: shell(name), exact: true }).click();
    await page.getByRole('heading', { level: 1, name: shell(name) }).waitFor();
    await expectNumbers(name);
  }
  await page.goto(`${school.origin}/admin/projector`);
  await expectNumbers('projector');
  await page.goto(`${school.origin}/admin/students`);
  await page.getByRole('button', { name: `Actions for ${called('s1a1')}` }).waitFor();
  expect(await page.getByRole('button', { name: 'Actions for Ana López', exact: true }).count()).toBe(1);
  expect(complaints).toEqual([]);
});

it('The student app shows student numbers for classmates with the same name', async () => {
  const { app, origin, school: made } = school;
  const { page } = await openWatched(origin, {
    screen: 'phone',
    colorScheme: 'light',
    calm: true,
  });
  const { token } = await app.signInStudent(made.schoolDb, 's1a3', studentPassword);
  await page.addInitScript(`localStorage.setItem('classledger.student-token', '${token}');`);
  await page.goto(`${origin}/student/class`);
  await page.getByText('Ana López').first().waitFor();
  expect(await numbersOn(page)).toEqual(['s1a1', 's1a2']);
});
