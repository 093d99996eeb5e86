import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import writeExcelFile from 'write-excel-file/node';

/** Clicks a button and reads the file that it saves. */
export async function downloadFile(
  page: Page,
  button: Locator,
  by: 'mouse' | 'keyboard' = 'mouse',
): Promise<Buffer> {
  const press = () => (by === 'mouse' ? button.click() : button.press('Enter'));
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return readFile(await download.path());
}

/** Reads the lines of the CSV file that a button saves. */
export const downloadLines = async (...saved: Parameters<typeof downloadFile>): Promise<string[]> =>
  (await downloadFile(...saved)).toString().trim().split('\r\n');

/** Chooses a file in the page's file field. */
export const chooseFile = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });

/** Drops the answer of one call after it took effect. @returns a counter of the calls so far */
export async function dropAnswer(
  page: Page,
  path: string,
  lost: number,
  method = 'POST',
): Promise<() => number> {
  let calls = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.continue();
    calls += 1;
    if (calls !== lost) return route.continue();
    await route.fetch();
    return route.abort();
  });
  return () => calls;
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
