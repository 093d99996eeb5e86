import type { Page } from 'playwright-core';

/** Opens an address inside the administrators' app, like a link, without a reload. */
export async function navigateInApp(page: Page, { href, pathname }: URL): Promise<void> {
  const isOtherPage = pathname !== new URL(page.url()).pathname;
  if (isOtherPage) await page.evaluate(`document.querySelector('h1')?.setAttribute('data-left', '')`);
  await page.evaluate(`history.pushState({}, '', '${href}')`);
  if (isOtherPage) await page.locator('[data-left]').waitFor({ state: 'detached' });
}
