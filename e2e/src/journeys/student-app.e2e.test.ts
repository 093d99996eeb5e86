import { expect } from 'vitest';
import { type SampleStudent, superAdmin } from '../../../server/test/test-app.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('the app of the students', 'student', { screen: 'phone', language: 'en' }, (journey) => {
  journey('the app shows points, rank and news, and no private data of other students', async (visit) => {
    const { page, say, go, school } = visit;
    const secrets = await live(visit);
    const heard: Promise<string>[] = [];
    page.on('response', (answer) => {
      // The body is lost if the page changes meanwhile.
      if (answer.url().includes('/api/')) heard.push(answer.text().catch(() => ''));
    });
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();

    await go('/student');
    const home = say.ownHome;
    await page.getByText(home('place', { rank: 2 })).waitFor();
    await page.getByText(home('toNext', { count: 5 })).waitFor();
    await visit.region(home('total')).getByText('3', { exact: true }).waitFor();
    await page.getByRole('img').waitFor();
    const latest = visit.region(home('latest')).getByRole('listitem');
    await expect
      .poll(() => latest.allTextContents())
      .toEqual([expect.stringMatching(/^Late.*−2$/), expect.stringMatching(/^<b>Homework<\/b>.*\+5$/)]);

    await tab(say.studentApp('records'));
    const records = say.ownRecords;
    await page.getByText(records('records', { count: 2 })).waitFor();
    await page.getByText(records('minus'), { exact: true }).click();
    await page.getByText(records('records', { count: 1 })).waitFor();
    await expect
      .poll(() => page.getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('Late')]);

    await tab(say.studentApp('class'));
    const podium = page.getByRole('list', { name: say.ownClass('podium') }).getByRole('listitem');
    await expect.poll(() => podium.count()).toBe(2);
    await expect.poll(() => podium.nth(1).textContent()).toContain(say.ownClass('you'));

    await tab(say.studentApp('news'));
    const articles = page.getByRole('article');
    await articles.filter({ hasText: `Fair of ${school.name}` }).waitFor();
    await expect.poll(() => articles.filter({ hasText: 'Draft' }).count()).toBe(0);

    const everything = (await Promise.all(heard)).join('\n');
    expect(everything).toContain('Homework');
    for (const secret of secrets) expect(everything).not.toContain(secret);
  });

  journey('a student signs out other sessions, and sign-out hides all data', async (visit) => {
    const { page, heading, say, app, school, username, password, forgive } = visit;
    const { schoolDb } = school;
    const { ownPassword: t, ownAccount: account, sessions: device } = say;
    await expect(app.signInStudent(schoolDb, username, 'not this one')).rejects.toThrow();
    const [ended, other] = [
      await app.signInStudent(schoolDb, username),
      await app.signInStudent(schoolDb, username),
    ];
    await page.getByRole('link', { name: say.studentApp('account'), exact: true }).click();
    const events = visit.region(account('events'));
    await events.getByText(account('signInFailed')).waitFor();
    const sessions = visit.region(account('sessions'));
    await expect.poll(() => sessions.getByText(device('thisDevice')).count()).toBe(1);
    // The device of sessions that tests open through the API.
    const end = sessions.getByRole('button', { name: device('endOf', { device: 'lightMyRequest' }) });
    await expect.poll(() => end.count()).toBe(2);
    await end.first().click();
    await expect.poll(() => end.count()).toBe(1);

    const old = page.getByLabel(t('oldPassword'));
    const fresh = page.getByLabel(t('newPassword'));
    const change = page.getByRole('button', { name: t('changePassword') });
    await old.fill('something else');
    await fresh.fill('correct horse');
    forgive(/400/);
    await change.click();
    await page.getByText(t('wrongOld')).waitFor();
    await old.fill(password);
    await change.click();
    await page.getByText(t('changed')).waitFor();
    await expect.poll(() => fresh.inputValue()).toBe('');
    for (const { get } of [ended, other]) expect((await get('/auth/student/me')).status).toBe(401);
    await app.signInStudent(schoolDb, username, 'correct horse');

    await page.getByRole('button', { name: say.common('signOut'), exact: true }).click();
    await page.waitForURL(new URL('/student', page.url()).href);
    await page.goBack();
    await heading(say.signIn('studentTitle')).waitFor();
    await expect.poll(() => page.getByText(school.name).count()).toBe(0);
    await expect.poll(() => page.evaluate("localStorage.getItem('classledger.student-token')")).toBeNull();
  });

  journey('a throttled student names the school, and signs in again with a reset password', async (visit) => {
    const { page, choosePassword, signIn, context, say, origin, admin, school, username, forgive } = visit;
    const { schoolDb } = school;
    const { signIn: s, ownPassword: p } = say;
    forgive(/4(00|01|29)/);
    // Makes the browser unknown to the account, because a known one has a limit of its own.
    await context.clearCookies();
    const wrong = { data: { username, password: 'a guess' } };
    for (let n = 0; n < 10; n++) await context.request.post(`${origin}/api/auth/student/login`, wrong);
    await signIn({ username, password: 'correct horse' });
    await page.getByRole('textbox', { name: s('schoolCode') }).fill(schoolDb);
    await page.getByRole('button', { name: s('signIn') }).click();
    await page.getByRole('link', { name: say.studentApp('account'), exact: true }).click();
    const fresh = page.getByLabel(p('newPassword'), { exact: true });
    await fresh.fill('half typed');
    const id = school.grades[0].classes[0].students[0].id;
    await admin.patch(`/users/${id}`, { schoolDb, password: 'set by a teacher' });
    await page.getByLabel(p('oldPassword')).fill('correct horse');
    await fresh.press('Enter');
    const dialog = page.getByRole('dialog', { name: s('againTitle') });
    const password = dialog.getByLabel(s('password'), { exact: true });
    await password.fill('correct horse');
    await password.press('Enter');
    await dialog.getByText(s('wrongAgain')).waitFor();
    await password.fill('set by a teacher');
    await password.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The form for the first password replaces the form of the page.
    const first = page.getByRole('dialog', { name: p('firstTitle') });
    await first.waitFor();
    await expect.poll(() => fresh.count()).toBe(1);
    await choosePassword('three blue cats sing');
    await first.waitFor({ state: 'detached' });
    await expect.poll(() => fresh.count()).toBe(1);
    await expect.poll(() => fresh.inputValue()).toBe('');
  });

  journey('namesakes have numbers, long lists have parts, and the app follows other tabs', async (visit) => {
    const { page, heading, context, say, go, app, admin, origin, school, forgive } = visit;
    const { schoolDb } = school;
    const { students } = school.grades[0].classes[0];
    const [own, second, third] = students;
    for (const [index, { id }] of students.entries())
      await admin.patch(`/users/${id}`, { schoolDb, actualName: index < 2 ? 'Li Wei' : 'Ana López' });
    await go('/student/class');
    await page.getByText('Ana López').first().waitFor();
    const numbers = (await page.locator('#root').textContent())?.match(/s1a[123]/g);
    expect([...new Set(numbers)].sort()).toEqual(['s1a1', 's1a2']);

    const given = { userId: own.id, scoreChange: 1 };
    const items = Array.from({ length: 31 }, (_, n) => ({ ...given, description: `${n}` }));
    await admin.created('/scores/batch', { schoolDb, items });
    await admin.patch('/school-settings', { schoolDb, pointGivers: 'plus' });
    const giver = app.database.db.updateTable('admin').set({ name: 'Zhao Min' });
    await giver.where('username', '=', superAdmin.username).execute();
    const records = say.ownRecords;
    await page.getByRole('link', { name: say.studentApp('records'), exact: true }).click();
    // Two points are older.
    await page.getByText(records('records', { count: 33 })).waitFor();
    const listed = page.getByRole('listitem');
    await expect.poll(() => listed.count()).toBe(30);
    await page.getByRole('button', { name: records('showMore') }).click();
    await expect.poll(() => listed.count()).toBe(33);
    // The minus point names nobody.
    expect(await listed.filter({ hasText: 'Zhao Min' }).count()).toBe(32);

    const tokenOf = async ({ username }: SampleStudent) =>
      (await app.signInStudent(schoolDb, username)).token;
    const other = await context.newPage();
    await other.goto(`${origin}/icon.svg`);
    const store = (token: string) =>
      other.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
    await store(await tokenOf(third));
    const hello = say.ownHome('hello', { name: 'Ana López' });
    await heading(hello).waitFor();
    await other.evaluate(`localStorage.removeItem('classledger.student-token')`);
    await heading(say.signIn('studentTitle')).waitFor();
    expect(await page.getByText('Ana López').count()).toBe(0);

    forgive(/401/);
    const token = await tokenOf(second);
    await admin.patch(`/users/${second.id}`, { schoolDb, disabled: true });
    await store(token);
    await go('/student');
    await page.getByText(say.signIn('ended')).waitFor();
    await other.close();
  });
});

/** Creates points and announcements. @returns texts that the student must not receive */
async function live({ admin, school }: Visit): Promise<readonly string[]> {
  const { schoolDb } = school;
  const [first, second] = school.grades[0].classes;
  const [own, best, last] = first.students;
  const give = (userId: number, scoreChange: number, description: string) =>
    admin.created('/scores/add', { schoolDb, userId, scoreChange, description });
  await give(best.id, 8, 'Reason of another');
  await give(last.id, 1, 'Reason of another');
  await give(second.students[0].id, 4, 'Reason of another');
  await give(own.id, 5, '<b>Homework</b>');
  await give(own.id, -2, 'Late');
  await admin.patch(`/users/${best.id}`, { schoolDb, email: 'best@example.org' });
  await admin.created('/announcements', { title: `Fair of ${school.name}`, content: '<p>On Friday.</p>' });
  await admin.created('/announcements', { title: 'Draft', content: '<p>Not yet.</p>', active: false });
  return ['Reason of another', 'best@example.org', second.students[0].username, 'Draft'];
}
