import type { Application } from '@classledger/contract';
import { expect } from 'vitest';
import { codeOfStep, fromBase32 } from '../../../server/src/features/second-factor/code-app.ts';
import { createSampleSchool } from '../../../server/test/test-app.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { applicationOf } from '../harness/served-school.ts';
import { translatorFor } from '../harness/translator.ts';

const chosen = 'three blue cats sing';
const issued = 'given by the office';

describeJourneys("visitors' pages", 'nobody', { screen: 'phone', language: 'en' }, (journey) => {
  journey('a visitor sees announcements but no drafts, and keeps the chosen language', async (visit) => {
    const { page, heading, say, go, admin } = visit;
    const content = '<p>On <strong>Friday</strong>.</p>';
    await admin.created('/announcements', { title: 'Sports day', content });
    await admin.created('/announcements', { title: 'Draft', content, active: false });
    await go('/');
    await heading(say.visitors('headline')).waitFor();
    await page.getByRole('article').filter({ hasText: 'Sports day' }).getByText('Friday').waitFor();
    await expect.poll(() => page.getByText('Draft').count()).toBe(0);
    await expect
      .poll(() => page.getByRole('link', { name: say.visitors('apiDocs') }).getAttribute('href'))
      .toBe('/docs?lang=en');

    await page.getByText('中文', { exact: true }).click();
    await page.reload();
    await heading(translatorFor('zh-CN').visitors('headline')).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('zh-CN');
    await page.getByText('English', { exact: true }).click();
    await heading(say.visitors('headline')).waitFor();
  });

  journey('an application of a school reports empty fields and is sent', async ({ page, say, admin }) => {
    const t = say.visitors;
    const application = applicationOf('湖滨小学');
    await page.getByRole('tab', { name: t('tabApply') }).click();
    await page.getByRole('button', { name: t('apply') }).click();
    await page.getByText(say.common('required')).nth(3).waitFor();
    await page.getByLabel(t('schoolName')).fill(application.schoolName);
    await page.getByLabel(t('applicantName')).fill(application.applicantName);
    await page.getByLabel(t('contactPhone')).fill(application.contactPhone);
    await page.getByRole('tab', { name: t('tabAdmin') }).click();
    await page.getByRole('tab', { name: t('tabApply') }).click();
    await page.getByLabel(t('applyReason')).fill(application.reason);
    await page.getByRole('button', { name: t('apply') }).click();
    await page.getByText(t('appliedTitle')).waitFor();
    const sent = await admin.read<Application[]>('/applications?status=pending');
    expect(sent).toMatchObject([application]);
    await page.getByText(t('appliedText', { id: sent[0]?.id ?? 0 })).waitFor();
  });

  journey('an administrator signs in for half an hour and replaces the initial password', async (visit) => {
    const { page, heading, choosePassword, signIn, context, say, go, app, admin, school, forgive } = visit;
    const { visitors: t, signIn: s, ownPassword: p } = say;
    const login = { username: `office-${school.id}`, password: issued };
    const expired = { username: `expired-${school.id}`, password: issued };
    for (const account of [login, expired])
      await admin.created('/admin/manage', { schoolId: school.id, role: 'school_admin', ...account });
    await letExpire(visit, 'admin', expired.username);
    forgive(/40[01]/);
    await page.getByRole('tab', { name: t('tabAdmin') }).click();
    await signIn(expired);
    await page.getByText(s('endedAdmin')).waitFor();
    const password = page.getByLabel(t('password'), { exact: true });
    await page.getByRole('button', { name: t('showPassword') }).click();
    await expect.poll(() => password.getAttribute('type')).toBe('text');
    await signIn({ ...login, password: 'wrong horse' });
    await page.getByText(s('wrongLogin')).waitFor();
    await page.getByLabel(s('sharedComputer')).check();
    await password.fill(issued);
    await password.press('Enter');

    await page.getByRole('dialog', { name: p('firstTitle') }).waitFor();
    await expect.poll(() => page.getByLabel(p('givenPasswordAdmin')).count()).toBe(0);
    await choosePassword('password1');
    await page.getByText(`${p('strength0')} ${p('common')}`).waitFor();
    await page.getByText(p('passwordCommon')).waitFor();
    await choosePassword(chosen);
    const dashboard = heading(say.dashboard('title'));
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
    await signIn({ ...login, password: chosen });
    await heading(say.records('title')).waitFor();
  });

  journey('a student names the school to sign in, and replaces the initial password', async (visit) => {
    const { page, heading, choosePassword, signIn, say, go, admin, school, forgive } = visit;
    const { signIn: s, ownPassword: p } = say;
    const login = { username: `twin${school.id}`, password: issued };
    const expired = { username: `late${school.id}`, password: issued };
    const elsewhere = await createSampleSchool(admin, 'Hillside School');
    for (const one of [login, expired]) await createStudent(visit, one);
    await createStudent({ admin, school: elsewhere }, login);
    await letExpire(visit, 'student', expired.username);
    forgive(/40[19]/);
    await go('/');
    // The page opens the last used tab, which is the administrators'.
    await page.getByRole('tab', { name: say.visitors('student') }).click();
    await page.getByLabel(s('sharedComputer')).uncheck();
    await signIn(expired);
    await page.getByText(s('endedStudent')).waitFor();
    await signIn(login);
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
    await choosePassword(chosen);
    await page.waitForURL(/\/student$/);
    const hello = say.ownHome('hello', { name: login.username });
    await heading(hello).waitFor();
    expect(await page.evaluate("localStorage.getItem('classledger.student-token')")).not.toBeNull();
  });

  journey('on a shared computer, students who reload type the slip’s password again', async (visit) => {
    const { page, choosePassword, signIn, heading, context, origin, say, go, school, forgive } = visit;
    const { ownPassword: p, signIn: s } = say;
    const login = { username: `slip${school.id}`, password: issued };
    await createStudent(visit, login);
    await page.evaluate("localStorage.removeItem('classledger.student-token')");
    const title = heading(p('firstTitle'));
    await go('/student/records');
    await page.getByLabel(s('sharedComputer')).check();
    await signIn(login);
    await title.waitFor();
    await page.getByText(`${login.username} (${login.username})`).waitFor();
    await page.getByRole('button', { name: p('notYouStudent') }).click();
    await heading(s('studentTitle')).waitFor();

    await go('/student/records');
    await signIn(login);
    await title.waitFor();
    await page.reload();
    await title.waitFor();
    const given = page.getByLabel(p('givenPasswordStudent'), { exact: true });
    await given.fill('not on the slip');
    forgive(/400/);
    await choosePassword(chosen);
    await page.getByText(p('wrongOld')).waitFor();
    await given.and(page.locator(':focus')).fill(issued);
    await page.getByRole('button', { name: p('saveAndGo') }).click();
    await heading(say.ownRecords('title')).waitFor();
    const other = await context.newPage();
    await other.goto(`${origin}/student`);
    await other.getByRole('heading', { level: 1, name: s('studentTitle') }).waitFor();
    await other.close();
  });
});

