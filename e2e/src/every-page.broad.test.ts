import type { Category } from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { studentPassword } from '../../server/test/test-app.ts';
import { TestImports } from '../../server/test/test-imports.ts';
import { type Language, languages } from '../../web/src/i18n/language.ts';
import { axeViolations } from './harness/axe-violations.ts';
import { openWatchedPage, screens } from './harness/browser.ts';
import { enter, type JourneyRole } from './harness/journeys.ts';
import { navigateInApp, pixelsBeside } from './harness/page-actions.ts';
import { pagesByRole } from './harness/pages.ts';
import { applicationOf, people, startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';
import { seedWebhooks } from './harness/webhooks.ts';

const served = await startServedSchool();
const { app, admin, school, origin } = served;
const { schoolDb } = school;
const [pupil] = school.grades[0].classes[0].students;
const ids = { student: pupil.id, ...(await liveIn()) };

const watched = await openWatchedPage(origin);
const { page, context, complaints } = watched;
const emulation = await context.newCDPSession(page);
/** Whether the app is loaded for the person who is signed in. */
let isLoaded = false;

const logins = {
  ...people,
  student: { username: pupil.username, password: studentPassword },
  nobody: { username: '', password: '' },
};

async function signIn(traveller: JourneyRole, language: Language): Promise<void> {
  isLoaded = false;
  await enter(watched, { traveller, app, school, ...logins[traveller] }, language);
}

const travellers = Object.entries(pagesByRole) as [JourneyRole, readonly string[]][];

describe.each(travellers.map(([who, paths], n) => ({ who, paths, language: languages[n % 2] as Language })))(
  'Pages of $who in $language',
  ({ who, paths, language }) => {
    beforeAll(() => signIn(who, language));

    it.each(paths)('%s passes axe, fits the screen and logs no error, in each look', async (path) => {
      const address = new URL(
        path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name])),
        origin,
      );
      if (who === 'super') address.searchParams.set('school', schoolDb);
      if (!isLoaded) await page.goto(address.href);
      else if (who === 'student') await page.locator(`nav a[href="${path}"]`).click();
      else await navigateInApp(page, address);
      // Visitors open three apps.
      isLoaded = who !== 'nobody';
      await page.locator('h1').first().waitFor();
      expect(await page.evaluate(ownBackground), 'our styles stand above those of the library').toBe(true);
      await expectNothingWrongInAnyLook();
    });
  },
);

it.each([
  { who: 'student', language: 'en' },
  { who: 'class', language: 'zh-CN' },
] as const)(
  'The page for a new password of a $who passes axe, fits the screen and logs no error, in each look',
  async ({ who, language }) => {
    const t = translatorFor(language).ownPassword;
    const { username } = logins[who];
    const account = app.database.db.updateTable(who === 'class' ? 'admin' : 'student');
    await account.set({ password_is_initial: true }).where('username', '=', username).execute();
    await signIn(who, language);
    await page.goto(`${origin}${who === 'class' ? '/admin' : '/student'}`);
    await page.getByRole('heading', { level: 1, name: t('firstTitle') }).waitFor();
    await page.getByLabel(t('newPassword'), { exact: true }).fill('password1');
    await expectNothingWrongInAnyLook();
  },
);

/** Mantine sets a background, too; ours must win. */
const ownBackground = `{
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = 'var(--app-background)';
  const wanted = getComputedStyle(probe).color;
  probe.remove();
  getComputedStyle(document.body).backgroundColor === wanted;
}`;

/** Looks at the loaded page on both screens in both color schemes. */
async function expectNothingWrongInAnyLook(): Promise<void> {
  for (const [screen, first, second] of [
    ['desktop', 'light', 'dark'],
    ['phone', 'dark', 'light'],
  ] as const) {
    await emulation.send('Emulation.setTouchEmulationEnabled', { enabled: screen === 'phone' });
    await page.setViewportSize(screens[screen]);
    await paint(first);
    await page.evaluate(nextFrame);
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    expect(await axeViolations(page, { bestPractice: true }), `${screen}, ${first}`).toEqual([]);
    await paint(second);
    expect(await axeViolations(page, { rules: ['color-contrast'] }), `${screen}, ${second}`).toEqual([]);
    const beside = await pixelsBeside(page);
    expect(beside, `pixels beside the ${screen}`).toBeLessThanOrEqual(0);
  }
  expect(complaints.splice(0)).toEqual([]);
}

/** By then, the page has answered to the size of the screen. */
const nextFrame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

async function paint(colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
}

/** Creates content for every page. @returns the ids that addresses need */
async function liveIn() {
  const [classA, classB] = school.grades[0].classes;
  const give = (userId: number, scoreChange: number, description: string) =>
    admin.created('/scores/add', { schoolDb, userId, scoreChange, description });
  // The statistics show two lists with pages, whose buttons need different names.
  const gradeId = school.grades[0].id;
  for (let n = 1; n <= 10; n++) await admin.created('/classes', { schoolDb, gradeId, name: `Class ${n}` });
  await give(classB.students[0].id, 4, 'Before the term ended');
  const closed = { schoolDb, classId: classB.id, name: 'Autumn', action: 'archive' };
  const { term } = await admin.created<{ term: { id: number } }>('/admin/term-switch', closed);
  const preset = { schoolDb, preset: 'fiveVirtues', language: 'en' };
  const made = await admin.created<{ categories: Category[] }>('/scores/categories/preset', preset);
  for (const { id: categoryId } of made.categories) {
    const gift = { userId: classA.students[0].id, scoreChange: 2, categoryId };
    await admin.created('/scores/add', { schoolDb, ...gift });
  }
  for (const { id } of classA.students) await give(id, 3, 'Homework');
  await give(classA.students[0].id, -1, 'Late');
  const categoryId = made.categories[0]?.id;
  await admin.created('/scores/templates', { schoolDb, name: 'Answered', scoreChange: 1, categoryId });
  await admin.created('/scores/templates', { schoolDb, name: 'Late', scoreChange: -1 });
  const grid = { groupCount: 2, rowsPerGroup: 2, colsPerGroup: 2 };
  await admin.created('/seats/data/generate', { schoolDb, classId: classA.id, ...grid });
  const card = await school.issue({ scopes: ['students:read'], name: 'Campus card' });
  await card.get('/students');
  await card.get('/students/0');
  await admin.created('/announcements', { title: 'New term', content: '<p>Points <b>start</b> again.</p>' });
  await app.anonymous.internal.post('/applications', applicationOf('Hillside School'));
  const imports = new TestImports(app, schoolDb, admin);
  const { username } = classA.students[1];
  const { id } = await imports.run([{ username, actualName: 'Ann Lee', cardNumber: '7' }]);
  await imports.undo(id);
  return { term: term.id, import: id, webhook: (await seedWebhooks({ app, school })).failing };
}
