import { readFile } from 'node:fs/promises';
import type { Locator, Page, Route } from 'playwright-core';
import writeExcelFile from 'write-excel-file/node';

/** Presses a button and reads the file that it saves. Keys are safe: a notice may move the button away from a click. */
export async function downloadFile(page: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.press('Enter')]);
  return readFile(await download.path());
}

/** Reads the lines of the CSV file that a button saves. */
export const downloadLines = async (page: Page, button: Locator): Promise<string[]> =>
  (await downloadFile(page, button)).toString().trim().split('\r\n');

/** Chooses a file in the page's file field. */
export const chooseFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

/** Drops the answer of the first write after it took effect. */
export async function dropAnswer(page: Page, path: string): Promise<void> {
  let isDropped = false;
  await page.route(path, async (route) => {
    if (isDropped || route.request().method() !== 'POST') return route.continue();
    isDropped = true;
    await route.fetch();
    return route.abort();
  });
}

/** Holds matching requests until the returned function is called. Later ones pass at once. */
export async function holdRequests(
  page: Page,
  path: Parameters<Page['route']>[0],
  options?: Parameters<Page['route']>[2],
): Promise<() => void> {
  const release = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await release.promise;
    await route.continue();
  };
  await page.route(path, hold, options);
  return release.resolve;
}

type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>;

/** Creates an XLSX file of these worksheets. */
export const xlsxOf = (sheets: Sheets): Promise<Buffer> =>
  writeExcelFile(
    Object.entries(sheets).map(([sheet, rows]) => ({
      sheet,
      data: rows.map((row) => row.map((value) => ({ value, type: String }))),
    })),
  ).toBuffer();
