import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureWebBuilt } from '../../server/src/commands/build-web.ts';
import { startTestApp, superAdmin } from '../../server/test/test-app.ts';
import { barriers } from './harness/barriers.ts';
import { launchBrowser, looks, openWatched, type WatchedPage } from './harness/browser.ts';

let browser: Browser;
let origin: string;

beforeAll(async () => {
  await ensureWebBuilt();
  const app = await startTestApp();
  const admin = await app.signIn();
  await admin.post('/schools', { name: 'Riverside School' });
  await admin.post('/announcements', { title: 'News', content: '<p>Hello</p>', type: 'info', active: true });
  origin = await app.listen();
  browser = await launchBrowser();
}, 180_000);

afterAll(() => browser?.close());

const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

async function expectQuiet({ page, complaints, foreign, context }: WatchedPage): Promise<void> {
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
  await context.close();
}

const words = {
  en: {
    lang: 'en',
    start: 'Points that a whole class can trust.',
    admins: 'For administrators',
    students: 'For students',
    username: 'Username',
    password: 'Password',
    signIn: 'Sign in',
    dashboard: 'Dashboard',
    scoring: 'Scoring',
  },
  zh: {
    lang: 'zh-CN',
    start: '全班都信得过的积分。',
    admins: '管理员登录',
    students: '学生登录',
    username: '用户名',
    password: '密码',
    signIn: '登录',
    dashboard: '概览',
    scoring: '评分',
  },
} as const;

type Language = keyof typeof words;

async function open(look: (typeof looks)[number], language: Language, path: string): Promise<WatchedPage> {
  const watched = await openWatched(browser, origin, look);
  const { lang } = words[language];
  await watched.context.addInitScript(`localStorage.setItem('classledger.language', '${lang}')`);
  await watched.page.goto(origin + path);
  return watched;
}

async function signIn(page: Page, language: Language): Promise<void> {
  const { username, password, signIn: button } = words[language];
  await page.getByLabel(username, { exact: true }).fill(superAdmin.username);
  await page.getByLabel(password, { exact: true }).fill(superAdmin.password);
  await page.getByRole('button', { name: button, exact: true }).click();
}

const cases = looks.flatMap((look) => (['en', 'zh'] as const).map((language) => ({ ...look, language })));

// A browser on a busy machine takes its time.
describe.each(cases)('on a $screen in $colorScheme in $language', { timeout: 90_000 }, (look) => {
  const { language } = look;
  const say = words[language];

  it('the start page shows the news and the ways in, quietly', async () => {
    const watched = await open(look, language, '/');
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: say.start }).waitFor();
    await page.getByRole('heading', { name: 'News' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe(say.lang);
    expect(await page.getAttribute('html', 'data-mantine-color-scheme')).toBe(look.colorScheme);
    expect(await page.getByRole('link', { name: /API/ }).getAttribute('href')).toBe('/docs');
    await expectQuiet(watched);
  });

  it('an administrator signs in and sees the shell, quietly', async () => {
    const watched = await open(look, language, '/admin');
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name: say.admins }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await signIn(page, language);
    await page.getByRole('heading', { level: 1, name: say.dashboard }).waitFor();
    expect(await page.title()).toContain(say.dashboard);
    await page.getByRole('link', { name: say.scoring, exact: true }).first().waitFor();
    await expectQuiet(watched);
  });

  it('a student finds the way in, quietly', async () => {
    const watched = await open(look, language, '/student/records');
    await watched.page.getByRole('heading', { level: 1, name: say.students }).waitFor();
    await expectQuiet(watched);
  });
});

it('a session that has ended is renewed over the page, and the page goes on', async () => {
  const look = { screen: 'desktop', colorScheme: 'light' } as const;
  const { page, context } = await open(look, 'en', '/admin/terms');
  await signIn(page, 'en');
  await page.getByRole('heading', { level: 1, name: 'Terms' }).waitFor();
  await context.clearCookies();
  await page.clock.install();
  // Somebody comes back to the page after a while: what it shows is asked for again.
  await page.clock.fastForward(60_000);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByLabel('Username').fill(superAdmin.username);
  await dialog.getByLabel('Password', { exact: true }).fill(superAdmin.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { level: 1, name: 'Terms' }).isVisible()).toBe(true);
  await context.close();
}, 90_000);

it('the pages let no script and no style of others in', async () => {
  for (const path of ['/', '/admin/students', '/student']) {
    const [first, second] = await Promise.all([fetch(origin + path), fetch(origin + path)]);
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([\w-]{20,})'/.exec(policy)?.[1] ?? 'missing';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(await first.text()).toContain(`nonce="${nonce}"`);
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
  }
});

it('files of the build come compressed and are kept for ever, and nothing else can be asked for', async () => {
  const html = await (await fetch(`${origin}/admin`)).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const answer = await fetch(origin + script, { headers: { 'accept-encoding': 'br' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
  expect(answer.headers.get('cache-control')).toContain('immutable');
  for (const path of ['/assets/none.js', '/admin.html', '/.vite/manifest.json', '/assets/..%2fadmin.html']) {
    expect((await fetch(origin + path)).status).toBe(404);
  }
});
