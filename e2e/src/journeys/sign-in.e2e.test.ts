import type { Application } from '@classledger/contract';
import { expect } from 'vitest';
import { codeOfStep, fromBase32 } from '../../../server/src/features/second-factor/code-app.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { texts as credentialTexts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as factorTexts } from '../../../web/src/admin/access/factors/texts.ts';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as recordsTexts } from '../../../web/src/admin/reports/records/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/language.ts';
import { texts as visitorTexts } from '../../../web/src/public/texts.ts';
import { confirmTexts, factorTexts as signInFactorTexts } from '../../../web/src/session/factor-texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/home/texts.ts';
import { texts as ownRecordsTexts } from '../../../web/src/student/records/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { translatorFor } from '../harness/translator.ts';

const chosen = 'three blue cats sing';
const issued = 'given by the office';

describeJourneys("visitors' pages", ['nobody'], { screen: 'phone', language: 'en' }, (journey) => {
  journey('a visitor sees announcements but no drafts, and keeps the chosen language', async (visit) => {
    const { page, say, go, admin, language } = visit;
    const t = say(visitorTexts);
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
    await page
      .getByRole('heading', { level: 1, name: translatorFor(other)(visitorTexts)('headline') })
      .waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe(other);
    await page.getByText(other === 'en' ? '中文' : 'English', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: t('headline') }).waitFor();
  });

  journey('an application of a school reports empty fields and is sent', async ({ page, say, admin }) => {
    const t = say(visitorTexts);
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
    const t = say(visitorTexts);
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
    await page.getByRole('tab', { name: say(visitorTexts)('student') }).click();
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

const isIn = ({ page, say }: Visit) =>
  page.getByRole('heading', { level: 1, name: say(accountTexts)('title') }).waitFor();

async function takeRecoveryCodes({ page, say }: Visit): Promise<string[]> {
  const f = say(factorTexts);
  const shown = page.getByRole('dialog', { name: f('codesTitle') });
  await shown.waitFor();
  const codes = await shown.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await shown.getByRole('button', { name: f('savedThem') }).click();
  await shown.waitFor({ state: 'hidden' });
  return codes;
}

describeJourneys('a code app', ['class'], { screen: 'phone', language: 'zh-CN' }, (journey) => {
  journey('a teacher sets up a code app, signs in with codes, and removes the app', async (visit) => {
    const { page, context, say, go, app, admin, username, password, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    const t = say(sessionTexts);
    const signIn = page.getByRole('button', { name: t('signIn'), exact: true });
    const signInWithForm = async () => {
      await context.clearCookies();
      await page.evaluate("localStorage.removeItem('classledger.admin-signed-in')");
      await go('/admin/account');
      await page.getByLabel(t('username')).fill(username);
      // The scripts of the requested page load while the password is typed.
      const fetched = 'performance.getEntriesByType("resource").map(({ name }) => name).join()';
      await expect.poll(() => page.evaluate(fetched)).toMatch(/\/SignedInApp-.*\/signed-in-/);
      await page.getByLabel(t('password'), { exact: true }).fill(password);
      await signIn.click();
    };
    await admin.patch('/second-factor-roles', { roles: ['class_admin'] });
    forgive(/40[013]/);
    await go('/admin');
    await page.getByRole('heading', { level: 1, name: f('firstTitle') }).waitFor();
    await page.getByRole('button', { name: `${f('setUp')}: ${f('app')}` }).click();
    const dialog = page.getByRole('dialog', { name: f('appTitle') });
    await dialog.getByRole('img', { name: f('qrLabel') }).waitFor();
    const secret = (await dialog.getByRole('status').textContent()) ?? '';
    const codeNow = () =>
      codeOfStep(fromBase32(secret.replaceAll(' ', '')), Math.floor(app.clock.now().getTime() / 30_000));
    const code = dialog.getByLabel(f('code'), { exact: true });
    await code.fill('000000');
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    await dialog.getByText(f('wrongCode')).waitFor();
    await code.fill(codeNow());
    await dialog.getByRole('button', { name: f('confirmCode') }).click();
    const [recoveryCode = ''] = await takeRecoveryCodes(visit);
    await page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') }).waitFor();

    // A code works once, so the setup's code fails.
    await signInWithForm();
    await page.getByText(s('codeText')).waitFor();
    await page.getByLabel(s('code')).fill(codeNow());
    await page.getByText(s('wrongCode')).waitFor();
    app.clock.advance(60_000);
    await page.getByLabel(s('code')).fill(codeNow());
    await isIn(visit);

    await signInWithForm();
    await page.getByRole('button', { name: s('useRecovery') }).click();
    await page.getByLabel(s('recoveryCode')).fill(recoveryCode);
    await signIn.click();
    await isIn(visit);
    const card = page.getByRole('region', { name: f('title') });
    await card.getByText(f('codesLeft', { count: 9 })).waitFor();

    await admin.patch('/second-factor-roles', { roles: [] });
    await card.getByRole('button', { name: `${f('remove')}: ${f('app')}` }).click();
    const question = page.getByRole('dialog', { name: f('removeAppTitle') });
    await question.getByRole('button', { name: f('remove') }).click();
    await card.getByText(f('appNone')).waitFor();
  });
});

describeJourneys('a passkey', ['school'], { screen: 'phone', language: 'zh-CN' }, (journey) => {
  journey('a passkey signs staff in and confirms actions in place of the password', async (visit) => {
    const { page, context, say, go, goOn, button, act, app, forgive } = visit;
    const f = say(factorTexts);
    const s = say(signInFactorTexts);
    const t = say(credentialTexts);
    await plugIn(visit);
    await go('/admin/account');
    const card = page.getByRole('region', { name: f('title') });
    await card.getByRole('button', { name: f('addPasskey') }).click();
    const naming = page.getByRole('dialog', { name: f('addPasskey') });
    await naming.getByLabel(f('name')).fill('Laptop');
    await naming.getByRole('button', { name: f('save') }).click();
    await takeRecoveryCodes(visit);
    await card.getByText('Laptop').waitFor();

    await context.clearCookies();
    await go('/admin/account');
    forgive(/40[13]/);
    await page.getByRole('button', { name: s('withPasskey') }).click();
    await isIn(visit);

    const dialog = page.getByRole('dialog');
    await goOn('/admin/api-tokens');
    await button(t('issue')).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Library');
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    await dialog.getByRole('button', { name: s('confirmWithPasskey') }).click();
    await dialog.getByText(say(sharedTexts)('identityConfirmed')).waitFor();
    await dialog.getByRole('button', { name: t('issueButton') }).click();
    await dialog.getByRole('button', { name: t('copiedDone') }).click();

    await goOn('/admin/account');
    app.clock.advance(11 * 60_000);
    await act('Laptop', f('delete'));
    const question = page.getByRole('dialog', { name: f('removePasskeyTitle', { name: 'Laptop' }) });
    await question.getByRole('button', { name: f('delete') }).click();
    const who = page.getByRole('dialog', { name: say(confirmTexts)('confirmTitle') });
    await who.getByRole('button', { name: s('confirmWithPasskey') }).click();
    await card.getByText('Laptop').waitFor({ state: 'hidden' });
  });
});

/** Adds a virtual authenticator to the browser, like a fingerprint reader. */
async function plugIn({ context, page }: Visit): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
