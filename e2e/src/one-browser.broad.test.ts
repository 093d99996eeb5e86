import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openWatchedPage } from './harness/browser.ts';
import { chooseOption, waitForFocusIn } from './harness/page-actions.ts';
import { type Person, people, signInAs, startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const { admin, school, origin } = await startServedSchool();
const say = translatorFor('en');
const { scoring: t, common: c } = say;

const student = school.grades[0].classes[0].students[0].id;
const ofStudent = `schoolDb=${school.schoolDb}&userId=${student}`;
const records = () => admin.read<{ scoreChange: number }[]>(`/scores/logs?${ofStudent}`);

/** All tests use these two tabs. */
const { page, context } = await openWatchedPage(origin);
const other = await context.newPage();
for (const tab of [page, other]) await tab.goto(`${origin}/`);
await other.evaluate(`localStorage.setItem('classledger.language', 'en')`);

/** The first student of the class, and the field for custom points. */
const pupil = page.getByRole('button', { name: /^s1a1 / });
const points = page.getByRole('textbox', { name: t('customPoints') });

const logIn = (who: Person) => signInAs({ context, origin }, who);

/** Signs in by the form that a tab shows. */
async function signInAt(tab: Page, who: Person): Promise<void> {
  await tab.getByLabel(c('username'), { exact: true }).fill(people[who].username);
  await tab.getByLabel(c('password'), { exact: true }).fill(people[who].password);
  await tab.getByRole('button', { name: c('signIn'), exact: true }).click();
  await tab.getByRole('button', { name: new RegExp(`^${people[who].username}`) }).waitFor();
}

let signIns = 0;

/** Signs in through the second tab, so that other tabs notice. */
async function signIn(who: Person): Promise<void> {
  await logIn(who);
  signIns += 1;
  await other.evaluate(`localStorage.setItem('classledger.admin-signed-in', '${signIns}')`);
}

describe('A browser shared by several people and tabs', () => {
  it('keeps the chosen class of each tab', async () => {
    await signIn('grade');
    await page.goto(`${origin}/admin/scoring`);
    await chooseOption(page, c('class'), 'Class A');
    await pupil.waitFor();
    await other.goto(page.url());
    await other.getByRole('button', { name: /^s1a1 / }).waitFor();
    await chooseOption(other, c('class'), 'Class B');
    await other.getByRole('button', { name: /^s1b1 / }).waitFor();

    await page.getByRole('button', { name: t('random') }).click();
    await waitForFocusIn(page, 'dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await pupil.waitFor();
    await page.reload();
    await pupil.waitFor();
  });

  it('signs out in all tabs at once and deletes the data of the person', async () => {
    await other.goto(`${origin}/admin/students?search=s1a1`);
    await other.getByRole('link', { name: 's1a1' }).first().waitFor();
    const kept = JSON.stringify({ owner: { adminId: 1, schoolDb: '' }, run: { batches: [], left: [] } });
    await other.evaluate(`sessionStorage.setItem('classledger.import', '${kept}')`);
    await page.getByRole('button', { name: /^head/ }).click();
    await page.getByRole('button', { name: c('signOut') }).click();
    await page.waitForURL(`${origin}/`);
    await other.getByRole('heading', { name: say.signIn('adminTitle') }).waitFor();
    expect(other.url()).toBe(`${origin}/admin`);
    expect(await other.getByText('s1a1').count()).toBe(0);
    const names = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`;
    expect(await other.evaluate(names)).not.toMatch(/s1a1|import|kept-answers/);

    await signInAt(other, 'school');
    await other.goto(`${origin}/admin/scoring`);
    await other.getByText(say.classroom('chooseClassTitle')).waitFor();
  });

  it('sends a tap only as the person who made it, even if another person signs in meanwhile', async () => {
    await other.goto(`${origin}/`);
    await signIn('class');
    await page.goto(`${origin}/admin/scoring`);
    let lost = 1;
    await page.route('**/api/scores/batch', async (route) => {
      if (lost-- <= 0) return route.continue();
      // The call takes effect, but its answer is lost and another person signs in.
      await route.fetch();
      await logIn('school');
      await route.abort();
    });
    await pupil.click();
    await points.fill('3');
    await points.press('Enter');
    const again = page.getByRole('dialog', { name: say.signIn('againTitle') });
    await again.waitFor();
    expect(await records()).toMatchObject([{ scoreChange: 3 }]);

    await again.getByLabel(c('password'), { exact: true }).fill(people.class.password);
    await again.getByRole('button', { name: c('signIn') }).click();
    const recent = page.getByRole('list', { name: t('recent') });
    await recent.getByText(t('stateDone'), { exact: true }).waitFor();
    expect(await records()).toMatchObject([{ scoreChange: 3 }]);
  });

  it('switches all tabs to a new person, but keeps the page for the same person', async () => {
    await page.unrouteAll();
    await signIn('class');
    await page.goto(`${origin}/admin/scoring`);
    await pupil.click();
    await points.fill('7');
    const again = page.getByRole('dialog', { name: say.signIn('againTitle') });
    // The session ends overnight, and the same person signs in elsewhere.
    await context.request.post(`${origin}/api/auth/logout`);
    await again.waitFor();
    await signIn('class');
    await again.waitFor({ state: 'detached' });
    expect(await points.inputValue()).toBe('7');
    await signIn('school');
    await page.getByRole('button', { name: /^office/ }).waitFor();
    expect(page.url()).toBe(`${origin}/admin`);
    // The next person's start page may name the same student.
    expect(await points.or(pupil).count()).toBe(0);
  });

  it('warns before signing out with an unsent tap, and sends it after the next sign-in', async () => {
    const before = (await records()).length;
    await signIn('class');
    await page.getByRole('button', { name: /^teacher/ }).waitFor();
    await page.goto(`${origin}/admin/scoring`);
    await page.route('**/api/scores/batch', (route) => route.abort());
    await pupil.click();
    await points.fill('2');
    await points.press('Enter');
    await page.getByText(t('stateWaiting'), { exact: true }).waitFor();
    await page.getByRole('button', { name: /^teacher/ }).click();
    await page.getByRole('button', { name: c('signOut') }).click();
    const question = page.getByRole('dialog', { name: say.shell('unsentTitle') });
    await question.getByRole('button', { name: c('signOut') }).click();
    await page.waitForURL(`${origin}/`);
    expect(await records()).toHaveLength(before);

    await signIn('class');
    await other.goto(`${origin}/admin/account`);
    await expect.poll(async () => (await records()).length).toBe(before + 1);
  });

  it('discards data that was loaded ahead for a person who signed out meanwhile', async () => {
    let signedOut = 0;
    await other.goto(`${origin}/`);
    await signIn('school');
    const ahead = ['me', 'schools'].map((what) =>
      page.waitForResponse((answer) => answer.url().match(`/api/(auth/)?${what}$`) !== null),
    );
    const signOut = async (route: Route) => {
      // Another tab signs out after the first answers and before the script runs.
      for (const answer of await Promise.all(ahead)) expect(answer.status()).toBe(200);
      await other.evaluate(`localStorage.removeItem('classledger.admin-signed-in')`);
      await context.request.post(`${origin}/api/auth/logout`);
      signedOut++;
      await route.continue();
    };
    await page.route(/\/assets\/admin-[^/]*\.js$/, signOut, { times: 1 });
    await page.goto(`${origin}/admin/`);
    const asked = page.waitForResponse('**/api/schools');
    await signInAt(page, 'class');
    expect((await asked).status()).toBe(200);
    expect(signedOut).toBe(1);
  });
});
