import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { documentationRoutes } from '../../server/src/features/documentation/routes.ts';
import { pageRoutes } from '../../server/src/features/web/page-routes.ts';
import { barriers } from './harness/barriers.ts';
import { openWatched, theBrowser } from './harness/browser.ts';

const app = Fastify();
await app.register(pageRoutes);
await app.register(documentationRoutes, { version: '1.2.3', keyLengthMax: 128 });
// Stands in for the API, so that what readers try has someone to talk to.
app.all('/api/v1/*', async ({ method, url, headers }) => ({
  code: 0,
  method,
  url,
  heard: headers.authorization,
}));
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());

function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

it.each(['desktop', 'phone'] as const)(
  'the guide is complete, quiet and without barriers on a %s, in light and in dark',
  async (screen) => {
    const { page, complaints } = await openWatched(origin, { screen, colorScheme: 'light' });
    await page.goto(`${origin}/docs/guide`);
    await page.getByRole('heading', { level: 1, name: 'Classledger for integrators' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 2 }).count()).toBeGreaterThan(10);
    expect(await background(page)).toBe('rgb(255, 255, 255)');
    expect(await overflow(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background(page)).toBe('rgb(17, 22, 28)');
    expect(await barriers(page, { rules: ['color-contrast'] })).toEqual([]);

    if (screen === 'phone') await page.getByText('On this page', { exact: true }).click();
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await page.waitForURL(/#limits$/);
    await expect.poll(() => page.getByRole('heading', { name: 'Limits' }).isVisible()).toBe(true);

    expect(complaints).toEqual([]);
  },
);

it.each([
  {
    screen: 'desktop',
    colorScheme: 'dark',
    language: 'en',
    search: 'scores:revoke',
    summary: /Revoke a score record/,
  },
  {
    screen: 'phone',
    colorScheme: 'light',
    language: 'zh',
    search: 'scores:revoke',
    summary: /撤销一条积分记录/,
  },
] as const)(
  'the reference shows and finds operations, quietly and without barriers, on a $screen in $language',
  async ({ language, search, summary, ...look }) => {
    const { page, complaints } = await openWatched(origin, look);
    await page.goto(`${origin}/docs?lang=${language}`);
    await page.getByRole('heading', { level: 1, name: 'Classledger API' }).waitFor();
    await page.getByRole('searchbox').fill(search);
    await expect.poll(() => page.locator('.operation:visible').count()).toBe(1);
    await page.locator('summary', { hasText: summary }).focus();
    await page.keyboard.press('Enter');
    await page.locator('#revokeScore').getByText('scores:revoke').waitFor();
    await page.locator('#revokeScore .try > summary').click();
    await page.getByRole('searchbox').fill('');
    expect(await overflow(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);

    // Links of the viewer that came before.
    await page.goto(`${origin}/docs?lang=${language}#tag/students/PATCH/students/{id}`);
    await page.reload();
    await page.waitForURL(/#updateStudent$/);
    await expect.poll(() => page.locator('#updateStudent').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  },
);

it('the search finds fields, error codes and headers, and a phone shows them above the fold', async () => {
  const { page, complaints } = await openWatched(origin, { screen: 'phone', colorScheme: 'dark' });
  await page.goto(`${origin}/docs?lang=en`);
  const shown = page.locator(':is(.operation, .chapter > .failures > div):visible');
  for (const [word, hit] of [
    ['cardNumber', 'List the students'],
    ['40901', '40901'],
    ['42901', 'RATE_LIMITED'],
    ['X-RateLimit', 'X-RateLimit-Limit'],
    ['score.revoked', 'A score record was revoked'],
    ['webhook-signature', 'A student came into the range'],
  ] as const) {
    await page.getByRole('searchbox').fill(word);
    await expect.poll(() => shown.first().textContent()).toContain(hit);
    const { y, height } = (await shown.first().boundingBox()) ?? { y: Infinity, height: 0 };
    // A keyboard takes the lower part of the screen.
    expect(y + height).toBeLessThan(500);
  }
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByText('Nothing found. Try a shorter word.').waitFor();
  expect(await barriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('every block of the guide has a button that copies it, on a phone too', async () => {
  const { page } = await openWatched(origin, { screen: 'phone', colorScheme: 'light' });
  await page.goto(`${origin}/docs/guide?lang=en`);
  const blocks = page.locator('.code');
  const copy = blocks.first().getByRole('button', { name: /^Copy this block/ });
  await copy.click();
  await expect.poll(() => copy.textContent()).toBe('Copied');
  expect(await page.locator('.code button:visible').count()).toBe(await blocks.count());
});

it('the internal reference shows the other document, quietly', async () => {
  const look = { screen: 'phone', colorScheme: 'light' } as const;
  const { page, complaints } = await openWatched(origin, look);
  await page.goto(`${origin}/docs/internal#addScores`);
  await page.getByRole('heading', { name: 'Give points to up to 200 students' }).waitFor();
  await page.locator('#addScores').getByText('For administrators:').waitFor();
  expect(await overflow(page)).toBe(0);
  expect(complaints).toEqual([]);
});

it('readers try operations: what is left empty is not sent, what deletes is asked first, nothing is kept', async () => {
  const look = { screen: 'desktop', colorScheme: 'light' } as const;
  const { page, complaints } = await openWatched(origin, look);
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
  // Typed once for all operations.
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
  expect(complaints).toEqual([]);
});

it('the guide can be read without scripts', async () => {
  const context = await (await theBrowser()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${origin}/docs/guide#limits`);
  await expect.poll(() => page.getByRole('heading', { name: 'Limits' }).isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('navigation', { name: 'Contents' }).isVisible()).toBe(true);
});
