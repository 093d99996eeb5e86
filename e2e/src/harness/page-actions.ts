import type { Locator, Page, Route } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { expect } from 'vitest';

/** Opens an address inside the administrators' app, like a link, without a reload. */
export async function navigateInApp(page: Page, { href, pathname }: URL): Promise<void> {
  const isOtherPage = pathname !== new URL(page.url()).pathname;
  if (isOtherPage)
    await page.evaluate(`document.querySelector('h1')?.setAttribute('data-previous-page', '')`);
  await page.evaluate(`history.pushState({}, '', '${href}')`);
  if (isOtherPage) await page.locator('[data-previous-page]').waitFor({ state: 'detached' });
}

/** Chooses an option in a field of the page, or of a part of it. */
export async function chooseOption(
  page: Page,
  field: string,
  option: string,
  where: Page | Locator = page,
): Promise<void> {
  await where.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).first().click();
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

/** Returns by how many pixels the page is wider than its screen; negative if it is narrower. */
export const pixelsBeside = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - window.innerWidth');

/** Decodes a QR code from a screenshot. */
export async function readQr(drawn: Locator): Promise<string> {
  const picture = (await drawn.screenshot()).toString('base64');
  // Our pages forbid images from data addresses, so an empty page decodes it.
  const reader = await drawn.page().context().newPage();
  const { width, height, pixels } = (await reader.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${picture}'), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data, width, height } = canvas.getImageData(0, 0, image.width, image.height);
    return { width, height, pixels: [...data] };
  })()`)) as { readonly width: number; readonly height: number; readonly pixels: number[] };
  await reader.close();
  return decodeQR({ width, height, data: Uint8Array.from(pixels) });
}

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

export type Box = Awaited<ReturnType<typeof boxOf>>;

export async function boxOf(thing: Locator) {
  const box = await thing.boundingBox();
  if (!box) throw new Error(`${thing} is not there`);
  return box;
}
