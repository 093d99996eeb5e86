import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { focusIn } from './harness/focus.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

/** Opens the menu of the first row with the keyboard; tells how to see that its button has the focus again. */
async function openFirst(page: Page): Promise<() => Promise<void>> {
  const button = page.getByRole('button', { name: /^Actions for/ }).first();
  const label = await button.getAttribute('aria-label');
  const focused = () => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
  // While another one fades away it could be taken for the one that opens now.
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await button.press('Enter');
  await focusIn(page, 'menu');
  return () => expect.poll(focused).toBe(label);
}

describe('the menu of a row', () => {
  // Each kind of entry, with each kind of dialog.
  const entriesOf = {
    '/structure': ['Rename'],
    '/api-tokens': ['Revoke'],
    '/students': ['Edit', 'Move to another class', 'Delete'],
  };

  it('gives the focus back when it is closed, and when a dialog that it opened is', async () => {
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

  it('is closed by the next tap in place', async () => {
    const { page, complaints } = await openAs(school, 'school', '/students', { screen: 'phone' });
    const button = page.getByRole('button', { name: /^Actions for/ }).first();
    await button.tap();
    await page.getByRole('menu').waitFor();
    await button.tap();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

/** Expects the focus back where one dialog of a student led to another, and while the student is disabled and enabled. */
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
