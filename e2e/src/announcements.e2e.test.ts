import { describe, expect, it } from 'vitest';
import { openWatched } from './harness/browser.ts';
import { focusIn } from './harness/focus.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

describe('Editor of announcements', () => {
  it('keeps a draft on Escape and publishes pasted HTML without scripts, images or event handlers', async () => {
    const { page, complaints } = await openAs(school, 'super', '/announcements');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New announcement' }).first().click();
    await focusIn(page, 'dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('New term');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    const editor = dialog.getByRole('textbox', { name: 'Text' });
    await editor.click();
    // A list always starts at 1: the server would drop another number.
    await page.keyboard.type('3. Points start again.');
    await page.keyboard.press('Control+a');
    await dialog.getByRole('button', { name: 'Bold' }).click();
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    const linkBox = page.getByRole('textbox', { name: 'Address' });
    await linkBox.fill('example.org');
    await page.keyboard.press('Escape');
    await linkBox.waitFor({ state: 'detached' });
    await expect.poll(() => question.count()).toBe(0);
    await dialog.getByText('HTML', { exact: true }).click();
    const written = await editor.inputValue();
    expect(written).toBe('<ol><li><p><strong>Points start again.</strong></p></li></ol>');
    const pasted =
      '<script>hacked=1</script><img src=x onerror="hacked=1"><p onclick="hacked=1">On Monday.</p>';
    await editor.fill(written + pasted);
    const preview = dialog.getByRole('region', { name: 'Preview' });
    await preview.getByText('On Monday.').waitFor();
    await expect.poll(() => preview.locator('script, img, [onclick]').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The announcement is on the home page.').waitFor();
    expect(complaints).toEqual([]);

    const look = { screen: 'phone', colorScheme: 'dark' } as const;
    const visitor = await openWatched(school.origin, look);
    await visitor.page.goto(school.origin);
    const article = visitor.page.getByRole('article').filter({ hasText: 'New term' });
    await article.getByText('On Monday.').click();
    await expect.poll(() => article.locator('strong').textContent()).toBe('Points start again.');
    await expect.poll(() => article.locator('script, img, [onclick], [onerror]').count()).toBe(0);
    await expect.poll(() => visitor.page.evaluate('typeof hacked')).toBe('undefined');
    expect(visitor.complaints).toEqual([]);
  });
});
