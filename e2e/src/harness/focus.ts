import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Waits until the focus is in a menu or dialog: it takes the focus, and listens to keys, a moment after it can be seen.
 * A key that is pressed before is lost.
 */
export const focusIn = (page: Page, role: 'menu' | 'dialog'): Promise<void> =>
  expect.poll(() => page.evaluate(`document.activeElement.closest('[role="${role}"]') !== null`)).toBe(true);
