import { expect } from 'vitest';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { sessionTexts as deviceTexts } from '../../../web/src/session/session-texts.ts';
import { texts as sessionTexts } from '../../../web/src/session/texts.ts';
import { texts as accountTexts } from '../../../web/src/student/account/texts.ts';
import { texts as classTexts } from '../../../web/src/student/class/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/home/texts.ts';
import { texts as recordsTexts } from '../../../web/src/student/records/texts.ts';
import { texts } from '../../../web/src/student/texts.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('the app of the students', ['student'], (journey) => {
  journey('the app shows points, rank and news, and no private data of other students', async (visit) => {
    const { page, say, go, school } = visit;
    const t = say(texts);
    const secrets = await live(visit);
    const heard: Promise<string>[] = [];
    page.on('response', (answer) => {
      // The body is lost if the page changes meanwhile.
      if (answer.url().includes('/api/')) heard.push(answer.text().catch(() => ''));
    });
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();

    await go('/student');
    const home = say(homeTexts);
    await page.getByText(home('place', { rank: 2 })).waitFor();
    await page.getByText(home('toNext', { count: 5 })).waitFor();
    await page
      .getByRole('region', { name: home('total') })
      .getByText('3', { exact: true })
      .waitFor();
    await page.getByRole('img').waitFor();
    const latest = page.getByRole('region', { name: home('latest') }).getByRole('listitem');
    await expect
      .poll(() => latest.allTextContents())
      .toEqual([expect.stringMatching(/^Late.*−2$/), expect.stringMatching(/^<b>Homework<\/b>.*\+5$/)]);

    await tab(t('records'));
    const records = say(recordsTexts);
    await page.getByText(records('records', { count: 2 })).waitFor();
    await page.getByText(records('minus'), { exact: true }).click();
    await page.getByText(records('records', { count: 1 })).waitFor();
    await expect
      .poll(() => page.getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('Late')]);

    await tab(t('class'));
    const podium = page.getByRole('list', { name: say(classTexts)('podium') }).getByRole('listitem');
    await expect.poll(() => podium.count()).toBe(2);
    await expect.poll(() => podium.nth(1).textContent()).toContain(say(classTexts)('you'));

    await tab(t('news'));
    await page
      .getByRole('article')
      .filter({ hasText: `Fair of ${school.name}` })
      .waitFor();
    await expect.poll(() => page.getByRole('article').filter({ hasText: 'Draft' }).count()).toBe(0);

    const everything = (await Promise.all(heard)).join('\n');
    expect(everything).toContain('Homework');
    for (const secret of secrets) expect(everything).not.toContain(secret);
  });

  journey('a student signs out other sessions, and sign-out hides all data', async (visit) => {
    const { page, say, app, school, username, password, forgive } = visit;
    const { schoolDb } = school;
    const t = say(passwordTexts);
    const account = say(accountTexts);
    const device = say(deviceTexts);
    await expect(app.signInStudent(schoolDb, username, 'not this one')).rejects.toThrow();
    const [ended, other] = [
      await app.signInStudent(schoolDb, username),
      await app.signInStudent(schoolDb, username),
    ];
    await page.getByRole('link', { name: say(texts)('account'), exact: true }).click();
    const events = page.getByRole('region', { name: account('events') });
    await events.getByText(account('signInFailed')).waitFor();
    const sessions = page.getByRole('region', { name: account('sessions') });
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
    await fresh.fill('short');
    await change.click();
    // The password meter repeats the message with a prefix.
    await page.getByText(t('tooShort', { count: 6 }), { exact: true }).waitFor();
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

    await page.getByRole('button', { name: say(commonTexts)('signOut'), exact: true }).click();
    await page.waitForURL(new URL('/student', page.url()).href);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: say(sessionTexts)('studentTitle') }).waitFor();
    await expect.poll(() => page.getByText(school.name).count()).toBe(0);
    await expect.poll(() => page.evaluate("localStorage.getItem('classledger.student-token')")).toBeNull();
  });
});

/** Creates points and announcements. @returns texts that the student must not receive */
async function live({ admin, school }: Visit): Promise<readonly string[]> {
  const { schoolDb } = school;
  const [first, second] = school.grades[0].classes;
  const [own, best, last] = first.students;
  const give = (userId: number | undefined, scoreChange: number, description: string) =>
    admin.created('/scores/add', { schoolDb, userId, scoreChange, description });
  await give(best?.id, 8, 'Reason of another');
  await give(last?.id, 1, 'Reason of another');
  await give(second.students[0]?.id, 4, 'Reason of another');
  await give(own?.id, 5, '<b>Homework</b>');
  await give(own?.id, -2, 'Late');
  await admin.patch(`/users/${best?.id}`, { schoolDb, email: 'best@example.org' });
  await admin.created('/announcements', { title: `Fair of ${school.name}`, content: '<p>On Friday.</p>' });
  await admin.created('/announcements', { title: 'Draft', content: '<p>Not yet.</p>', active: false });
  return ['Reason of another', 'best@example.org', String(second.students[0]?.username), 'Draft'];
}
