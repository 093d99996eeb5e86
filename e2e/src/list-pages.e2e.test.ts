import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAs, type Person, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

const pageIn = (page: Page) => new URL(page.url()).searchParams.get('page');

describe('a list', () => {
  const lists: [list: string, who: Person, path: string][] = [
    ['students', 'school', '/students'],
    ['records', 'school', '/records'],
    ['closed terms', 'school', '/terms'],
    ['ranked students', 'school', '/statistics'],
    ['credentials', 'school', '/api-tokens'],
    ['external calls', 'school', '/audit-log'],
    ['activity', 'school', '/activity'],
    ['administrators', 'super', '/administrators'],
    ['applications', 'super', '/applications'],
    ['announcements', 'super', '/announcements'],
  ];

  it.each(lists)('of %s shows its last page for one that is not there', async (_, who, path) => {
    const { page, complaints } = await openAs(school, who, `${path}?page=7`);
    await expect.poll(() => pageIn(page)).toBe(null);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('goes back to the first page when the only row of the second is deleted', async () => {
    for (let n = 1; n <= 21; n += 1) {
      const body = { title: `News ${n}`, content: '<p>Read.</p>', type: 'info', active: false };
      await school.admin.created('/announcements', body);
    }
    const { page, complaints } = await openAs(school, 'super', '/announcements?page=2');
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Actions for News 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('News 21').waitFor();
    expect(pageIn(page)).toBe(null);
    expect(complaints).toEqual([]);
  });
});
