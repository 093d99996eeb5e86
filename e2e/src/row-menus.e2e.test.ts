import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { focusIn } from './harness/focus.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

/** Opens the first row's menu by keyboard. @returns a check that its button has the focus again */
async function openFirst(page: Page): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name: /^Actions for/ }).first();
  const label = await button.getAttribute('aria-label');
  const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
  // A menu that is fading out must not be mistaken for the new one.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await button.press('Enter');
  await focusIn(page, 'menu');
  return () => expect.poll(focused).toBe(label);
}

describe('The menu of a row', () => {
  const entriesOf = {
    '/structure': ['Rename'],
    '/api-tokens': ['Revoke'],
    '/students': ['Edit', 'Move to another class', 'Delete'],
  };

  it('returns the focus to its button when it closes, and when its dialog closes', async () => {
    const { page, complaints } = await openAs(school, 'school', '/structure', { calm: false });
    for (const [path, entries] of Object.entries(entriesOf)) {
      if (path !== '/structure') await page.goto(`${school.origin}/admin${path}`);
      const closed = await openFirst(page);
      await page.keyboard.press('Escape');
      await closed();
      for (const entry of entries) {
        const hasFocus = await openFirst(page);
        await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter');
        await focusIn(page, 'dialog');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Cancel' }).press('Escape');
        await hasFocus();
        await dialog.waitFor({ state: 'detached' });
      }
      if (path === '/students') await expectFocusKept(page);
      expect(complaints, path).toEqual([]);
    }
  });

  it('closes at a second tap on its button', async () => {
    const { page, complaints } = await openAs(school, 'school', '/students', { screen: 'phone' });
    const button = page.getByRole('button', { name: /^Actions for/ }).first();
    await button.tap();
    await page.getByRole('menu').waitFor();
    await button.tap();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

/** Covers two dialogs in a row, and actions that reload the row. */
async function expectFocusKept(page: Page): Promise<void> {
  const act = async (entry: string) => {
    const hasFocus = await openFirst(page);
    await page.getByRole('menuitem', { name: entry }).press('Enter');
    return hasFocus;
  };
  const dialog = page.getByRole('dialog');
  const confirm = (name: string) => dialog.getByRole('button', { name }).press('Enter');
  const passwordReset = await act('Reset password');
  await confirm('Reset password');
  await confirm('Done');
  await passwordReset();

  const disabled = page.getByRole('row').nth(1).getByText('Disabled');
  const isDisabled = await act('Disable');
  await confirm('Disable');
  await disabled.waitFor();
  await isDisabled();
  const isEnabled = await act('Enable');
  await disabled.waitFor({ state: 'detached' });
  await isEnabled();
}
