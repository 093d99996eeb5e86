import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until a menu or dialog has the focus. It is visible a moment earlier, and would lose keys. */
export const waitForFocusIn = (page: Page, role: 'menu' | 'dialog'): Promise<void> =>
  expect.poll(() => page.evaluate(`document.activeElement.closest('[role="${role}"]') !== null`)).toBe(true);
