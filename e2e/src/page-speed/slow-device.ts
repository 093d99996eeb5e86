import type { Page } from 'playwright-core';

/** A cheap phone. */
const slowdown = 4;

/** Lighthouse's slow 4G. */
const slow4G = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
};

/** Slows a page down to a cheap phone, and its network to slow 4G. */
export async function throttlePage(page: Page, { network }: { readonly network: boolean }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  if (!network) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow4G);
}
