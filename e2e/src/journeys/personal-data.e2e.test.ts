import type { StudentExport } from '@classledger/contract';
import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { texts as settingsTexts } from '../../../web/src/admin/school/settings/texts.ts';
import { texts as actionsTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { texts as personalTexts } from '../../../web/src/admin/students/personal-data/texts.ts';
import { texts as profileTexts } from '../../../web/src/admin/students/profile/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { downloadFile } from '../harness/files.ts';
import { describeJourneys } from '../harness/journeys.ts';

describeJourneys('personal data', ['school', 'super'], (journey) => {
  journey('staff save school settings for classmates, time zone and automatic erasure', async (visit) => {
    const { page, say, go, app, admin, school } = visit;
    const t = say(settingsTexts);
    const [first, second] = school.grades[0].classes[1].students;
    const { schoolDb } = school;
    await admin.created('/scores/add', { schoolDb, userId: first?.id, scoreChange: 5, description: '' });
    const mate = await app.signInStudent(schoolDb, second?.username as string);
    const seen = async () =>
      ((await mate.get('/student/classmates')).data as { place: number | null }[]).map(({ place }) => place);
    expect(await seen()).toEqual([1, null, null]);

    await go('/admin/settings');
    const preview = page.getByRole('figure', { name: t('previewTitle') });
    await preview.getByText(t('others')).waitFor();
    const save = page.getByRole('button', { name: t('save') }).first();
    // A choice during a save must survive.
    const saving = Promise.withResolvers<void>();
    const held = async (route: Route) => {
      await saving.promise;
      await route.continue();
    };
    await page.route('**/api/school-settings', held, { times: 1 });
    await page.getByRole('radio', { name: t('all') }).check();
    await preview.getByText(t('others')).waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('radio', { name: t('names') }).check();
    saving.resolve();
    await expect.poll(seen).toEqual([1, 2, 2]);
    await save.click();
    await expect.poll(seen).toEqual([null, null, null]);
    await expect.poll(() => save.isDisabled()).toBe(true);

    await page.getByRole('combobox', { name: t('timeZone') }).fill('kathm');
    await page.getByRole('option', { name: /^Asia\/Kathmandu/ }).click();
    await page.getByText(t('timeZoneChanges')).waitFor();
    const ofZone = page.getByRole('region', { name: t('timeZoneTitle') });
    await ofZone.getByRole('button', { name: t('save') }).click();
    await page.getByText(t('timeZoneChanges')).waitFor({ state: 'detached' });

    await page.getByRole('radio', { name: t('after') }).check();
    const days = page.getByRole('textbox', { name: t('days') });
    await days.fill('90');
    await page
      .getByRole('button', { name: t('save') })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('confirmText', { count: 90 })).waitFor();
    await dialog.getByRole('button', { name: t('confirm') }).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = await admin.get(`/school-settings?schoolDb=${schoolDb}`);
    expect(stored.data).toMatchObject({
      classmates: 'names',
      eraseLeaversAfterDays: 90,
      timeZone: 'Asia/Kathmandu',
    });
  });

  journey('staff export a student’s data as escaped HTML and JSON, and erase the student', async (visit) => {
    const { page, say, goOn, admin, school, language } = visit;
    const { schoolDb } = school;
    const t = say(personalTexts);
    const student = school.grades[0].classes[0].students[1];
    const id = student?.id as number;
    const name = 'Mei <i>Lin</i>';
    await admin.patch(`/users/${id}`, { schoolDb, actualName: name });
    const reason = '</td><script>alert(1)</script>';
    await admin.created('/scores/add', { schoolDb, userId: id, scoreChange: 3, description: reason });
    await goOn(`/admin/students/${id}`);
    const dialog = page.getByRole('dialog');
    const open = async (shown: string, entry: string) => {
      await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: shown }) }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };

    await open(name, t('exportEntry'));
    const download = dialog.getByRole('button', { name: t('download') });
    const html = (await downloadFile(page, download)).toString();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('&lt;/td&gt;&lt;script&gt;');
    expect(html).not.toContain('<script');
    await dialog.waitFor({ state: 'detached' });
    await open(name, t('exportEntry'));
    await dialog.getByRole('radio', { name: t('asData') }).check();
    const data: StudentExport = JSON.parse((await downloadFile(page, download)).toString());
    expect(data).toMatchObject({ id, records: [{ description: reason }], totals: { totalScore: 3 } });
    await dialog.waitFor({ state: 'detached' });

    await open(name, t('eraseEntry'));
    await dialog.getByRole('textbox').fill(student?.username as string);
    await dialog.getByRole('button', { name: t('eraseConfirm') }).click();
    const pseudonym = say(commonTexts)('erasedName', { id: String(id) });
    await page.getByRole('heading', { level: 1, name: pseudonym }).waitFor();
    await page.getByText(say(profileTexts)('erased'), { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText('Mei').count()).toBe(0);
    await page.getByRole('button', { name: say(listTexts)('actionsFor', { name: pseudonym }) }).click();
    const left = [say(actionsTexts)('move'), t('exportEntry'), say(actionsTexts)('delete')];
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(left);
    await page.keyboard.press('Escape');
  });
});
