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
  const [student] = grades[0].classes[0].students;
  for (const [scoreChange, description] of scores)
    await school.admin.post('/scores/add', { schoolDb, userId: student?.id, scoreChange, description });
});

describe('The term of a class', async () => {
  const { page, complaints } = await openAs(school, 'class', '/terms');
  const wizard = page.getByRole('dialog', { name: 'End term' });
  const begin = async (name: string) => {
    await page.getByRole('button', { name: 'End term' }).first().click();
    await wizard.getByRole('textbox', { name: 'Term name' }).fill(name);
  };

  it('ends once, even if the answer is lost', async () => {
    await page.getByText('No past terms yet').waitFor();
    await begin('Autumn');
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'End the term and keep the ranking?' });
    await confirm.getByRole('textbox').fill('Autumn');
    const switches = await loseAnswer(page, '**/api/admin/term-switch', 1);
    await confirm.getByRole('button', { name: 'End and keep ranking' }).click();
    await wizard.getByText('The term has ended. A new one has begun.').waitFor();
    expect(switches()).toBe(2);
    await wizard.getByRole('link', { name: 'Show ranking' }).click();
    await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
    const best = page.getByRole('table', { name: 'Final ranking' }).getByRole('row').nth(1);
    await expect.poll(() => best.textContent()).toContain('s1a1+4+5−13');
    expect(complaints.filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
  });

  it('can end without keeping the ranking', async () => {
    complaints.length = 0;
    await page.goto(`${school.origin}/admin/terms`);
    await begin('Trial');
    await wizard.getByRole('radio', { name: 'Discard ranking' }).click();
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
