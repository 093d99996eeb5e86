import { describe, expect, it } from 'vitest';
import { readRows } from '../../web/src/spreadsheets/read-rows.ts';
import { savedFile } from './harness/files.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

describe('The list of students', () => {
  it('sorts, selects, exports and searches five thousand students', async () => {
    const { pool } = school.app.database;
    await pool.query(
      `INSERT INTO student (school_id, class_id, username, actual_name, password_hash, created_at)
       SELECT $1, $2, 'many' || lpad(n::text, 4, '0'), 'Pupil ' || n, 'x', now() FROM generate_series(1, 5000) n`,
      [school.school.id, school.classId],
    );
    await pool.query('UPDATE class SET student_count = student_count + 5000 WHERE id = $1', [school.classId]);

    const { page, complaints } = await openAs(school, 'school', '/students?size=100');
    await page.getByText('5,012 students').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(101);
    await page.getByRole('checkbox').first().click();
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(101);
    await page.getByRole('checkbox').first().click();
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Username' }).click();
    await page.getByRole('row').nth(1).getByRole('cell', { name: 's2b3' }).last().waitFor();
    await page.getByRole('button', { name: 'Username' }).click();
    await page.getByRole('row').nth(1).getByRole('cell', { name: 'many0001' }).last().waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('cell', { name: 'many0101' }).waitFor();
    // A file this large must be packed within the Content-Security-Policy.
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = await savedFile(page, page.getByRole('menuitem', { name: /XLSX/ }));
    const file = Object.assign(new Blob([new Uint8Array(saved)]), { name: 'all.xlsx' });
    expect((await readRows(file)).rows).toHaveLength(5_013);
    await page.getByRole('searchbox', { name: 'Search' }).fill('many4711');
    await page.getByText('1 student', { exact: true }).waitFor();
    expect(page.url()).toContain('size=100');
    expect(complaints).toEqual([]);
  });
});
