import { type Role, roleTable } from '@classledger/contract';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { studentPassword } from '../../../server/test/test-app.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as templateTexts } from '../../../web/src/admin/school/templates/texts.ts';
import { navigation } from '../../../web/src/admin/shell/navigation.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/languages.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { sessionTexts } from '../../../web/src/session/session-texts.ts';
import { texts } from '../../../web/src/session/texts.ts';
import { texts as studentTexts } from '../../../web/src/student/account/texts.ts';
import { administrators, describeJourneys, type Visit } from '../harness/journeys.ts';
import { takePasswordsAsOwn } from '../harness/own-passwords.ts';
import { speaker } from '../harness/speaker.ts';

const minuteMs = 60_000;
/** Longer than any session or student's token. */
const monthMs = 31 * 24 * 60 * minuteMs;

interface HalfFilled {
  readonly typed: readonly (readonly [field: Locator, value: string])[];
  readonly submit: Locator;
  /** Method and path. */
  readonly write: string;
  expectOnce(): Promise<void>;
}

const halfway = 'ends during a form, and the form is sent once after signing in again';

describeJourneys("a student's session", ['student'], (journey) => {
  journey("shows the student's sessions and a failed sign-in, and ends another session", async (visit) => {
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

  journey(halfway, endsHalfway);
});

describeJourneys("an administrator's session", administrators, (journey) => {
  journey('ends one session of another browser, and then all others', async (visit) => {
    const { page, say, go, app, username, password } = visit;
    const t = say(accountTexts);
    const elsewhere = [1, 2, 3].map(() => app.signIn(username, password));
    const ended = async () => {
      const states = elsewhere.map(async (session) => (await (await session).get('/auth/me')).status);
      return (await Promise.all(states)).filter((status) => status === 401).length;
    };
    expect(await ended()).toBe(0);
    await go('/admin/account');
    const sessions = page.getByRole('region', { name: t('sessionsTitle') });
    await sessions.getByText(/^Chrome · /).waitFor();
    await expect.poll(() => sessions.getByText(say(sessionTexts)('thisDevice')).count()).toBe(1);
    await sessions
      .getByRole('button', { name: endOf(visit) })
      .first()
      .click();
    await page.getByText(t('ended')).waitFor();
    expect(await ended()).toBe(1);
    await sessions.getByRole('button', { name: say(sessionTexts)('endOthers') }).click();
    await page.getByText(t('endedOthers', { count: 2 })).waitFor();
    await sessions.getByText(say(sessionTexts)('onlyHere')).waitFor();
    expect(await ended()).toBe(3);
  });

  journey('asks for the password again in an old session, and keeps the typed fields', async (visit) => {
    const { page, say, goOn, app, admin, school, choose, password, forgive } = visit;
    const t = say(administratorTexts);
    const c = say(confirmTexts);
    const name = `sun-${school.id}`;
    const isThere = async () =>
      ((await admin.get(`/admin/list?schoolDb=${school.schoolDb}&search=${name}`)).data as object[]).length;
    await goOn('/admin/administrators');
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

  journey(halfway, endsHalfway);

  journey('opens the pages of the role, switches language, and hides data after sign-out', async (visit) => {
    const { page, say, app, traveller, screen, language, username, school } = visit;
    const t = say(shellTexts);
    await (await app.signIn()).created('/schools', { name: `Not of ${username}, ${school.id}` });
    await page.getByRole('heading', { level: 1, name: say(templateTexts)('title') }).waitFor();
    // The phone's menu is a drawer that closes after each choice.
    const openMenu = async () => {
      if (screen === 'phone') await page.getByRole('button', { name: t('openMenu') }).click();
    };
    const menu = page.locator(screen === 'phone' ? '[role="dialog"]' : 'body');
    await openMenu();

    const main = menu.getByRole('navigation', { name: t('navigation') }).first();
    await main.getByRole('link').first().waitFor();
    const mine = navigation.filter(({ duty }) => roleTable[duty][`${traveller}_admin` as Role] !== null);
    await expect
      .poll(() => main.getByRole('link').allTextContents())
      .toEqual(mine.map(({ text }) => t(text)));
    const picker = menu.getByRole('combobox', { name: t('pickSchool') });
    if (traveller === 'super') await expect.poll(() => picker.inputValue()).toBe(school.name);
    else {
      await expect.poll(() => menu.getByText(school.name).count()).toBe(1);
      await expect.poll(() => picker.count()).toBe(0);
    }

    await main.getByRole('link', { name: t('dashboard') }).click();
    await page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') }).waitFor();
    await openMenu();
    const user = menu.getByRole('button', { name: username });
    await user.click();
    const other = languages.find((one) => one !== language) ?? language;
    const [o, os] = [speaker(other)(shellTexts), speaker(other)(sharedTexts)];
    await page.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    await page.getByRole('link', { name: o('account') }).waitFor();
    await page.getByTitle(os('schemeDark'), { exact: true }).click();
    await expect.poll(() => page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');

    await page.getByRole('button', { name: speaker(other)(commonTexts)('signOut') }).click();
    await page.waitForURL(new URL('/', page.url()).href);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: speaker(other)(texts)('adminTitle') }).waitFor();
    await expect.poll(() => page.getByText(username, { exact: true }).count()).toBe(0);
  });
});

describeJourneys('a shared computer', ['nobody'], (journey) => {
  journey('signs an administrator out after half an hour without use', async (visit) => {
    const { page, say, go, app, admin, school, context, forgive } = visit;
    const login = { username: `shared-${school.id}`, password: 'three blue cats' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...login });
    await takePasswordsAsOwn(app);
    await go('/admin');
    await signInShared(visit, login);
    const dashboard = page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') });
    await dashboard.waitFor();
    // A session cookie.
    const cookie = (await context.cookies()).find(({ name }) => name === 'classledger_session');
    expect(cookie?.expires).toBe(-1);
    app.clock.advance(31 * minuteMs);
    forgive(/401/);
    await go('/admin');
    await page.getByText(say(texts)('ended')).waitFor();
    await expect.poll(() => page.getByLabel(say(texts)('sharedComputer')).isChecked()).toBe(true);
  });

  journey('keeps a student signed in through a reload, but not in another window', async (visit) => {
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

async function endsHalfway(visit: Visit): Promise<void> {
  const { page, say, app, origin, username, password, forgive } = visit;
  const t = say(texts);
  const form = await (visit.traveller === 'student' ? ownPassword(visit) : newTemplate(visit));
  for (const [field, value] of form.typed) await field.fill(value);
  const answers: number[] = [];
  page.on('response', (answer) => {
    const path = answer.url().replace(`${origin}/api`, '');
    if (`${answer.request().method()} ${path}` === form.write) answers.push(answer.status());
  });
  // A pending request would ask to sign in first.
  const loading = page.getByRole('status', { name: say(commonTexts)('loading'), exact: true });
  await expect.poll(() => loading.count()).toBe(0);
  app.clock.advance(monthMs);
  forgive(/401/);
  await form.submit.click();

  const dialog = page.getByRole('dialog', { name: t('againTitle') });
  const own = dialog.getByLabel(t('password'), { exact: true });
  await own.and(page.locator(':focus')).waitFor();
  // Escape and a wrong password must keep the pending call.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.getByRole('textbox', { name: t('username') }).inputValue()).toBe(username);
  await page.keyboard.insertText('not this one');
  await page.keyboard.press('Enter');
  await dialog.getByText(t('wrongAgain')).waitFor();
  for (const [field, value] of form.typed) await expect.poll(() => field.inputValue()).toBe(value);
  expect(answers).toEqual([401]);

  await own.fill(password);
  await dialog.getByRole('button', { name: t('signIn'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await form.expectOnce();
  expect(answers).toEqual([401, 200]);
}

async function newTemplate({ page, say, goOn, choose, traveller, school, app }: Visit): Promise<HalfFilled> {
  const t = say(templateTexts);
  await goOn('/admin/templates');
  await page.getByRole('button', { name: t('addTemplate') }).click();
  const dialog = page.getByRole('dialog', { name: t('addTitle') });
  if (traveller === 'grade') await choose(dialog, t('where'), 'Class B');
  return {
    typed: [
      [dialog.getByLabel(t('name')), 'Courtesy'],
      [dialog.getByLabel(t('points')), '7'],
    ],
    submit: dialog.getByRole('button', { name: say(commonTexts)('add'), exact: true }),
    write: 'POST /scores/templates',
    expectOnce: async () => {
      await page.getByText(t('added', { name: 'Courtesy' })).waitFor();
      const { data } = await (await app.signIn()).get(`/scores/templates?schoolDb=${school.schoolDb}`);
      expect(data).toMatchObject([{ name: 'Courtesy', scoreChange: 7 }]);
    },
  };
}

async function ownPassword({ page, say, app, school, username, password }: Visit): Promise<HalfFilled> {
  const t = say(passwordTexts);
  return {
    typed: [
      [page.getByLabel(t('oldPassword')), password],
      [page.getByLabel(t('newPassword')), 'battery staple'],
    ],
    submit: page.getByRole('button', { name: t('changePassword') }),
    write: 'PATCH /auth/student/me',
    expectOnce: async () => {
      await page.getByText(t('changed')).waitFor();
      await app.signInStudent(school.schoolDb, username, 'battery staple');
    },
  };
}

/** Names the device of sessions that tests open through the API. */
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
