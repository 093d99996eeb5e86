import { type Role, roleTable } from '@classledger/contract';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { texts as dashboardTexts } from '../../../web/src/admin/reports/dashboard/texts.ts';
import { texts as templateTexts } from '../../../web/src/admin/school/templates/texts.ts';
import { navigation } from '../../../web/src/admin/shell/navigation.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/languages.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { texts } from '../../../web/src/session/texts.ts';
import { administrators, describeJourneys, type Visit } from '../harness/journeys.ts';
import { speaker } from '../harness/speaker.ts';

/** Longer than any session, and than a student's token. */
const monthMs = 31 * 24 * 3_600_000;

/** A form that is filled in when the session ends, and whether what it sent has had its effect once. */
interface HalfFilled {
  /** What is typed, still there behind the dialog. */
  readonly typed: readonly (readonly [field: Locator, value: string])[];
  readonly submit: Locator;
  /** What is sent: method and path. */
  readonly write: string;
  expectOnce(): Promise<void>;
}

const halfway = 'ends while something is written, and nothing is lost';

describeJourneys("a student's session", ['student'], (journey) => journey(halfway, endsHalfway));

describeJourneys("an administrator's session", administrators, (journey) => {
  journey(halfway, endsHalfway);

  journey('leads to the pages of the role, speaks both languages, and ends', async (visit) => {
    const { page, say, go, app, traveller, screen, language, username, school } = visit;
    const t = say(shellTexts);
    await (await app.signIn()).created('/schools', { name: `Not of ${username}, ${school.id}` });
    await go('/admin/templates');
    await page.getByRole('heading', { level: 1, name: say(templateTexts)('title') }).waitFor();
    // The menu of a phone is a drawer, which closes when it has led somewhere.
    const openMenu = async () => {
      if (screen === 'phone') await page.getByRole('button', { name: t('openMenu') }).click();
    };
    const menu = page.locator(screen === 'phone' ? '[role="dialog"]' : 'body');
    await openMenu();

    const main = menu.getByRole('navigation', { name: t('navigation') }).first();
    await main.getByRole('link').first().waitFor();
    const mine = navigation.filter(({ duty }) => roleTable[duty][`${traveller}_admin` as Role] !== null);
    await expect
      .poll(() => main.getByRole('link').allTextContents())
      .toEqual(mine.map(({ text }) => t(text)));
    const picker = menu.getByRole('combobox', { name: t('pickSchool') });
    if (traveller === 'super') await expect.poll(() => picker.inputValue()).toBe(school.name);
    else {
      await expect.poll(() => menu.getByText(school.name).count()).toBe(1);
      await expect.poll(() => picker.count()).toBe(0);
    }

    await main.getByRole('link', { name: t('dashboard') }).click();
    await page.getByRole('heading', { level: 1, name: say(dashboardTexts)('title') }).waitFor();
    await openMenu();
    const user = menu.getByRole('button', { name: username });
    await user.click();
    const other = languages.find((one) => one !== language) ?? language;
    const [o, os] = [speaker(other)(shellTexts), speaker(other)(sharedTexts)];
    await page.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    await page.getByRole('link', { name: o('account') }).waitFor();
    await page.getByTitle(os('schemeDark'), { exact: true }).click();
    await expect.poll(() => page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');

    await page.getByRole('button', { name: speaker(other)(commonTexts)('signOut') }).click();
    await page.waitForURL(new URL('/', page.url()).href);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: speaker(other)(texts)('adminTitle') }).waitFor();
    await expect.poll(() => page.getByText(username, { exact: true }).count()).toBe(0);
  });
});

async function endsHalfway(visit: Visit): Promise<void> {
  const { page, say, app, origin, username, password, forgive } = visit;
  const t = say(texts);
  const form = await (visit.traveller === 'student' ? ownPassword(visit) : newTemplate(visit));
  for (const [field, value] of form.typed) await field.fill(value);
  const answers: number[] = [];
  page.on('response', (answer) => {
    const path = answer.url().replace(`${origin}/api`, '');
    if (`${answer.request().method()} ${path}` === form.write) answers.push(answer.status());
  });
  // What the page still loads would ask to sign in again before the form is sent.
  const loading = page.getByRole('status', { name: say(commonTexts)('loading'), exact: true });
  await expect.poll(() => loading.count()).toBe(0);
  app.clock.advance(monthMs);
  forgive(/401/);
  await form.submit.click();

  const dialog = page.getByRole('dialog', { name: t('againTitle') });
  const own = dialog.getByLabel(t('password'), { exact: true });
  await own.and(page.locator(':focus')).waitFor();
  // The calls below wait for an answer: neither Escape nor a wrong password sends them away.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.getByRole('textbox', { name: t('username') }).inputValue()).toBe(username);
  await page.keyboard.insertText('not this one');
  await page.keyboard.press('Enter');
  await dialog.getByText(t('wrongAgain')).waitFor();
  for (const [field, value] of form.typed) await expect.poll(() => field.inputValue()).toBe(value);
  expect(answers).toEqual([401]);

  await own.fill(password);
  await dialog.getByRole('button', { name: t('signIn'), exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await form.expectOnce();
  expect(answers).toEqual([401, 200]);
}

async function newTemplate({ page, say, go, choose, traveller, school, app }: Visit): Promise<HalfFilled> {
  const t = say(templateTexts);
  await go('/admin/templates');
  await page.getByRole('button', { name: t('addTemplate') }).click();
  const dialog = page.getByRole('dialog', { name: t('addTitle') });
  if (traveller === 'grade') await choose(dialog, t('where'), 'Class B');
  return {
    typed: [
      [dialog.getByLabel(t('name')), 'Courtesy'],
      [dialog.getByLabel(t('points')), '7'],
    ],
    submit: dialog.getByRole('button', { name: say(commonTexts)('add'), exact: true }),
    write: 'POST /scores/templates',
    expectOnce: async () => {
      await page.getByText(t('added', { name: 'Courtesy' })).waitFor();
      const { data } = await (await app.signIn()).get(`/scores/templates?schoolDb=${school.schoolDb}`);
      expect(data).toMatchObject([{ name: 'Courtesy', scoreChange: 7 }]);
    },
  };
}

async function ownPassword({ page, say, go, app, school, username, password }: Visit): Promise<HalfFilled> {
  const t = say(passwordTexts);
  await go('/student/account');
  return {
    typed: [
      [page.getByLabel(t('oldPassword')), password],
      [page.getByLabel(t('newPassword')), 'battery staple'],
    ],
    submit: page.getByRole('button', { name: t('changePassword') }),
    write: 'PATCH /auth/student/me',
    expectOnce: async () => {
      await page.getByText(t('changed')).waitFor();
      await app.signInStudent(school.schoolDb, username, 'battery staple');
    },
  };
}
