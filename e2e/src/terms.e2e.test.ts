import { beforeAll, describe, expect, it } from 'vitest';
import { loseAnswer } from './harness/files.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

beforeAll(async () => {
  const { schoolDb, grades } = school.school;
  const scores = [
    [2, 'Homework'],
    [3, '=Reading'],
    [-1, 'Late'],
  ] as const;
  for (const { students } of grades[0].classes) {
    for (const [scoreChange, description] of scores) {
      const body = { schoolDb, userId: students[0]?.id, scoreChange, description };
      await school.admin.post('/scores/add', body);
    }
  }
});

describe('terms', () => {
  it('of several classes are closed once each, even when an answer gets lost', async () => {
    const { page, complaints } = await openAs(school, 'grade', '/terms');
    await page.getByText('No past terms yet').waitFor();
    await page.getByRole('button', { name: 'End term' }).first().click();
    const wizard = page.getByRole('dialog', { name: 'End term' });
    await wizard.getByRole('checkbox', { name: 'All of Grade 1' }).check();
    await wizard.getByText('2 classes selected').waitFor();
    await wizard.getByRole('button', { name: 'Next' }).click();
    await wizard.getByRole('textbox', { name: 'Term name' }).fill('Autumn');
    await wizard.getByText(/for 2 classes: 6 students, \d records/).waitFor();
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'End the term and keep the ranking?' });
    await expect
      .poll(() => confirm.getByRole('button', { name: 'End and keep ranking' }).isDisabled())
      .toBe(true);
    await confirm.getByRole('textbox').fill('Autumn');

    // The second class is closed, but the answer gets lost.
    const switches = await loseAnswer(page, '**/api/admin/term-switch', 2);
    await confirm.getByRole('button', { name: 'End and keep ranking' }).click();
    await wizard.getByText('2 terms have ended. New ones have begun.').waitFor();
    // The lost answer was asked for again, under the same key.
    expect(switches()).toBe(3);
    await wizard.getByRole('link', { name: 'Show ranking' }).nth(1).click();
    await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
    const best = page.getByRole('table', { name: 'Final ranking' }).getByRole('row').nth(1);
    await expect.poll(() => best.textContent()).toContain('s1b1+4+5−13');

    // By the keyboard: the notice of the lost connection may just have gone and moved the page.
    await page.getByRole('link', { name: 'Show records' }).press('Enter');
    await page.getByText('3 records', { exact: true }).waitFor();
    await page.getByText('These records belong to a past term.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(complaints.filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
  });

  it('may be reset instead, which keeps no standings', async () => {
    const { page, complaints } = await openAs(school, 'class', '/terms');
    await page.getByRole('button', { name: 'End term' }).click();
    const wizard = page.getByRole('dialog', { name: 'End term' });
    await wizard.getByRole('radio', { name: 'Discard ranking' }).click();
    await wizard.getByRole('textbox', { name: 'Term name' }).fill('Trial');
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'End the term and discard the ranking?' });
    await confirm.getByRole('textbox').fill('Trial');
    await confirm.getByRole('button', { name: 'End and discard' }).click();
    await wizard.getByText('The term has ended. A new one has begun.').waitFor();
    await expect.poll(() => wizard.getByRole('link').count()).toBe(0);
    await wizard.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Trial.*Ranking discarded/ })
      .getByRole('link')
      .click();
    await page.getByText('The ranking was discarded').waitFor();
    expect(complaints).toEqual([]);
  });
});
