import { expect } from 'vitest';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as announcementTexts } from '../../../web/src/admin/installation/announcements/texts.ts';
import { texts as applicationTexts } from '../../../web/src/admin/installation/applications/texts.ts';
import { texts as schoolTexts } from '../../../web/src/admin/installation/school-texts.ts';
import { texts as securityTexts } from '../../../web/src/admin/installation/security/texts.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { describeJourneys } from '../harness/journeys.ts';
import { navigateInApp } from '../harness/page-actions.ts';

describeJourneys('the operators', ['super'], (journey) => {
  journey('a super administrator approves an application and creates its school', async (visit) => {
    const { page, say, go, row, app, admin } = visit;
    const t = say(applicationTexts);
    const s = say(schoolTexts);
    const dialog = page.getByRole('dialog');
    const name = 'Hillside';
    await app.anonymous.internal.post('/applications', {
      schoolName: name,
      applicantName: 'Mei Zhao',
      contactPhone: '+86 10 5550 0142',
      reason: 'Grades 1 to 3 would like to use points.',
    });
    await go('/admin/applications');
    await page.getByRole('button', { name: t('reviewNamed', { name }) }).click();
    await dialog.getByRole('textbox', { name: t('note') }).fill('Called on Monday.');
    await dialog.getByRole('button', { name: t('approve') }).click();
    await dialog.getByRole('button', { name: t('createNow') }).click();
    await expect.poll(() => dialog.getByRole('textbox', { name: s('nameLabel') }).inputValue()).toBe(name);
    await dialog.getByRole('button', { name: s('create'), exact: true }).click();
    await dialog.getByText(t('existsTitle')).waitFor();
    await dialog.getByRole('button', { name: t('openSchool') }).click();
    await page.waitForURL(/\/admin\/?\?school=school_/);
    const { data } = await admin.get('/applications?limit=1&status=approved');
    expect(data).toMatchObject([{ schoolName: name, reviewNote: 'Called on Monday.' }]);

    await navigateInApp(page, new URL('/admin/schools', page.url()));
    const act = async (action: string) => {
      await row(name)
        .getByRole('button', { name: say(listTexts)('actionsFor', { name }) })
        .click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await row(name).getByText(s('current')).waitFor();
    await act(s('disable'));
    await dialog.getByText(s('disableCredentials')).waitFor();
    await dialog.getByRole('button', { name: s('disable') }).click();
    await row(name).getByText(s('disabled'), { exact: true }).waitFor();
    await act(s('delete'));
    await dialog.getByText(s('studentCount', { count: 0 })).waitFor();
    const forGood = dialog.getByRole('button', { name: s('deleteConfirm') });
    await expect.poll(() => forGood.isDisabled()).toBe(true);
    await dialog.getByLabel(say(sharedTexts)('typeToConfirm', { text: name })).fill(name);
    await forGood.click();
    await row(name).waitFor({ state: 'detached' });
    const schools = (await admin.get('/schools')).data as { name: string }[];
    expect(schools.map((school) => school.name)).not.toContain(name);

    await navigateInApp(page, new URL('/admin/applications?status=approved', page.url()));
    await act(t('delete'));
    await dialog.getByText(t('deleteText', { name, applicant: 'Mei Zhao' })).waitFor();
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deletedDone', { name })).waitFor();
    await row(name).waitFor({ state: 'detached' });
    expect((await admin.get('/applications?status=approved')).data).toEqual([]);
  });

  journey('a super administrator publishes, hides and deletes an announcement', async (visit) => {
    const { page, say, goOn, row, app } = visit;
    const t = say(announcementTexts);
    const dialog = page.getByRole('dialog');
    const title = 'The new term';
    const shown = async () => {
      const { data } = await app.anonymous.internal.get('/announcements');
      return (data as { content: string }[]).map(({ content }) => content);
    };
    await goOn('/admin/announcements');
    await page
      .getByRole('button', { name: t('create') })
      .first()
      .click();
    await dialog.getByRole('textbox', { name: t('titleLabel') }).fill(title);
    await dialog.getByText(t('warning'), { exact: true }).click();
    await dialog.getByRole('textbox', { name: t('contentLabel') }).click();
    await page.keyboard.type('On Monday.');
    await page.keyboard.press('Control+a');
    await dialog.getByRole('button', { name: t('bold') }).click();
    const preview = dialog.getByRole('region', { name: t('preview') });
    await preview.locator('strong', { hasText: 'On Monday.' }).waitFor();
    await dialog.getByRole('button', { name: t('publish') }).click();
    await page.getByText(t('published')).waitFor();
    expect(await shown()).toEqual(['<p><strong>On Monday.</strong></p>']);

    // The input of the switch is invisible.
    await page.getByRole('switch', { name: t('shownNamed', { title }) }).click({ force: true });
    await page.getByText(t('nowHidden', { title })).waitFor();
    expect(await shown()).toEqual([]);
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: title }) }).click();
    await page.getByRole('menuitem', { name: t('delete') }).click();
    await dialog.getByRole('button', { name: t('delete') }).click();
    await row(title).waitFor({ state: 'detached' });
  });

  journey('a super administrator requires and resets second factors of administrators', async (visit) => {
    const { page, say, goOn, row, app, admin, school } = visit;
    const a = say(administratorTexts);
    const y = say(securityTexts);
    const login = { username: `lin-${school.id}`, password: 'password of lin' };
    const classId = school.grades[0].classes[0].id;
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await goOn('/admin/security');
    // The page prevents a super administrator without a second factor from locking themselves out.
    const roleSwitch = (role: 'super_admin' | 'class_admin') =>
      page.getByRole('switch', { name: say(shellTexts)(role) });
    await expect.poll(() => roleSwitch('super_admin').isDisabled()).toBe(true);
    await roleSwitch('class_admin').click();
    const warning = page.getByRole('dialog', { name: y('requireTitle') });
    await warning.getByRole('button', { name: y('require') }).click();
    const required = async () =>
      ((await admin.get('/second-factor-roles')).data as FactorRoles).roles.at(-1)?.isRequired;
    await expect.poll(required).toBe(true);

    await app.database.pool.query(
      `INSERT INTO code_app (admin_id, sealed_secret, last_step, created_at)
       SELECT id, '', 0, now() FROM admin WHERE username = $1`,
      [login.username],
    );
    await goOn('/admin/administrators');
    const name = login.username;
    await row(name)
      .getByRole('button', { name: say(listTexts)('actionsFor', { name }) })
      .click();
    await page.getByRole('menuitem', { name: a('resetFactor') }).click();
    const question = page.getByRole('dialog', { name: a('resetFactorTitle', { name }) });
    await question.getByRole('button', { name: a('resetFactor') }).click();
    await page.getByText(a('resetFactorDone', { name })).waitFor();
    expect((await app.database.pool.query('SELECT FROM code_app')).rowCount).toBe(0);
    await admin.patch('/second-factor-roles', { roles: [] });
  });
});

interface FactorRoles {
  readonly roles: readonly { readonly isRequired: boolean }[];
}
