import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';

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