type Login = Parameters<Visit['signIn']>[0];

async function createStudent({ admin, school }: Pick<Visit, 'admin' | 'school'>, login: Login) {
  const classId = school.grades[0].classes[0].id;
  await admin.created('/users', { schoolDb: school.schoolDb, classId, actualName: login.username, ...login });
}

async function letExpire({ app }: Visit, table: 'admin' | 'student', username: string): Promise<void> {
  const past = { password_expires_at: new Date(0) };
  await app.database.db.updateTable(table).where('username', '=', username).set(past).execute();
}

const isIn = ({ heading, say }: Visit) => heading(say.account('title')).waitFor();

async function takeRecoveryCodes({ page, say }: Visit): Promise<string[]> {
  const shown = page.getByRole('dialog', { name: say.factors('codesTitle') });
  await shown.waitFor();
  const codes = await shown.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await shown.getByRole('button', { name: say.factors('savedThem') }).click();
  await shown.waitFor({ state: 'hidden' });
  return codes;
}

describeJourneys('a code app', 'class', { screen: 'phone', language: 'zh-CN' }, (journey) => {
  journey('a teacher sets up a code app, signs in with codes, and removes the app', async (visit) => {
    const { page, heading, signIn, context, say, go, app, admin, username, password, forgive } = visit;
    const { factors: f, signInFactors: s, signIn: t } = say;
    const signInWithForm = async () => {
      await context.clearCookies();
      await page.evaluate("localStorage.removeItem('classledger.admin-signed-in')");
      await go('/admin/account');
      await page.getByLabel(t('username')).fill(username);
      // The scripts of the requested page load while the password is typed.
      const fetched = 'performance.getEntriesByType("resource").map(({ name }) => name).join()';
      await expect.poll(() => page.evaluate(fetched)).toMatch(/\/SignedInApp-.*\/signed-in-/);
      await signIn({ username, password });
    };
    await admin.patch('/second-factor-roles', { roles: ['class_admin'] });
    forgive(/40[013]/);
    await go('/admin');
    await heading(f('firstTitle')).waitFor();
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
    await heading(say.dashboard('title')).waitFor();

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
    await page.getByRole('button', { name: t('signIn'), exact: true }).click();
    await isIn(visit);
    const card = visit.region(f('title'));
    await card.getByText(f('codesLeft', { count: 9 })).waitFor();

    await admin.patch('/second-factor-roles', { roles: [] });
    await card.getByRole('button', { name: `${f('remove')}: ${f('app')}` }).click();
    await visit.answerDialog(f('removeAppTitle'), f('remove'));
    await card.getByText(f('appNone')).waitFor();
  });
});

describeJourneys('a passkey', 'school', { screen: 'phone', language: 'zh-CN' }, (journey) => {
  journey('a passkey signs staff in and confirms actions in place of the password', async (visit) => {
    const { page, dialog, context, say, go, goOn, button, act, app, forgive } = visit;
    const { factors: f, signInFactors: s, credentials: t } = say;
    await plugIn(visit);
    await go('/admin/account');
    const card = visit.region(f('title'));
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

    await goOn('/admin/api-tokens');
    await button(t('issue')).click();
    await dialog.getByRole('textbox', { name: t('name') }).fill('Library');
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    await dialog.getByRole('button', { name: s('confirmWithPasskey') }).click();
    await dialog.getByText(say.components('identityConfirmed')).waitFor();
    await dialog.getByRole('button', { name: t('issueButton') }).click();
    await dialog.getByRole('button', { name: t('copiedDone') }).click();

    await goOn('/admin/account');
    app.clock.advance(11 * 60_000);
    await act('Laptop', f('delete'));
    await visit.answerDialog(f('removePasskeyTitle', { name: 'Laptop' }), f('delete'));
    await visit.answerDialog(say.confirm('confirmTitle'), s('confirmWithPasskey'));
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
