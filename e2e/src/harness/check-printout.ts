import type { Locator, Page } from 'playwright-core';

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
