import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

/** The file that a click saves. */
export async function savedFile(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await download.path());
}

/** The lines of the CSV file that a click saves. */
export const savedLines = async (page: Page, button: Locator): Promise<string[]> =>
  (await savedFile(page, button)).toString().trim().split('\r\n');

/** Chooses a file where the page asks for one. */
export const chooseFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

/** Lets one call to a path take effect and its answer get lost. @returns how many calls there were so far */
export async function loseAnswer(page: Page, path: string, lost: number): Promise<() => number> {
  let calls = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    calls += 1;
    if (calls !== lost) return route.continue();
    await route.fetch();
    return route.abort();
  });
  return () => calls;
}
