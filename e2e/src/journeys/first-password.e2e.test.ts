import { expect } from 'vitest';
import { texts as ledgerTexts } from '../../../web/src/admin/reports/records/texts.ts';
import { texts as publicTexts } from '../../../web/src/public/texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts } from '../../../web/src/session/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/home/texts.ts';
import { texts as recordTexts } from '../../../web/src/student/records/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

const chosen = 'three blue cats sing';

describeJourneys('a first password', ['nobody'], (journey) => {
  journey("replaces an administrator's initial password, then opens the requested page", async (visit) => {
    const { page, say, go, app, admin, school, forgive } = visit;
    const t = say(passwordTexts);
    const login = { username: `first-${school.id}`, password: 'given by the office' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...login });
    await go('/admin/records');
    await signIn(visit, login);
    await page.getByRole('heading', { level: 1, name: t('firstTitle') }).waitFor();
    await expect.poll(() => page.getByLabel(t('givenPasswordAdmin')).count()).toBe(0);
    const { fresh, repeated, save } = formOf(visit);

    await fresh.fill('password1');
    await page.getByText(`${t('strength0')} ${t('common')}`).waitFor();
    await repeated.fill('password1');
    forgive(/400/);
    await save.click();
    await page.getByText(t('passwordCommon')).waitFor();
    await fresh.fill(chosen);
    await page.getByText(t('strength3')).waitFor();
    await repeated.fill('three blue cats');
    await save.click();
    await page.getByText(t('notTheSame')).waitFor();
    await repeated.fill(chosen);
    await save.click();
    await page.getByRole('heading', { level: 1, name: say(ledgerTexts)('title') }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/records');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: say(ledgerTexts)('title') }).waitFor();
    await app.signIn(login.username, chosen);
  });

  journey("asks a student for the slip's password after a reload, and can change person", async (visit) => {
    const { page, say, go, app, school, forgive } = visit;
    const t = say(passwordTexts);
    const { username, password } = await newStudent(visit, 'late');
    const title = page.getByRole('heading', { level: 1, name: t('firstTitle') });
    await go('/student/records');
    await signIn(visit, { username, password });
    await page.getByText(t('firstTextStudent')).waitFor();
    await page.getByText(`${username} (${username})`).waitFor();
    await page.getByRole('button', { name: t('notYouStudent') }).click();
    await page.getByRole('heading', { level: 1, name: say(texts)('studentTitle') }).waitFor();

    await go('/student/records');
    await signIn(visit, { username, password });
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    const { fresh, repeated, save } = formOf(visit);
    const given = page.getByLabel(t('givenPasswordStudent'), { exact: true });
    await given.fill('not on the slip');
    await fresh.fill(chosen);
    await repeated.fill(chosen);
    forgive(/400/);
    await save.click();
    await page.getByText(t('wrongOld')).waitFor();
    await given.and(page.locator(':focus')).fill(password);
    await save.click();
    await page.getByRole('heading', { level: 1, name: say(recordTexts)('title') }).waitFor();
    await app.signInStudent(school.schoolDb, username, chosen);
    await page.evaluate("localStorage.removeItem('classledger.student-token')");
  });

  journey('rejects an expired initial password with a clear message', async (visit) => {
    const { page, context, say, go, app, admin, school, forgive } = visit;
    const t = say(texts);
    const past = { password_expires_at: new Date(0) };
    const student = await newStudent(visit, 'expired');
    const teacher = { username: `expired-${school.id}`, role: 'school_admin', schoolId: school.id };
    const made = await admin.created<{ initialPassword: string }>('/admin/manage', {
      ...teacher,
      generatePassword: true,
    });
    for (const [table, { username }] of [['student', student] as const, ['admin', teacher] as const]) {
      await app.database.db.updateTable(table).where('username', '=', username).set(past).execute();
    }
    forgive(/401/);
    await go('/student');
    await signIn(visit, student);
    await page.getByText(t('endedStudent')).waitFor();
    await context.clearCookies();
    await go('/admin');
    await signIn(visit, { username: teacher.username, password: made.initialPassword });
    await page.getByText(t('endedAdmin')).waitFor();
  });

  journey("replaces a student's initial password on the start page, right after sign-in", async (visit) => {
    const { page, say, go, app, school } = visit;
    const t = say(passwordTexts);
    const { username, password } = await newStudent(visit, 'start');
    await go('/');
    await page.getByRole('tab', { name: say(publicTexts)('tabStudent') }).click();
    await signIn(visit, { username, password });
    await page.getByRole('dialog', { name: t('firstTitle') }).waitFor();
    await expect.poll(() => page.getByLabel(t('givenPasswordStudent')).count()).toBe(0);
    const { fresh, repeated, save } = formOf(visit);
    await fresh.fill(chosen);
    await repeated.fill(chosen);
    await save.click();
    await page.waitForURL(/\/student$/);
    await page
      .getByRole('heading', { level: 1, name: say(homeTexts)('hello', { name: username }) })
      .waitFor();
    await app.signInStudent(school.schoolDb, username, chosen);
  });
});

interface Login {
  readonly username: string;
  readonly password: string;
}

async function signIn({ page, say }: Visit, { username, password }: Login): Promise<void> {
  const t = say(texts);
  await page.getByRole('textbox', { name: t('username') }).fill(username);
  await page.getByLabel(t('password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('signIn'), exact: true }).click();
}

function formOf({ page, say }: Visit) {
  const t = say(passwordTexts);
  return {
    fresh: page.getByLabel(t('newPassword'), { exact: true }),
    repeated: page.getByLabel(t('repeatPassword'), { exact: true }),
    save: page.getByRole('button', { name: t('saveAndGo') }),
  };
}

async function newStudent({ admin, school }: Visit, name: string): Promise<Login> {
  const classId = school.grades[0].classes[0].id;
  const username = `${name}-${school.id}`;
  const body = { schoolDb: school.schoolDb, classId, username, actualName: username, generatePassword: true };
  const { initialPassword } = await admin.created<{ initialPassword: string }>('/users', body);
  return { username, password: initialPassword };
}
