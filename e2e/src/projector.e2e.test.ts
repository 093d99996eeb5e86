import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from './harness/browser.ts';
import { cardOf, openAsTeacher, type ScoringSchool, startScoringSchool } from './harness/scoring-school.ts';

let school: ScoringSchool;
let browser: Browser;

beforeAll(async () => {
  school = await startScoringSchool();
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
});

describe('the projector', { timeout: 60_000 }, () => {
  it('shows the leaders live, and hides minus points and names', async () => {
    const { admin, schoolDb, classId } = school;
    const [first, second] = (await admin.get(`/users?schoolDb=${schoolDb}&classId=${classId}`)).data as {
      id: number;
    }[];
    const give = (userId: number | undefined, scoreChange: number) =>
      admin.created('/scores/add', { schoolDb, userId, scoreChange });
    await give(first?.id, 50);
    await give(first?.id, -20);
    await give(second?.id, 40);

    const { page, context, complaints, foreign } = await openAsTeacher(browser, school, '/scoring');
    await page.getByRole('link', { name: 'Projector' }).click();
    await page.getByRole('heading', { level: 1, name: /Class A/ }).waitFor();
    const board = page.getByRole('list', { name: 'Students by points' });
    const shown = async () =>
      (await board.getByRole('listitem').allInnerTexts()).map((text) =>
        text
          .split(/\s*\n\s*/)
          // What was just given stands there for a moment.
          .filter((part) => !part.startsWith('+'))
          .join(' '),
      );
    await expect.poll(shown).toContain('1 Student 2 40');
    expect(await shown()).toContain('2 Student 1 30');
    expect((await shown()).length).toBe(10);

    await give(first?.id, 30);
    await board.getByText('+30').waitFor();
    await expect.poll(shown).toContain('2 Student 2 40');

    await page.getByRole('button', { name: 'What is shown' }).click();
    await page.getByRole('switch', { name: 'Hide minus points' }).click();
    await expect.poll(shown).toContain('1 Student 1 80');
    await page.getByRole('combobox', { name: 'Names' }).click();
    await page.getByRole('option', { name: 'Numbers' }).click();
    await expect.poll(shown).toContain('1 No. 1 80');
    await page.locator('label', { hasText: 'Everybody' }).click();
    await expect.poll(async () => (await shown()).length).toBe(60);
    expect((await shown()).join()).not.toContain('Student');

    await page.reload();
    await expect.poll(async () => (await shown()).length).toBe(60);
    expect((await shown()).join()).not.toContain('Student');
    await page.getByRole('link', { name: 'Back to scoring' }).click();
    await cardOf(page, 1).waitFor();
    expect([complaints, foreign]).toEqual([[], []]);
    await context.close();
  });
});
