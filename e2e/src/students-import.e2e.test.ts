import { describe, expect, it } from 'vitest';
import { chooseFile, loseAnswer, savedLines, xlsxOf } from './harness/files.ts';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

/** Mostly valid rows, some with names that look like formulas. */
function officeList(count: number): string[][] {
  const rows = Array.from({ length: count }, (_, n) => [
    `n${n}`,
    `Pupil ${n}`,
    n % 2 ? 'Grade 1' : 'Grade 2',
    'Class A',
    '',
  ]);
  const change = (row: number, column: number, value: string) => {
    const cells = rows[row];
    if (cells) cells[column] = value;
  };
  change(3, 1, '=HYPERLINK("http://evil","x")');
  change(4, 1, '-2+3');
  change(10, 0, '');
  change(11, 0, 'n0');
  change(12, 0, 's1a1');
  change(13, 3, 'Class Z');
  change(14, 1, 'x'.repeat(101));
  // Only the server knows that this student has another external id.
  change(15, 0, 's1a2');
  change(15, 4, 'E-2');
  return [['Username', 'Name', 'Grade', 'Class', 'External ID'], ...rows];
}

describe('An import', () => {
  it('of 250 rows shows each result, survives a lost answer and a reload, and exports and prints the passwords', async () => {
    const pupil = school.school.grades[0].classes[0].students[1];
    const { schoolDb } = school.school;
    await school.admin.patch(`/users/${pupil?.id}`, { schoolDb, externalId: 'E-1' });
    const { page, complaints } = await openAs(school, 'school', '/students/import');
    const list = officeList(250);
    await chooseFile(page, 'list.xlsx', await xlsxOf(list));
    await page.getByText('250 rows in “list.xlsx”').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Import 245 students' }).waitFor();
    const kinds = page.getByRole('group', { name: 'Result of the check' });
    await kinds.getByRole('button', { name: '1 Changed' }).click();
    await page.getByText('Name: s1a1 → Pupil 12').waitFor();
    await kinds.getByRole('button', { name: 'Problems' }).click();
    const fates = page.getByRole('table', { name: 'Result for each row' });
    for (const problem of [
      'No username',
      'Duplicate username in the list',
      'Name too long',
      'The student already has a different external ID',
    ]) {
      await fates.getByText(problem).waitFor();
    }
    await kinds.getByRole('button', { name: '1 Waiting for a class' }).click();
    await fates.getByText('Added once the class “Grade 1 Class Z” exists').waitFor();

    await loseAnswer(page, '**/api/imports/*/students*', 2, 'PUT');
    await page.getByRole('button', { name: 'Import 245 students' }).click();
    await page.getByRole('heading', { name: 'Paused' }).waitFor();
    await page.reload();
    await page.getByText('The page was reloaded before this was finished.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('244 students added').waitFor();
    await page.getByText('1 student changed').waitFor();
    const skipped = page.getByText('5 rows were skipped').locator('..');
    await skipped.getByText('s1a2 The student already has a different external ID').waitFor();

    await page.getByRole('link', { name: 'Show students' }).click();
    await page.getByText('Leave without the passwords?').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const lines = await savedLines(page, page.getByRole('button', { name: 'Download CSV' }));
    expect(lines).toHaveLength(245);
    expect(lines.filter((line) => /(^|,)"?[=+\-@]/.test(line))).toEqual([]);
    expect(lines.some((line) => line.includes(`'-2+3`))).toBe(true);
    const [, , username = '', password = ''] = (lines[1] ?? '').split(',');
    await school.app.signInStudent(school.school.schoolDb, username, password);

    await page.evaluate('window.print = () => {}');
    await page.getByRole('button', { name: 'Print slips' }).click();
    await page.locator('[data-password-slips]').waitFor({ state: 'attached' });
    const paper = (await page.pdf()).toString('latin1');
    expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(32);

    await page.getByRole('link', { name: 'Show students' }).click();
    await page.getByText('256 students').waitFor();
    expect(complaints.filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
  });
});
