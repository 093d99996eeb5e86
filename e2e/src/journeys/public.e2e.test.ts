import type { Application } from '@classledger/contract';
import { expect } from 'vitest';
import { studentPassword } from '../../../server/test/test-app.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/languages.ts';
import { texts } from '../../../web/src/public/texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/home/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { takePasswordsAsOwn } from '../harness/own-passwords.ts';
import { speaker } from '../harness/speaker.ts';

describeJourneys('the start page', ['nobody'], (journey) => {
  journey('shows announcements but no drafts, and switches the language permanently', async (visit) => {
    const { page, say, go, admin, school, language } = visit;
    const t = say(texts);
    const title = `Sports day of ${school.name}`;
    const content = '<p>On <strong>Friday</strong>.</p><script>alert(1)</script>';
    await admin.created('/announcements', { title, content });
    await admin.created('/announcements', { title: `Draft of ${school.name}`, content, active: false });
    await go('/');

    await page.getByRole('heading', { level: 1, name: t('headline') }).waitFor();
    await page.getByRole('article').filter({ hasText: title }).getByText('Friday').waitFor();
    await expect.poll(() => page.getByText('Draft').count()).toBe(0);
    expect(await page.title()).toContain(t('title'));
    await expect
      .poll(() => page.getByRole('link', { name: t('apiDocs') }).getAttribute('href'))
      .toBe(`/docs?lang=${language}`);

    const other = languages.find((one) => one !== language) ?? language;
    await page.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    const headline = speaker(other)(texts)('headline');
    await page.getByRole('heading', { level: 1, name: headline }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: headline }).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(other);
    await page.getByText(other === 'en' ? '中文' : 'English', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: t('headline') }).waitFor();
  });

  journey('validates and submits the application of a school', async ({ page, say, admin, school }) => {
    const t = say(texts);
    const application = {
      schoolName: `湖滨小学 ${school.id}`,
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
    const arrived = (data as Application[]).find(({ schoolName }) => schoolName === application.schoolName);
    expect(arrived).toMatchObject(application);
    await page.getByText(t('appliedText', { id: arrived?.id ?? 0 })).waitFor();
    await page.getByRole('button', { name: t('applyAnother') }).click();
    await expect.poll(() => page.getByLabel(t('schoolName')).inputValue()).toBe('');
  });

  journey("signs an administrator in, and hides the session's cookie from scripts", async (visit) => {
    const { page, context, say, go, app, admin, school, forgive } = visit;
    const t = say(texts);
    const login = { username: `office-${school.id}`, password: 'correct horse' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...login });
    await takePasswordsAsOwn(app);
    await page.getByRole('tab', { name: t('tabAdmin') }).click();
    const username = page.getByRole('textbox', { name: t('username') });
    const password = page.getByLabel(t('password'), { exact: true });
    await username.fill(login.username);
    await password.fill('wrong horse');
    await page.getByRole('button', { name: t('showPassword') }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    forgive(/401/);
    await password.press('Enter');
    await page.getByText(say(sessionTexts)('wrongLogin')).waitFor();
    await expect.poll(() => username.inputValue()).toBe(login.username);

    await password.fill(login.password);
    await page.getByRole('button', { name: t('signIn') }).click();
    const dashboard = page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') });
    await dashboard.waitFor();
    await go('/');
    await page.getByRole('link', { name: t('goOnAdmin') }).click();
    await dashboard.waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === 'classledger_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });

  journey('signs a student in, and asks for the school if the username is ambiguous', async (visit) => {
    const { page, say, go, app, admin, school, forgive } = visit;
    const s = say(sessionTexts);
    const username = `twin${school.id}`;
    const classes = [
      { schoolDb: school.schoolDb, classId: school.grades[0].classes[0].id },
      await newClass(admin, `Hillside School ${school.id}`),
    ];
    const pupil = { username, password: studentPassword };
    for (const { schoolDb, classId } of classes) {
      await admin.created('/users', { schoolDb, classId, ...pupil, actualName: `Twin in ${schoolDb}` });
    }
    await takePasswordsAsOwn(app);
    await go('/');
    // The page opens the last used tab, which is the administrators'.
    await page.getByRole('tab', { name: say(texts)('tabStudent') }).click();
    await page.getByRole('textbox', { name: s('username') }).fill(username);
    await page.getByLabel(s('password'), { exact: true }).fill(studentPassword);
    forgive(/409/);
    await page.getByRole('button', { name: s('signIn') }).click();
    await page.getByText(s('severalSchools')).waitFor();
    const number = page.getByRole('textbox', { name: s('schoolCode') });
    await number.and(page.locator(':focus')).waitFor();
    forgive(/401/);
    await number.fill('Hillside');
    await page.getByRole('button', { name: s('signIn') }).click();
    await page.getByText(s('wrongWithSchool')).waitFor();
    await page.getByLabel(s('password'), { exact: true }).pressSequentially('typed');
    expect(await number.inputValue()).toBe('Hillside');
    await page.getByLabel(s('password'), { exact: true }).fill(studentPassword);
    await number.fill(String(school.id));
    await page.getByRole('button', { name: s('signIn') }).click();
    const hello = say(homeTexts)('hello', { name: `Twin in ${school.schoolDb}` });
    await page.getByRole('heading', { level: 1, name: hello }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/student');
  });
});

async function newClass(admin: Visit['admin'], name: string) {
  const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name });
  const { id: gradeId } = await admin.created<{ id: number }>('/grades', { schoolDb, name: 'Grade 1' });
  const body = { schoolDb, gradeId, name: 'Class A' };
  const { id: classId } = await admin.created<{ id: number }>('/classes', body);
  return { schoolDb, classId };
}
