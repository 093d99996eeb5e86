import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startScoringSchool } from './harness/scoring-school.ts';
import { openAs } from './harness/served-school.ts';

const school = await startScoringSchool();

describe('The projector', () => {
  it('shows new points live, fits a class of sixty on one screen, and remembers the setting', async () => {
    const { admin, schoolDb, classId } = school;
    const [first, second] = (await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}`)).data as {
      id: number;
    }[];
    const give = (userId: number | undefined, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb, userId, scoreChange });
    await give(first?.id, 50);
    await give(first?.id, -20);
    await give(second?.id, 40);

    const prepare = (opened: Page) => opened.clock.install();
    const { page, complaints } = await openAs(school, 'class', '/projector', { prepare });
    await page.getByRole('heading', { level: 1, name: /Class A/ }).waitFor();
    const board = page.getByRole('list', { name: 'Students by points' });
    const entries = board.getByRole('listitem');
    const shown = async () =>
      (await entries.allInnerTexts()).map((text) =>
        text
          .split(/\s*\n\s*/)
          .filter((part) => !part.startsWith('+'))
          .join(' '),
      );
    await expect.poll(shown).toContain('1 Student 2 40');
    expect((await shown()).length).toBe(10);
    // They disappear after seconds of the page's clock, which stands still here.
    await page.clock.pauseAt(Date.now() + 30_000);
    await give(first?.id, 30);
    const gained = async () => {
      await page.clock.runFor(500);
      return board.getByText('+30').isVisible();
    };
    await expect.poll(gained).toBe(true);
    await page.clock.resume();
    await expect.poll(shown).toContain('1 Student 1 60');

    await page.getByRole('button', { name: 'Display settings' }).click();
    await page.locator('label', { hasText: 'Everyone' }).click();
    await expect.poll(async () => (await shown()).length).toBe(60);
    await expect
      .poll(() => page.evaluate('document.scrollingElement.scrollHeight - innerHeight'))
      .toBeLessThanOrEqual(0);
    await page.reload();
    await expect.poll(async () => (await shown()).length).toBe(60);
    expect(complaints).toEqual([]);
  });
});
