import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { texts as listsTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as importTexts } from '../../../web/src/admin/students/import/texts.ts';
import { texts as passwordSlipTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts as signInTexts } from '../../../web/src/session/texts.ts';
import { texts as codeTexts } from '../../../web/src/student/code/texts.ts';
import { texts as homeTexts } from '../../../web/src/student/texts.ts';
import { openWatched } from '../harness/browser.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';
import { readQr } from '../harness/qr.ts';

const chosen = 'three green kites';

describeJourneys('slips', ['class'], (journey) => {
  journey('let a student choose a password once, and ask before another student uses one', async (visit) => {
    const { page, say, origin, username: teacher } = visit;
    const [t, p, s] = [say(codeTexts), say(passwordTexts), say(signInTexts)];
    const [first, second] = await printedSlips(visit, [`${teacher}-one`, `${teacher}-two`]);

    await page.goto(first.address);
    await page.getByRole('heading', { level: 1, name: p('firstTitle') }).waitFor();
    expect(page.url()).toBe(`${origin}/student`);
    expect(await everythingKept(page)).not.toContain(first.address.split('=')[1]);
    await expect.poll(() => page.getByLabel(p('givenPasswordStudent')).count()).toBe(0);
    await page.getByLabel(p('newPassword'), { exact: true }).fill(chosen);
    await page.getByLabel(p('repeatPassword')).fill(chosen);
    await page.getByRole('button', { name: p('saveAndGo') }).click();
    await page.getByRole('link', { name: say(homeTexts)('home') }).waitFor();

    const other = await openDevice(visit);
    await other.page.goto(first.address);
    await other.page.getByRole('heading', { level: 1, name: t('usedTitle') }).waitFor();
    expect(other.page.url()).toBe(`${origin}/student`);
    await other.page.getByLabel(s('username')).fill(`${teacher}-one`);
    await other.page.getByLabel(s('password'), { exact: true }).fill(chosen);
    await other.page.getByRole('button', { name: s('signIn') }).click();
    await other.page.getByRole('link', { name: say(homeTexts)('home') }).waitFor();

    const scan = () => page.evaluate(`location.hash = ${JSON.stringify(new URL(second.address).hash)}`);
    const name = `${teacher}-one`;
    await scan();
    await page.getByText(t('someoneElse', { name })).waitFor();
    await page.getByRole('button', { name: t('stayAs', { name }) }).click();
    await page.getByRole('link', { name: say(homeTexts)('home') }).waitFor();
    await scan();
    await page.getByRole('button', { name: t('useCode') }).click();
    await page.getByRole('heading', { level: 1, name: p('firstTitle') }).waitFor();
    await page.getByText(`${teacher}-two (${teacher}-two)`).waitFor();
    expect(other.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });
});

async function openDevice({ origin, screen, language }: Visit) {
  const opened = await openWatched(origin, { screen, colorScheme: 'light', calm: true });
  await opened.context.addInitScript(`localStorage.setItem('classledger.language', '${language}')`);
  return opened;
}

const everythingKept = async (page: Page) =>
  JSON.stringify(
    await page.evaluate(
      '[location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, JSON.stringify(history.state)]',
    ),
  );

async function printedSlips(visit: Visit, usernames: readonly [string, string]) {
  const { page, say, go, origin } = visit;
  const [t, p] = [say(importTexts), say(passwordSlipTexts)];
  await page.addInitScript('window.print = () => {}');
  await go('/admin/students/import');
  await page.getByText(say(listsTexts)('paste'), { exact: true }).click();
  await page.getByRole('textbox').fill(usernames.join('\n'));
  await page.getByRole('button', { name: t('next') }).click();
  await page.getByText(t('passwordForEach')).waitFor();
  await page.getByRole('button', { name: t('next') }).click();
  await page.getByRole('button', { name: t('startImport', { count: 2 }) }).click();
  await page.getByRole('button', { name: p('printSlips') }).click();
  await page.locator('[data-password-slips]').waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const slips = page.locator('[data-password-slips] li', { has: page.locator('svg') });
  const read = async (n: number) => {
    const slip = slips.filter({ hasText: usernames[n] as string });
    const address = await readQr(slip.getByRole('img', { name: p('slipCode') }));
    expect(address).toMatch(new RegExp(`^${origin}/student#code=\\d+\\.[\\w-]{22}$`));
    const chooseBy = p('slipChooseBy', { day: '.*20\\d\\d.*' });
    expect((await slip.textContent()) ?? '').toMatch(new RegExp(chooseBy));
    return { address };
  };
  const both = [await read(0), await read(1)] as const;
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: p('havePrinted') }).click();
  return both;
}
