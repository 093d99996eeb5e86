import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Opens an address inside the administrators' app, like a link, without a reload. */
export async function navigateInApp(page: Page, { href, pathname }: URL): Promise<void> {
  const isOtherPage = pathname !== new URL(page.url()).pathname;
  if (isOtherPage)
    await page.evaluate(`document.querySelector('h1')?.setAttribute('data-previous-page', '')`);
  await page.evaluate(`history.pushState({}, '', '${href}')`);
  if (isOtherPage) await page.locator('[data-previous-page]').waitFor({ state: 'detached' });
}

/** Waits until a menu or dialog has the focus. It is visible a moment earlier, and would lose keys. */
export const waitForFocusIn = (page: Page, role: 'menu' | 'dialog'): Promise<void> =>
  expect.poll(() => page.evaluate(`document.activeElement.closest('[role="${role}"]') !== null`)).toBe(true);

/** Calls `look`, which makes the page print, and checks that the paper appears alone and goes afterwards. */
export async function checkPrintout(page: Page, look: (paper: Locator) => Promise<void>): Promise<void> {
  await page.evaluate('window.print = () => {}');
  const paper = page.locator('[data-paper]');
  await look(paper);
  await page.emulateMedia({ media: 'print' });
  await paper.waitFor({ state: 'visible' });
  await page.getByRole('main').waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  await page.keyboard.press('Shift');
  await paper.waitFor({ state: 'detached' });
}
