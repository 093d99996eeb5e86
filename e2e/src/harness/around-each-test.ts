import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { openContexts } from './browser.ts';

const folder = resolve(import.meta.dirname, '../../../test-failures');

let openBefore: readonly BrowserContext[] = [];

beforeEach(async () => {
  openBefore = await openContexts();
});

afterEach(async ({ task }) => {
  const contexts = await openContexts();
  if (task.result?.state === 'fail')
    await keepWhatIsShown(`${task.file.name} ${task.fullTestName}`, contexts);
  await close(contexts.filter((context) => !openBefore.includes(context)));
});

afterAll(async () => close(await openContexts()));

/** A route that is still being answered would fail with its page and end the run. */
const close = (contexts: readonly BrowserContext[]) =>
  Promise.all(
    contexts.map(async (context) => {
      const routed = [context, ...context.pages()];
      await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})));
      await context.close();
    }),
  );

/** Saves a picture and the accessibility tree of each open page, and prints the file's name. */
async function keepWhatIsShown(test: string, contexts: readonly BrowserContext[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [n, page] of contexts.flatMap((context) => context.pages()).entries()) {
    const file = join(folder, `${test.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 150)}-${n + 1}`);
    try {
      await page.screenshot({ path: `${file}.png`, timeout: 10_000 });
      await writeFile(
        `${file}.txt`,
        `${page.url()}\n${await page.locator('body').ariaSnapshot({ timeout: 10_000 })}\n`,
      );
      console.error(`What was shown: ${file}.png`);
    } catch (error) {
      console.error(`Nothing can be shown of ${page.url()}: ${error}`);
    }
  }
}
