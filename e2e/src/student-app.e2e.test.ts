import { describe, expect, it } from 'vitest';
import { studentPassword } from '../../server/test/test-app.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { passwordTexts } from '../../web/src/session/password-texts.ts';
import { texts as sessionTexts } from '../../web/src/session/texts.ts';
import { texts as homeTexts } from '../../web/src/student/home/texts.ts';
import { texts as recordsTexts } from '../../web/src/student/records/texts.ts';
import { texts } from '../../web/src/student/texts.ts';
import { openWatchedPage } from './harness/browser.ts';
import { startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const say = translatorFor('en');
const t = say(texts);
const c = say(commonTexts);
const records = say(recordsTexts);

const served = await startServedSchool();
const { admin, app, origin, school } = served;
const { schoolDb } = school;

function student(index: number) {
  const found = school.grades[0].classes[0].students[index];
  if (!found) throw new Error('The class is smaller');
  return found;
}

/** All tests share this phone. */
const phone = { screen: 'phone', colorScheme: 'light', reducedMotion: true } as const;
const { page, context, complaints } = await openWatchedPage(origin, phone);
await page.goto(`${origin}/icon.svg`);
await page.evaluate(`localStorage.setItem('classledger.language', 'en')`);

async function signIn(index: number): Promise<void> {
  const { token } = await app.signInStudent(schoolDb, student(index).username);
  await page.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
}

describe('The student app', () => {
  it('asks for the school code after too many failed attempts with a username', async () => {
    const { username } = student(0);
    const wrong = { data: { username, password: 'a guess' } };
    for (let n = 0; n < 10; n++) await context.request.post(`${origin}/api/auth/student/login`, wrong);
    await page.goto(`${origin}/student`);
    await page.getByRole('textbox', { name: c('username') }).fill(username);
    await page.getByLabel(c('password'), { exact: true }).fill(studentPassword);
    await page.getByRole('button', { name: c('signIn') }).click();
    await page.getByRole('textbox', { name: c('schoolCode') }).fill(schoolDb);
    await page.getByRole('button', { name: c('signIn') }).click();
    await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('429'))).toEqual([]);
  });

  it('asks to sign in again after a teacher reset the password, and then shows only one form for a new one', async () => {
    await page.getByRole('link', { name: t('account'), exact: true }).click();
    const own = say(passwordTexts);
    const fresh = page.getByLabel(own('newPassword'), { exact: true });
    await fresh.fill('half typed');
    await admin.patch(`/users/${student(0).id}`, { schoolDb, password: 'set by a teacher' });
    await page.getByLabel(say(passwordTexts)('oldPassword')).fill(studentPassword);
    await fresh.press('Enter');
    const dialog = page.getByRole('dialog', { name: say(sessionTexts)('againTitle') });
    const password = dialog.getByLabel(c('password'), { exact: true });
    await password.fill(studentPassword);
    await password.press('Enter');
    await dialog.getByText(say(sessionTexts)('wrongAgain')).waitFor();
    await password.fill('set by a teacher');
    await password.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const first = page.getByRole('dialog', { name: own('firstTitle') });
    await first.waitFor();
    await expect.poll(() => fresh.count()).toBe(1);
    await fresh.fill('three blue cats sing');
    await first.getByLabel(own('repeatPassword')).fill('three blue cats sing');
    await first.getByRole('button', { name: own('saveAndGo') }).click();
    await first.waitFor({ state: 'detached' });
    await expect.poll(() => fresh.count()).toBe(1);
    await expect.poll(() => fresh.inputValue()).toBe('');
  });

  it('shows a long list of records in parts', async () => {
    const { id: userId } = student(1);
    const items = Array.from({ length: 31 }, (_, n) => {
      return { userId, scoreChange: 1, description: n === 0 ? 'The very first' : `Round ${n}` };
    });
    await admin.created('/scores/batch', { schoolDb, items });
    await signIn(1);
    await page.goto(`${origin}/student/records`);
    await page.getByText(records('records', { count: 31 })).waitFor();
    await expect.poll(() => page.getByText('The very first').count()).toBe(0);
    await page.getByRole('button', { name: records('showMore') }).click();
    await page.getByText('The very first').waitFor();
    await expect.poll(() => page.getByRole('listitem').count()).toBe(31);
  });

  it('restarts in all tabs when another student signs in or out', async () => {
    const { token } = await app.signInStudent(schoolDb, student(2).username);
    const other = await context.newPage();
    await other.goto(`${origin}/icon.svg`);
    await other.evaluate(`localStorage.setItem('classledger.student-token', '${token}')`);
    const hello = say(homeTexts)('hello', { name: student(2).username });
    await page.getByRole('heading', { level: 1, name: hello }).waitFor();

    await other.evaluate(`localStorage.removeItem('classledger.student-token')`);
    await page.getByRole('heading', { level: 1, name: say(sessionTexts)('studentTitle') }).waitFor();
    expect(await page.getByText(student(2).username).count()).toBe(0);
    await other.close();
  });

  it('signs a disabled student out when the app opens again', async () => {
    await signIn(1);
    const change = { schoolDb, disabled: true };
    await admin.patch(`/users/${student(1).id}`, change);
    await page.goto(`${origin}/student`);
    await page.getByText(say(sessionTexts)('ended')).waitFor();
    await admin.patch(`/users/${student(1).id}`, { ...change, disabled: false });
  });

  it('shows student numbers only for classmates with the same name', async () => {
    for (const [index, actualName] of ['Li Wei', 'Li Wei', 'Ana López'].entries())
      await admin.patch(`/users/${student(index).id}`, { schoolDb, actualName });
    await signIn(2);
    await page.goto(`${origin}/student/class`);
    await page.getByText('Ana López').first().waitFor();
    const numbers = (await page.locator('#root').textContent())?.match(/s1a[123]/g);
    expect([...new Set(numbers)].sort()).toEqual(['s1a1', 's1a2']);
  });
});
