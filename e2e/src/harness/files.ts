import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
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

/** Creates an XLSX file of these worksheets. */
export const xlsxOf = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<Buffer> =>
  writeExcelFile(
    Object.entries(sheets).map(([sheet, rows]) => ({
      sheet,
      data: rows.map((row) => row.map((value) => ({ value, type: String }))),
    })),
  ).toBuffer();
