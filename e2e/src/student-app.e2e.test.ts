import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { studentPassword } from '../../server/test/test-app.ts';
import { barriers } from './harness/barriers.ts';
import { type Look, launchBrowser, openWatched } from './harness/browser.ts';
import { type ServedSchool, startServedSchool } from './harness/served-school.ts';

let served: ServedSchool;
let browser: Browser;

function student(index: number) {
  const found = served.school.grades[0].classes[0].students[index];
  if (!found) throw new Error('The class is smaller');
  return found;
}

beforeAll(async () => {
  served = await startServedSchool();
  const { admin, school } = served;
  const { schoolDb } = school;
  const [first, second, third] = [student(0), student(1), student(2)];
  const give = (userId: number, scoreChange: number, description: string) =>
    admin.post('/scores/add', { schoolDb, userId, scoreChange, description });
  await give(first.id, 9, 'Won the race');
  await give(second.id, 5, 'Homework');
  await give(second.id, -2, 'Late');
  await give(third.id, 1, 'Tidy desk');
  for (let n = 0; n < 31; n++) await give(second.id, n % 2 === 0 ? 1 : -1, `Round ${n}`);
  await admin.post('/announcements', { title: 'School fair', content: '<p>On Friday.</p>', type: 'info' });
  browser = await launchBrowser();
}, 180_000);

afterAll(() => browser?.close());

const words = {
  en: {
    lang: 'en',
    username: 'Username',
    password: 'Password',
    signIn: 'Sign in',
    tabs: ['Home', 'Records', 'Class', 'News', 'Account'],
    place: 'No. 2 of 3',
    toNext: '6 more points take you one place up.',
    lost: 'Lost',
    records: '33 records',
    lostRecords: '16 records',
    more: 'Show more',
    you: 'You',
    change: 'Change password',
    old: 'Current password',
    fresh: 'New password',
    wrong: 'The current password is wrong. Please type it again.',
    changed: /^Your password is changed/,
    signOut: 'Sign out',
  },
  zh: {
    lang: 'zh-CN',
    username: '用户名',
    password: '密码',
    signIn: '登录',
    tabs: ['首页', '记录', '班级', '公告', '我的'],
    place: '第 2 名 共 3 人',
    toNext: '再得 6 分就能前进一名。',
    lost: '扣分',
    records: '共 33 条记录',
    lostRecords: '共 16 条记录',
    more: '显示更多',
    you: '我',
    change: '修改密码',
    old: '当前密码',
    fresh: '新密码',
    wrong: '当前密码不正确，请重新输入。',
    changed: /^密码已修改/,
    signOut: '退出登录',
  },
} as const;

type Language = keyof typeof words;

async function open(look: Look, language: Language) {
  const watched = await openWatched(browser, served.origin, look);
  await watched.context.addInitScript(
    `localStorage.getItem('classledger.language') ?? localStorage.setItem('classledger.language', '${words[language].lang}')`,
  );
  await watched.page.goto(`${served.origin}/student`);
  return watched;
}

async function signIn(page: Page, language: Language, username: string, password: string) {
  const say = words[language];
  await page.getByLabel(say.username, { exact: true }).fill(username);
  await page.getByLabel(say.password, { exact: true }).fill(password);
  await page.getByRole('button', { name: say.signIn, exact: true }).click();
}

