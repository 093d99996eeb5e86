import { describe, expect, it } from 'vitest';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

describe('Governance', () => {
  it('distinguishes a wrong password from a range that changed meanwhile', async () => {
    const { page } = await openAs(school, 'grade', '/api-tokens');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New credential' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Campus card');
    await dialog.getByRole('button', { name: 'Read only' }).click();
    const heads = await school.admin.get(`/admin/list?schoolDb=${school.school.schoolDb}&search=head`);
    const [{ id }] = heads.data as [{ id: number }];
    const gradeId = school.school.grades[1].id;
    await school.admin.patch(`/admin/manage/${id}`, {
      role: 'grade_admin',
      schoolId: school.school.id,
      gradeId,
    });
    await dialog.getByLabel('Your password').fill('password of the grade');
    await dialog.getByRole('button', { name: 'Issue credential' }).click();
    await dialog.getByText(/Your responsibilities have changed/).waitFor();
    await expect.poll(() => dialog.getByText(/password is wrong/).count()).toBe(0);
  });
});
