import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { studentPassword } from '../../server/test/test-app.ts';
import { TestImports } from '../../server/test/test-imports.ts';
import { passwordTexts } from '../../web/src/session/password-texts.ts';
import { barriers } from './harness/barriers.ts';
import { openWatched, type WatchedPage } from './harness/browser.ts';
import { follow } from './harness/follow.ts';
import type { Traveller } from './harness/journeys.ts';
import { pagesOf } from './harness/pages.ts';
import { people, startServedSchool } from './harness/served-school.ts';
import { speaker } from './harness/speaker.ts';
import { makeWebhooks } from './harness/webhooks.ts';

const served = await startServedSchool();
const { app, admin, school, origin } = served;
const { schoolDb } = school;
const [pupil] = school.grades[0].classes[0].students;
const ids = { student: pupil?.id, ...(await liveIn()) };

describe.each([
  { screen: 'desktop', language: 'en' },
  { screen: 'phone', language: 'zh-CN' },
] as const)('$screen, $language', ({ screen, language }) => {
  let watched: WatchedPage;
  let isLoaded = false;

  beforeAll(async () => {
    watched = await openWatched(origin, { screen, colorScheme: 'light', calm: true });
    await keep('language', language);
  });

  const keep = (name: string, value: string) =>
    watched.context.addInitScript(
      `if (location.origin !== 'null') localStorage.setItem('classledger.${name}', '${value}');`,
    );

  const signIn = async (who: Traveller) => {
    isLoaded = false;
    if (who === 'nobody') return;
    if (who === 'student') {
      const { token } = await app.signInStudent(schoolDb, String(pupil?.username), studentPassword);
      return keep('student-token', token);
    }
    await watched.context.request.post(`${origin}/api/auth/login`, {
      data: { ...people[who], confirmations: true },
    });
    await keep('admin-signed-in', '1');
  };

  const expectNothingWrong = async () => {
    const overflow = 'document.documentElement.scrollWidth - window.innerWidth';
    const beside = Math.max(0, Number(await watched.page.evaluate(overflow)));
    const complaints = watched.complaints.splice(0);
    expect({ complaints, beside }).toEqual({ complaints: [], beside: 0 });
  };

  describe.each(Object.entries(pagesOf) as [Traveller, readonly string[]][])('Pages of %s', (who, paths) => {
    beforeAll(() => signIn(who));

    it.each(paths)('%s passes axe in light and dark, fits the screen and logs no error', async (path) => {
      const { page } = watched;
      const address = new URL(
        path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name])),
        origin,
      );
      if (who === 'super') address.searchParams.set('school', schoolDb);
      const isElsewhere = address.pathname !== new URL(page.url()).pathname;
      if (isLoaded && isElsewhere && address.pathname.startsWith('/admin/')) await follow(page, address);
      else await page.goto(address.href);
      isLoaded = true;
      await page.locator('h1').first().waitFor();
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
      expect(await page.evaluate(ownBackground), 'our styles stand above those of the library').toBe(true);
      await expectNoBarriers(page);
      await expectNothingWrong();
    });
  });

  it('The page for a new password passes axe in light and dark, fits the screen and logs no error', async () => {
    const { page } = watched;
    const t = speaker(language)(passwordTexts);
    const who = screen === 'phone' ? 'class' : 'student';
    const username = who === 'class' ? people.class.username : String(pupil?.username);
    const account = app.database.db.updateTable(who === 'class' ? 'admin' : 'student');
    const beInitial = (password_is_initial: boolean) =>
      account.set({ password_is_initial }).where('username', '=', username).execute();
    await beInitial(true);
    await signIn(who);
    await page.goto(`${origin}${who === 'class' ? '/admin' : '/student'}`);
    await page.getByRole('heading', { level: 1, name: t('firstTitle') }).waitFor();
    await page.getByLabel(t('newPassword'), { exact: true }).fill('password1');
    await expectNoBarriers(page);
    await expectNothingWrong();
    await beInitial(false);
  });
});

/** Mantine sets a background, too; ours must win. */
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
  await turn('light');
  expect(await barriers(page, { bestPractice: true }), 'in light').toEqual([]);
  await turn('dark');
  expect(await barriers(page, { rules: ['color-contrast'] }), 'in dark').toEqual([]);
}

/** Creates content for every page. @returns the ids that addresses need */
async function liveIn() {
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
  const imports = new TestImports(app, schoolDb, admin);
  const { username } = classA.students[1] ?? {};
  const { id } = await imports.run([{ username, actualName: 'Ann Lee', cardNumber: '7' }]);
  await imports.undo(id);
  return { term: term.id, import: id, webhook: (await makeWebhooks({ app, school })).failing };
}