/** What axe finds serious or critical, and whether anything is wider than the screen. */
async function expectReadable(page: Page) {
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

const cases = [
  { screen: 'phone', colorScheme: 'light', language: 'zh' },
  { screen: 'phone', colorScheme: 'dark', language: 'en' },
  { screen: 'desktop', colorScheme: 'light', language: 'en' },
] as const;

// A browser on a busy machine takes its time.
describe.each(cases)('on a $screen in $colorScheme in $language', { timeout: 90_000 }, (look) => {
  const say = words[look.language];

  it('a student sees points, records, class and news, changes the password and leaves', async () => {
    const { page, context, complaints, foreign } = await open(look, look.language);
    const [, records, mates, news, account] = say.tabs;
    const go = (tab: string) => page.getByRole('link', { name: tab, exact: true }).click();
    const { username } = student(1);
    await signIn(page, look.language, username, studentPassword);

    await page.getByText(say.place, { exact: true }).waitFor();
    await page.getByText(say.toNext).waitFor();
    expect(await page.getByText('+21', { exact: true }).count()).toBe(1);
    await page.getByRole('img').waitFor();
    await page.getByText('Round 30').waitFor();
    await expectReadable(page);

    await go(records);
    await page.getByText(say.records).waitFor();
    await page.getByRole('button', { name: say.more }).click();
    await page.getByText('Homework').waitFor();
    await expectReadable(page);
    await page.getByText(say.lost, { exact: true }).click();
    await page.getByText(say.lostRecords).waitFor();
    expect(await page.getByText('Homework').count()).toBe(0);

    await go(mates);
    expect(await page.getByRole('listitem').filter({ hasText: say.you }).textContent()).toContain('4');
    await expectReadable(page);

    await go(news);
    await page.getByRole('heading', { name: 'School fair' }).waitFor();
    await expectReadable(page);

    await go(account);
    await expectReadable(page);
    await page.getByLabel(say.old).fill(studentPassword);
    await page.getByLabel(say.fresh).fill('battery staple');
    await page.getByRole('button', { name: say.change }).click();
    await page.getByText(say.changed).waitFor();
    // Back to what the next case signs in with.
    await page.getByLabel(say.old).fill('battery staple');
    await page.getByLabel(say.fresh).fill(studentPassword);
    await page.getByRole('button', { name: say.change }).click();
    await expect.poll(() => page.getByLabel(say.fresh).inputValue()).toBe('');
    expect(complaints).toEqual([]);
    await page.getByLabel(say.old).fill('something else');
    await page.getByLabel(say.fresh).fill('correct horse');
    await page.getByRole('button', { name: say.change }).click();
    await page.getByText(say.wrong).waitFor();
    expect(await page.getByLabel(say.fresh).inputValue()).toBe('correct horse');

    await page.getByRole('button', { name: say.signOut }).click();
    await page.waitForURL(`${served.origin}/`);
    expect(await page.evaluate("localStorage.getItem('classledger.student-token')")).toBeNull();
    expect(foreign).toEqual([]);
    await context.close();
  });
});

it('a student whose password is set anew signs in again and goes on', async () => {
  const { page, context } = await open({ screen: 'phone', colorScheme: 'light' }, 'en');
  const { id, username } = student(0);
  await signIn(page, 'en', username, studentPassword);
  await page.getByText('No. 1 of 3').waitFor();
  const { schoolDb } = served.school;
  await served.admin.patch(`/users/${id}`, { schoolDb, password: 'set by a teacher' });
  await page.getByRole('link', { name: 'Records', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password', { exact: true }).fill('set by a teacher');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Won the race').waitFor();
  await context.close();
}, 90_000);

it('the installed app opens without a network, and keeps no answer of the API', async () => {
  const { page, context } = await open({ screen: 'phone', colorScheme: 'light' }, 'en');
  await signIn(page, 'en', student(2).username, studentPassword);
  await page.getByText('No. 3 of 3').waitFor();
  await page.evaluate('navigator.serviceWorker.ready');
  await page.reload();
  await page.getByText('No. 3 of 3').waitFor();
  const kept = (await page.evaluate(`(async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const keys = await Promise.all(caches_.map((cache) => cache.keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  })()`)) as string[];
  expect(kept).toContain('/student');
  expect(kept.filter((path) => !/^\/(?:assets\/.+|student|first-paint\.js|icon\.svg)$/.test(path))).toEqual(
    [],
  );
  await context.setOffline(true);
  await page.reload();
  await page.getByText('The server cannot be reached.', { exact: false }).waitFor();
  await context.close();
}, 90_000);
