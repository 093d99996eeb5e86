import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { texts as actionTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { texts as slipTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as studentTexts } from '../../../web/src/admin/students/texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts as signInTexts } from '../../../web/src/session/texts.ts';
import { texts as codeTexts } from '../../../web/src/student/code/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/texts.ts';
import { openWatchedPage } from '../harness/browser.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { readQr } from '../harness/qr.ts';

const chosen = 'three green kites';

describeJourneys('slips', ['class'], (journey) => {
  journey('a slip’s code works once, and asks before another student is signed out', async (visit) => {
    const { page, say, origin } = visit;
    const [t, p] = [say(codeTexts), say(passwordTexts)];
    const [first, second] = await printedSlips(visit);

    await page.goto(first.href);
    await page.getByRole('heading', { level: 1, name: p('firstTitle') }).waitFor();
    expect(page.url()).toBe(`${origin}/student`);
    expect(await everythingKept(page)).not.toContain(first.hash.split('=')[1]);
    await expect.poll(() => page.getByLabel(p('givenPasswordStudent')).count()).toBe(0);
    await page.getByLabel(p('newPassword'), { exact: true }).fill(chosen);
    await page.getByLabel(p('repeatPassword')).fill(chosen);
    await page.getByRole('button', { name: p('saveAndGo') }).click();
    const home = page.getByRole('link', { name: say(homeTexts)('home') });
    await home.waitFor();

    const other = await openDevice(visit);
    await other.page.goto(first.href);
    await other.page.getByRole('heading', { level: 1, name: t('usedTitle') }).waitFor();
    await other.page.getByLabel(say(signInTexts)('username')).fill('slip1');
    await other.page.getByLabel(say(signInTexts)('password'), { exact: true }).fill(chosen);
    await other.page.getByRole('button', { name: say(signInTexts)('signIn') }).click();
    await other.page.getByRole('link', { name: say(homeTexts)('home') }).waitFor();
    expect(other.page.url()).toBe(`${origin}/student`);

    const scan = () => page.evaluate(`location.hash = ${JSON.stringify(second.hash)}`);
    await scan();
    await page.getByText(t('someoneElse', { name: 'slip1' })).waitFor();
    await page.getByRole('button', { name: t('stayAs', { name: 'slip1' }) }).click();
    await home.waitFor();
    await scan();
    await page.getByRole('button', { name: t('useCode') }).click();
    await page.getByRole('heading', { level: 1, name: p('firstTitle') }).waitFor();
    await page.getByText('slip2 (slip2)').waitFor();
    expect(other.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});

async function openDevice({ origin, screen, language }: Visit) {
  const opened = await openWatchedPage(origin, { screen, colorScheme: 'light', reducedMotion: true });
  await opened.context.addInitScript(`localStorage.setItem('classledger.language', '${language}')`);
  return opened;
}

const everythingKept = async (page: Page) =>
  JSON.stringify(
    await page.evaluate(
      '[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, JSON.stringify(history.state)]',
    ),
  );

/** Prints slips for two students who share a password. @returns the addresses of their codes */
async function printedSlips(visit: Visit): Promise<[URL, URL]> {
  const { page, say, go, origin, row, choose, admin, school } = visit;
  const [t, a, p] = [say(studentTexts), say(actionTexts), say(slipTexts)];
  const { schoolDb } = school;
  const classId = school.grades[0].classes[0].id;
  const students = [{ username: 'slip1' }, { username: 'slip2' }];
  await admin.created('/users', { schoolDb, classId, defaultPassword: 'kindle42', students });
  await page.addInitScript('window.print = () => {}');
  await go('/admin/students?q=slip');
  await row('slip1').getByText(t('password_shared')).waitFor();
  await choose(page.getByRole('search'), t('password'), t('password_atRisk'));
  await page.getByRole('button', { name: t('newSlips', { count: 2 }) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: a('resetConfirm') }).click();
  await dialog.getByText(a('doneOf', { count: 2 })).waitFor();
  await dialog.getByRole('button', { name: p('printSlips') }).click();
  await page.locator('[data-password-slips]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const read = async (username: string) => {
    const slip = page.locator('[data-password-slips] li', { has: page.locator('svg'), hasText: username });
    const address = await readQr(slip.getByRole('img', { name: p('slipCode') }));
    expect(address).toMatch(new RegExp(`^${origin}/student#code=\\d+\\.[\\w-]{22}$`));
    const chooseBy = p('slipChooseBy', { day: '.*20\\d\\d.*' });
    expect((await slip.textContent()) ?? '').toMatch(new RegExp(chooseBy));
    return new URL(address);
  };
  const both: [URL, URL] = [await read('slip1'), await read('slip2')];
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: p('havePrinted') }).click();
  await dialog.getByRole('button', { name: a('done') }).click();
  await dialog.waitFor({ state: 'detached' });
  await row('slip2').getByText(t('password_unused')).waitFor();
  return both;
}
