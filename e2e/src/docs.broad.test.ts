import Fastify from 'fastify';
import { afterAll, afterEach, expect, it } from 'vitest';
import { documentationRoutes } from '../../server/src/features/documentation/routes.ts';
import { pageRoutes } from '../../server/src/features/web/page-routes.ts';
import { axeViolations } from './harness/axe-violations.ts';
import { openWatchedPage, screens, sharedBrowser } from './harness/browser.ts';
import { pixelsBeside } from './harness/page-actions.ts';

const app = Fastify();
await app.register(pageRoutes);
await app.register(documentationRoutes, { version: '1.2.3', keyLengthMax: 128 });
// Stands in for the external API.
app.all('/api/v1/*', async ({ method, url, headers }) => ({
  code: 0,
  method,
  url,
  heard: headers.authorization,
}));
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());

/** The tests share this page, and some continue where the test before ended. */
const { page, complaints } = await openWatchedPage(origin, { screen: 'phone', reducedMotion: false });
const search = page.getByRole('searchbox');

afterEach(() => expect(complaints).toEqual([]));

async function lookLike(screen: 'desktop' | 'phone', colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(screens[screen]);
  await page.emulateMedia({ colorScheme });
}

const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');

it('The guide shows all chapters, links to them, fits both screens and has no accessibility violations', async () => {
  await page.goto(`${origin}/docs/guide?lang=en`);
  await page
    .getByRole('heading', { level: 1, name: 'How do I connect my program to Classledger?' })
    .waitFor();
  await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBeGreaterThan(10);
  for (const screen of ['desktop', 'phone'] as const) {
    await lookLike(screen, 'light');
    expect(await background()).toBe('rgb(255, 255, 255)');
    expect(await pixelsBeside(page)).toBe(0);
    if (screen === 'phone') await page.getByText('On this page', { exact: true }).click();
    else expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.waitForURL(/#limits$/);
    await expect.poll(() => page.getByRole('heading', { name: 'Limits' }).isVisible()).toBe(true);
    await page.goto(`${origin}/docs/guide?lang=en#`);
  }
  await lookLike('phone', 'dark');
  expect(await background()).toBe('rgb(17, 22, 28)');
  expect(await axeViolations(page, { rules: ['color-contrast'] })).toEqual([]);
});

it('Every code block of the guide has a button that copies it', async () => {
  const blocks = page.locator('.code');
  // Waits for the word from before the click, because it is shown only for a moment.
  await Promise.all([
    blocks.first().getByText('Copied', { exact: true }).waitFor(),
    blocks
      .first()
      .getByRole('button', { name: /^Copy this block/ })
      .click(),
  ]);
  expect(await page.locator('.code button:visible').count()).toBe(await blocks.count());
});

it.each([
  { screen: 'phone', colorScheme: 'light', language: 'zh', summary: /撤销一条积分记录/ },
  { screen: 'desktop', colorScheme: 'dark', language: 'en', summary: /Revoke a point record/ },
] as const)(
  'The reference opens linked operations, finds them and has no accessibility violations on a $screen in $language',
  async ({ screen, colorScheme, language, summary }) => {
    await lookLike(screen, colorScheme);
    await page.goto(`${origin}/docs?lang=${language}#updateStudent`);
    await page.getByRole('heading', { level: 1, name: 'Classledger API' }).waitFor();
    await expect.poll(() => page.locator('#updateStudent').isVisible()).toBe(true);
    await search.fill('scores:revoke');
    await expect.poll(() => page.locator('.operation:visible').count()).toBe(1);
    await page.locator('summary', { hasText: summary }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#revokeScore').getByText('scores:revoke').waitFor();
    await page.locator('#revokeScore .try > summary').click();
    // Operations look alike, so the first look examines one of them, which takes half as long.
    if (screen === 'phone') expect(await axeViolations(page)).toEqual([]);
    await search.fill('');
    expect(await pixelsBeside(page)).toBe(0);
    if (screen === 'desktop') expect(await axeViolations(page)).toEqual([]);
  },
);

it('The search finds fields, error codes, headers and webhooks, and a phone shows the first hit above the keyboard', async () => {
  await lookLike('phone', 'dark');
  const shown = page.locator(':is(.operation, .chapter > .failures > div):visible');
  for (const [word, hit] of [
    ['cardNumber', 'List the students'],
    ['40901', '40901'],
    ['42901', 'RATE_LIMITED'],
    ['X-RateLimit', 'X-RateLimit-Limit'],
    ['score.revoked', 'A point record was revoked'],
    ['webhook-signature', 'A student entered the range'],
  ] as const) {
    await search.fill(word);
    await expect.poll(() => shown.first().textContent()).toContain(hit);
    const { y, height } = (await shown.first().boundingBox()) ?? { y: Infinity, height: 0 };
    // The keyboard covers the lower part of the screen.
    expect(y + height).toBeLessThan(500);
  }
  await search.fill('nothing like this');
  await page.getByText('Nothing found. Try a shorter word.').waitFor();
  expect(await axeViolations(page, { rules: ['color-contrast'] })).toEqual([]);
});

it('The reference tries operations: it omits empty fields, confirms deletions and stores no credential', async () => {
  await lookLike('desktop', 'light');
  await search.fill('');
  await page.goto(`${origin}/docs?lang=en#listStudents`);
  const list = page.locator('#listStudents');
  await list.locator('.try > summary').click();
  await list.getByLabel('Credential').fill('cls_secret');
  await list.getByLabel('keyword').fill('Ada & Ben');
  await list.getByRole('button', { name: 'Send' }).click();
  await list.getByText('"heard": "Bearer cls_secret"').waitFor();
  expect(await list.getByRole('status').textContent()).toContain(
    '"url": "/api/v1/students?keyword=Ada+%26+Ben"',
  );

  await page.goto(`${origin}/docs?lang=en#deleteStudent`);
  const deletion = page.locator('#deleteStudent');
  await deletion.locator('.try > summary').click();
  // All operations share the credential.
  expect(await deletion.getByLabel('Credential').inputValue()).toBe('cls_secret');
  await deletion.getByLabel('id').fill('12');
  for (const answer of ['Cancel', 'Send it']) {
    await deletion.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByText('DELETE /api/v1/students/12?confirm=true').waitFor();
    expect(await deletion.getByRole('status').textContent()).toBe('');
    await page.getByRole('button', { name: answer, exact: true }).click();
  }
  await deletion.getByText('"method": "DELETE"').waitFor();

  const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  await expect.poll(() => page.evaluate(kept)).not.toContain('secret');
  await expect.poll(() => page.evaluate('indexedDB.databases()')).toEqual([]);
  await page.reload();
  expect(await page.locator('#ping').getByLabel('Credential').inputValue()).toBe('');
});

it('The reference of the internal API opens an operation and fits a phone', async () => {
  await lookLike('phone', 'light');
  await page.goto(`${origin}/docs/internal#addScores`);
  await page.getByRole('heading', { name: 'Give points to up to 200 students' }).waitFor();
  await page.locator('#addScores').getByText('For administrators:').waitFor();
  expect(await pixelsBeside(page)).toBe(0);
});

it('The guide is readable without JavaScript', async () => {
  const plain = await (await sharedBrowser()).newPage({ javaScriptEnabled: false });
  await plain.goto(`${origin}/docs/guide#limits`);
  await expect.poll(() => plain.getByRole('heading', { name: 'Limits' }).isVisible()).toBe(true);
  await expect.poll(() => plain.getByRole('navigation', { name: 'Contents' }).isVisible()).toBe(true);
});
