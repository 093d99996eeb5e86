import { expect } from 'vitest';
import { texts as announcementTexts } from '../../../web/src/admin/installation/announcements/texts.ts';
import { texts as applicationTexts } from '../../../web/src/admin/installation/applications/texts.ts';
import { texts as schoolTexts } from '../../../web/src/admin/installation/school-texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { describeJourneys } from '../harness/journeys.ts';

describeJourneys('the operators', ['super'], (journey) => {
  journey(
    'approves an application, creates its school, and deletes both after a new confirmation',
    async (visit) => {
      const { page, say, go, row, app, admin, screen, language, password, forgive } = visit;
      const c = say(confirmTexts);
      const t = say(applicationTexts);
      const s = say(schoolTexts);
      const dialog = page.getByRole('dialog');
      const name = `Hillside ${screen} ${language}`;
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

      await page.goto(new URL('/admin/schools', page.url()).href);
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
      // A confirmation counts for ten minutes.
      app.clock.advance(11 * 60_000);
      forgive(/40[13]/);
      await forGood.click();
      const schools = async () =>
        ((await admin.get('/schools')).data as { name: string }[]).map((school) => school.name);
      const question = page.getByRole('dialog', { name: c('confirmTitle') });
      const own = question.getByLabel(c('password'), { exact: true });
      const confirm = question.getByRole('button', { name: c('confirm'), exact: true });
      await own.fill('not this one');
      await confirm.click();
      await question.getByText(c('wrongPassword')).waitFor();
      expect(await schools()).toContain(name);
      await own.fill(password);
      await confirm.click();
      await row(name).waitFor({ state: 'detached' });
      expect(await schools()).not.toContain(name);

      await page.goto(new URL('/admin/applications?status=approved', page.url()).href);
      await act(t('delete'));
      await dialog.getByText(t('deleteText', { name, applicant: 'Mei Zhao' })).waitFor();
      await dialog.getByRole('button', { name: t('delete') }).click();
      await page.getByText(t('deletedDone', { name })).waitFor();
      await row(name).waitFor({ state: 'detached' });
      expect((await admin.get('/applications?status=approved')).data).toEqual([]);
    },
  );

  journey('publishes, hides and deletes an announcement', async (visit) => {
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
});
