import type { Page } from 'playwright-core';

/**
 * Goes on to an address of the administrators' app, as a link does: nothing is loaded anew, and what came in the last seconds
 * is not asked for again.
 */
export async function follow(page: Page, { href, pathname }: URL): Promise<void> {
  const isOtherPage = pathname !== new URL(page.url()).pathname;
  if (isOtherPage) await page.evaluate(`document.querySelector('h1')?.setAttribute('data-left', '')`);
  await page.evaluate(`history.pushState({}, '', '${href}')`);
  if (isOtherPage) await page.locator('[data-left]').waitFor({ state: 'detached' });
}
