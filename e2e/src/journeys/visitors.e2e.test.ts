import type { Application } from '@classledger/contract';
import { expect } from 'vitest';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as recordsTexts } from '../../../web/src/admin/reports/records/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/language.ts';
import { texts } from '../../../web/src/public/texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/home/texts.ts';
import { texts as ownRecordsTexts } from '../../../web/src/student/records/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { translatorFor } from '../harness/translator.ts';

const chosen = 'three blue cats sing';
const issued = 'given by the office';

describeJourneys("visitors' pages", ['nobody'], (journey) => {
  journey('a visitor sees announcements but no drafts, and keeps the chosen language', async (visit) => {
    const { page, say, go, admin, language } = visit;
    const t = say(texts);
    const content = '<p>On <strong>Friday</strong>.</p>';
    await admin.created('/announcements', { title: 'Sports day', content });
    await admin.created('/announcements', { title: 'Draft', content, active: false });
    await go('/');
    await page.getByRole('heading', { level: 1, name: t('headline') }).waitFor();
    await page.getByRole('article').filter({ hasText: 'Sports day' }).getByText('Friday').waitFor();
    await expect.poll(() => page.getByText('Draft').count()).toBe(0);
    await expect
      .poll(() => page.getByRole('link', { name: t('apiDocs') }).getAttribute('href'))
      .toBe(`/docs?lang=${language}`);

    const other = languages.find((one) => one !== language) ?? language;
    await page.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: translatorFor(other)(texts)('headline') }).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(other);
    await page.getByText(other === 'en' ? '中文' : 'English', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: t('headline') }).waitFor();
  });

  journey('an application of a school reports empty fields and is sent', async ({ page, say, admin }) => {
    const t = say(texts);
    const application = {
      schoolName: '湖滨小学',
      applicantName: 'Mei Zhao',
      contactPhone: '+86 10 5550 0142',
      reason: 'Grades 1 to 3 would like to use points.',
    };
    await page.getByRole('tab', { name: t('tabApply') }).click();
    await page.getByRole('button', { name: t('apply') }).click();
    await page.getByText(say(commonTexts)('required')).nth(3).waitFor();
    await page.getByLabel(t('schoolName')).fill(application.schoolName);
    await page.getByLabel(t('applicantName')).fill(application.applicantName);
    await page.getByLabel(t('contactPhone')).fill(application.contactPhone);
    await page.getByRole('tab', { name: t('tabAdmin') }).click();
    await page.getByRole('tab', { name: t('tabApply') }).click();
    await page.getByLabel(t('applyReason')).fill(application.reason);
    await page.getByRole('button', { name: t('apply') }).click();
    await page.getByText(t('appliedTitle')).waitFor();
    const { data } = await admin.get('/applications?status=pending');
    expect(data).toMatchObject([application]);
    await page.getByText(t('appliedText', { id: (data as Application[])[0]?.id ?? 0 })).waitFor();
  });

  journey('an administrator signs in for half an hour and replaces the initial password', async (visit) => {
    const { page, context, say, go, app, admin, school, forgive } = visit;
    const t = say(texts);
    const s = say(sessionTexts);
    const p = say(passwordTexts);
    const login = { username: `office-${school.id}`, password: issued };
    const expired = { username: `expired-${school.id}`, password: issued };
    for (const account of [login, expired])
      await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...account });
    await letExpire(visit, 'admin', expired.username);
    forgive(/40[01]/);
    await page.getByRole('tab', { name: t('tabAdmin') }).click();
    await signIn(visit, expired);
    await page.getByText(s('endedAdmin')).waitFor();
    const password = page.getByLabel(t('password'), { exact: true });
    await page.getByRole('button', { name: t('showPassword') }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    await signIn(visit, { ...login, password: 'wrong horse' });
    await page.getByText(s('wrongLogin')).waitFor();
    await page.getByLabel(s('sharedComputer')).check();
    await password.fill(issued);
    await password.press('Enter');

    await page.getByRole('dialog', { name: p('firstTitle') }).waitFor();
    await expect.poll(() => page.getByLabel(p('givenPasswordAdmin')).count()).toBe(0);
    const { fresh, repeated, save } = formOf(visit);
    await fresh.fill('password1');
    await page.getByText(`${p('strength0')} ${p('common')}`).waitFor();
    await repeated.fill('password1');
    await save.click();
    await page.getByText(p('passwordCommon')).waitFor();
    await fresh.fill(chosen);
    await page.getByText(p('strength3')).waitFor();
    await save.click();
    await page.getByText(p('notTheSame')).waitFor();
    await repeated.fill(chosen);
    await save.click();
    const dashboard = page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') });
    await dashboard.waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === 'classledger_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', expires: -1 });

    await go('/');
    await page.getByRole('link', { name: t('goOnAdmin') }).click();
    await dashboard.waitFor();
    app.clock.advance(31 * 60_000);
    await go('/admin/records');
    await page.getByText(s('ended')).waitFor();
    await expect.poll(() => page.getByLabel(s('sharedComputer')).isChecked()).toBe(true);
    await signIn(visit, { ...login, password: chosen });
    await page.getByRole('heading', { level: 1, name: say(recordsTexts)('title') }).waitFor();
  });

  journey('a student names the school to sign in, and replaces the initial password', async (visit) => {
    const { page, say, go, app, admin, school, forgive } = visit;
    const s = say(sessionTexts);
    const p = say(passwordTexts);
    const login = { username: `twin${school.id}`, password: issued };
    const expired = { username: `late${school.id}`, password: issued };
    const elsewhere = await newClass(await app.signIn());
    await createStudent(visit, login);
    await createStudent(visit, expired);
    await admin.created('/users', { ...elsewhere, ...login, actualName: 'Twin' });
    await letExpire(visit, 'student', expired.username);
    forgive(/40[19]/);
    await go('/');
    // The page opens the last used tab, which is the administrators'.
    await page.getByRole('tab', { name: say(texts)('tabStudent') }).click();
    await page.getByLabel(s('sharedComputer')).uncheck();
    await signIn(visit, expired);
    await page.getByText(s('endedStudent')).waitFor();
    await signIn(visit, login);
    await page.getByText(s('severalSchools')).waitFor();
    const number = page.getByRole('textbox', { name: s('schoolCode') });
    await number.and(page.locator(':focus')).waitFor();
    await number.fill('Hillside');
    await page.getByRole('button', { name: s('signIn') }).click();
    await page.getByText(s('wrongWithSchool')).waitFor();
    await number.fill(String(school.id));
    await page.getByRole('button', { name: s('signIn') }).click();

    await page.getByRole('dialog', { name: p('firstTitle') }).waitFor();
    await expect.poll(() => page.getByLabel(p('givenPasswordStudent')).count()).toBe(0);
    const { fresh, repeated, save } = formOf(visit);
    await fresh.fill(chosen);
    await repeated.fill(chosen);
    await save.click();
    await page.waitForURL(/\/student$/);
    const hello = say(homeTexts)('hello', { name: login.username });
    await page.getByRole('heading', { level: 1, name: hello }).waitFor();
    expect(await page.evaluate("localStorage.getItem('classledger.student-token')")).not.toBeNull();
  });

  journey('on a shared computer, students who reload type the slip’s password again', async (visit) => {
    const { page, context, origin, say, go, school, forgive } = visit;
    const p = say(passwordTexts);
    const s = say(sessionTexts);
    const login = { username: `slip${school.id}`, password: issued };
    await createStudent(visit, login);
    await page.evaluate("localStorage.removeItem('classledger.student-token')");
    const title = page.getByRole('heading', { level: 1, name: p('firstTitle') });
    const signInTitle = { level: 1, name: s('studentTitle') };
    await go('/student/records');
    await page.getByLabel(s('sharedComputer')).check();
    await signIn(visit, login);
    await title.waitFor();
    await page.getByText(`${login.username} (${login.username})`).waitFor();
    await page.getByRole('button', { name: p('notYouStudent') }).click();
    await page.getByRole('heading', signInTitle).waitFor();

    await go('/student/records');
    await signIn(visit, login);
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    const { fresh, repeated, save } = formOf(visit);
    const given = page.getByLabel(p('givenPasswordStudent'), { exact: true });
    await given.fill('not on the slip');
    await fresh.fill(chosen);
    await repeated.fill(chosen);
    forgive(/400/);
    await save.click();
    await page.getByText(p('wrongOld')).waitFor();
    await given.and(page.locator(':focus')).fill(issued);
    await save.click();
    await page.getByRole('heading', { level: 1, name: say(ownRecordsTexts)('title') }).waitFor();
    const other = await context.newPage();
    await other.goto(`${origin}/student`);
    await other.getByRole('heading', signInTitle).waitFor();
    await other.close();
  });
});

interface Login {
  readonly username: string;
  readonly password: string;
}

async function signIn({ page, say }: Visit, { username, password }: Login): Promise<void> {
  const t = say(sessionTexts);
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

async function createStudent({ admin, school }: Visit, login: Login): Promise<void> {
  const classId = school.grades[0].classes[0].id;
  await admin.created('/users', { schoolDb: school.schoolDb, classId, actualName: login.username, ...login });
}

async function letExpire({ app }: Visit, table: 'admin' | 'student', username: string): Promise<void> {
  const past = { password_expires_at: new Date(0) };
  await app.database.db.updateTable(table).where('username', '=', username).set(past).execute();
}

/** Creates a class in a school of its own. */
async function newClass(admin: Visit['admin']) {
  const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Hillside School' });
  const { id: gradeId } = await admin.created<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const body = { schoolDb, gradeId, name: 'Class A' };
  const { id: classId } = await admin.created<{ id: number }>('/classes', body);
  return { schoolDb, classId };
}
