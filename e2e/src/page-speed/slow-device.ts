import type { Page } from 'playwright-core';

/** A phone of little money: a processor that takes four times as long. */
const slowdown = 4;

/** Slow 4G, as Lighthouse has it. */
const slow4G = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};

/** Makes a page as slow as on a device of little money, and its network as slow as one far from the next mast. */
export async function slowDown(page: Page, { network }: { readonly network: boolean }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (!network) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4G);
}
