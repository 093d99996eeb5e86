import { expect } from 'vitest';
import { studentPassword } from '../../../server/test/test-app.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { sessionTexts } from '../../../web/src/session/session-texts.ts';
import { texts } from '../../../web/src/session/texts.ts';
import { texts as studentTexts } from '../../../web/src/student/account/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { takePasswordsAsOwn } from '../harness/own-passwords.ts';

const minuteMs = 60_000;

describeJourneys("an administrator's own account", ['school'], (journey) => {
  journey('shows where one is signed in, and ends the session of another browser', async (visit) => {
    const { page, say, go, app, username, password } = visit;
    const t = say(accountTexts);
    const elsewhere = await app.signIn(username, password);
    await go('/admin/account');
    const sessions = page.getByRole('region', { name: t('sessionsTitle') });
    await sessions.getByText(/^Chrome · /).waitFor();
    await expect.poll(() => sessions.getByText(say(sessionTexts)('thisDevice')).count()).toBe(1);
    await sessions.getByRole('button', { name: endOf(visit) }).click();
    await page.getByText(t('ended')).waitFor();
    await sessions.getByText(say(sessionTexts)('onlyHere')).waitFor();
    expect((await elsewhere.get('/auth/me')).status).toBe(401);

    await app.signIn(username, password);
    await app.signIn(username, password);
    await page.reload();
    await sessions.getByRole('button', { name: say(sessionTexts)('endOthers') }).click();
    await page.getByText(t('endedOthers', { count: 2 })).waitFor();
    await sessions.getByText(say(sessionTexts)('onlyHere')).waitFor();
  });

  journey('asks who it is in the middle of a form, and nothing that is typed is lost', async (visit) => {
    const { page, say, go, app, admin, school, choose, password, forgive } = visit;
    const t = say(administratorTexts);
    const c = say(confirmTexts);
    const name = `sun-${school.id}`;
    const isThere = async () =>
      ((await admin.get(`/admin/list?schoolDb=${school.schoolDb}&search=${name}`)).data as object[]).length;
    await go('/admin/administrators');
    await page.getByRole('button', { name: t('add') }).click();
    const form = page.getByRole('dialog', { name: t('addTitle') });
    const username = form.getByRole('textbox', { name: t('username') });
    await username.fill(name);
    await choose(form, t('class'), 'Class B');
    const add = form.getByRole('button', { name: t('add') });
    app.clock.advance(11 * minuteMs);
    forgive(/403/);
    await add.click();

    const question = page.getByRole('dialog', { name: c('confirmTitle') });
    const own = question.getByLabel(t('password'), { exact: true });
    await own.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await form.getByText(say(sharedTexts)('unconfirmed')).waitFor();
    await expect.poll(() => username.inputValue()).toBe(name);
    expect(await isThere()).toBe(0);

    await add.click();
    await own.fill('not this one');
    await page.keyboard.press('Enter');
    await question.getByText(c('wrongPassword')).waitFor();
    await expect.poll(() => username.inputValue()).toBe(name);
    await own.fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: t('addedTitle', { name }) }).waitFor();
    expect(await isThere()).toBe(1);
  });
});

describeJourneys("a student's own account", ['student'], (journey) => {
  journey('shows where one is signed in and what happened, and ends another session', async (visit) => {
    const { page, say, go, app, school, username, password } = visit;
    const t = say(studentTexts);
    await expect(app.signInStudent(school.schoolDb, username, 'not this one')).rejects.toThrow();
    const elsewhere = await app.signInStudent(school.schoolDb, username, password);
    await go('/student/account');
    const sessions = page.getByRole('region', { name: t('sessions') });
    await expect.poll(() => sessions.getByText(say(sessionTexts)('thisDevice')).count()).toBe(1);
    await page
      .getByRole('region', { name: t('events') })
      .getByText(t('signInFailed'))
      .waitFor();
    await sessions
      .getByRole('button', { name: endOf(visit) })
      .first()
      .click();
    await sessions.getByText(say(sessionTexts)('onlyHere')).waitFor();
    expect((await elsewhere.get('/auth/student/me')).status).toBe(401);
  });
});

describeJourneys('a shared computer', ['nobody'], (journey) => {
  journey('keeps an administrator for half an hour without use', async (visit) => {
    const { page, say, go, app, admin, school, context, forgive } = visit;
    const login = { username: `shared-${school.id}`, password: 'three blue cats' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...login });
    await takePasswordsAsOwn(app);
    await go('/admin');
    await signInShared(visit, login);
    const dashboard = page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') });
    await dashboard.waitFor();
    // The cookie goes with the window.
    const cookie = (await context.cookies()).find(({ name }) => name === 'classledger_session');
    expect(cookie?.expires).toBe(-1);
    app.clock.advance(31 * minuteMs);
    forgive(/401/);
    await go('/admin');
    await page.getByText(say(texts)('ended')).waitFor();
    await expect.poll(() => page.getByLabel(say(texts)('sharedComputer')).isChecked()).toBe(true);
  });

  journey('keeps a student as long as the window is open', async (visit) => {
    const { page, say, go, context, origin, app, admin, school } = visit;
    const username = `shared-${school.id}`;
    const classId = school.grades[0].classes[0].id;
    const login = { username, password: studentPassword };
    await admin.created('/users', { schoolDb: school.schoolDb, classId, actualName: 'Chen Jing', ...login });
    await takePasswordsAsOwn(app);
    const title = page.getByRole('heading', { level: 1, name: say(studentTexts)('title') });
    await go('/student/account');
    await signInShared(visit, login);
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    const other = await context.newPage();
    await other.goto(`${origin}/student`);
    await other.getByRole('heading', { level: 1, name: say(texts)('studentTitle') }).waitFor();
    await other.close();
  });
});

/** The button that ends a session of the API, as tests open them. */
const endOf = ({ say }: Visit) => say(sessionTexts)('endOf', { device: 'lightMyRequest' });

async function signInShared(
  { page, say }: Visit,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<void> {
  const t = say(texts);
  await page.getByRole('textbox', { name: t('username') }).fill(username);
  await page.getByLabel(t('password'), { exact: true }).fill(password);
  await page.getByLabel(t('sharedComputer')).check();
  await page.getByRole('button', { name: t('signIn'), exact: true }).click();
}
