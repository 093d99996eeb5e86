import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { passwordTexts } from '../../web/src/session/password-texts.ts';
import { barriers } from './harness/barriers.ts';
import { describeJourneys, type Traveller, type Visit } from './harness/journeys.ts';
import { pagesOf } from './harness/pages.ts';
import { makeWebhooks } from './harness/webhooks.ts';

for (const [traveller, paths] of Object.entries(pagesOf) as [Traveller, readonly string[]][]) {
  describeJourneys(
    'every page',
    [traveller],
    (journey) => {
      let made = { term: 0, webhook: 0, import: 0 };
      for (const [index, path] of paths.entries()) {
        journey(`${path} has no barriers in light and in dark`, async (visit) => {
          if (index === 0) made = await liveIn(visit);
          const { page, school, go } = visit;
          const student = school.grades[0].classes[0].students[0]?.id;
          const ids = { student, ...made };
          await go(path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name])));
          await page.locator('h1').first().waitFor();
          await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
          expect(await page.evaluate(ownBackground), 'our styles stand above those of the library').toBe(
            true,
          );
          await expectNoBarriers(page);
        });
      }
    },
    { screen: 'both' },
  );
}

describeJourneys(
  'the page before every page',
  ['class', 'student'],
  (journey) => {
    journey('has no barriers in light and in dark', async ({ page, say, go, app, traveller, username }) => {
      const table = traveller === 'student' ? 'student' : 'admin';
      const given = app.database.db.updateTable(table).set({ password_is_initial: true });
      await given.where('username', '=', username).execute();
      await go(traveller === 'student' ? '/student' : '/admin');
      await page.getByRole('heading', { level: 1, name: say(passwordTexts)('firstTitle') }).waitFor();
      await page.getByLabel(say(passwordTexts)('newPassword'), { exact: true }).fill('password1');
      await expectNoBarriers(page);
    });
  },
  { screen: 'both' },
);

/** Whether the page has the colour that we give it; Mantine gives it one, too. */
const ownBackground = `{
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--app-background)';
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  getComputedStyle(document.body).backgroundColor === wanted;
}`;

async function expectNoBarriers(page: Page): Promise<void> {
  const turn = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  };
  // The visitor's tab is still dark from the page before.
  await turn('light');
  expect(await barriers(page, { bestPractice: true }), 'in light').toEqual([]);
  await turn('dark');
  expect(await barriers(page, { rules: ['color-contrast'] }), 'in dark').toEqual([]);
}

/** Puts something onto every page. @returns ids of a closed term, of a webhook that fails and of an import that is undone */
async function liveIn({ admin, school, app }: Visit) {
  const { schoolDb } = school;
  const [classA, classB] = school.grades[0].classes;
  const give = (userId: number | undefined, scoreChange: number, description: string) =>
    admin.created('/scores/add', { schoolDb, userId, scoreChange, description });
  await give(classB.students[0]?.id, 4, 'Before the term ended');
  const closed = { schoolDb, classId: classB.id, name: 'Autumn', action: 'archive' };
  const { term } = await admin.created<{ term: { id: number } }>('/admin/term-switch', closed);
  for (const { id } of classA.students) await give(id, 3, 'Homework');
  await give(classA.students[0]?.id, -1, 'Late');
  await admin.created('/scores/templates', { schoolDb, name: 'Answered', scoreChange: 1 });
  await admin.created('/scores/templates', { schoolDb, name: 'Late', scoreChange: -1 });
  const grid = { groupCount: 2, rowsPerGroup: 2, colsPerGroup: 2 };
  await admin.created('/seats/data/generate', { schoolDb, classId: classA.id, ...grid });
  const card = await school.issue({ scopes: ['students:read'], name: 'Campus card' });
  await card.get('/students');
  await card.get('/students/0');
  await admin.created('/announcements', { title: 'New term', content: '<p>Points <b>start</b> again.</p>' });
  await app.anonymous.internal.post('/applications', {
    schoolName: 'Hillside School',
    applicantName: 'Mei Zhao',
    contactPhone: '+86 10 5550 0142',
    reason: 'Grades 1 to 3 would like to use points.',
  });
  const { id } = await admin.created<{ id: number }>('/imports', { schoolDb, source: 'list' });
  const batch = [{ username: classA.students[1]?.username, actualName: 'Ann Lee', cardNumber: '7' }];
  await admin.put(`/imports/${id}/students`, { schoolDb, batch });
  await admin.post(`/imports/${id}/undo`, { schoolDb });
  return { term: term.id, import: id, webhook: (await makeWebhooks({ app, school })).failing };
}
