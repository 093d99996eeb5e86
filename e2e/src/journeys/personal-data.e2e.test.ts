import type { StudentExport } from '@classledger/contract';
import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { actionTexts } from '../../../web/src/admin/access/actions/action-texts.ts';
import { texts as settingsTexts } from '../../../web/src/admin/school/settings/texts.ts';
import { texts as structureTexts } from '../../../web/src/admin/school/structure/texts.ts';
import { texts as actionsTexts } from '../../../web/src/admin/students/actions/texts.ts';
import { exportTexts } from '../../../web/src/admin/students/personal-data/export-texts.ts';
import { texts as personalTexts } from '../../../web/src/admin/students/personal-data/texts.ts';
import { texts as profileTexts } from '../../../web/src/admin/students/profile/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { savedFile } from '../harness/files.ts';
import { describeJourneys, type Visit } from '../harness/journeys.ts';

describeJourneys('personal data', ['school', 'super'], (journey) => {
  journey("saves the school's settings for classmates, time zone and automatic erasure", async (visit) => {
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
    await days.fill('29');
    const erase = page.getByRole('button', { name: t('save') }).last();
    await erase.click();
    await page.getByText(t('daysWrong', { min: 30, max: 3650 })).waitFor();
    await days.fill('90');
    await erase.click();
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

  journey("exports a student's data as escaped HTML and as JSON, and erases the student", async (visit) => {
    const { page, say, goOn, app, admin, school, password, forgive, language } = visit;
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
    const open = (shown: string, entry: string) => choose(visit, shown, entry);

    await open(name, t('exportEntry'));
    const download = dialog.getByRole('button', { name: t('download') });
    const html = (await savedFile(page, download)).toString();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(say(exportTexts)('records'));
    expect(html).toContain('&lt;/td&gt;&lt;script&gt;');
    expect(html).not.toContain('<script');
    await dialog.waitFor({ state: 'detached' });
    await open(name, t('exportEntry'));
    await dialog.getByRole('radio', { name: t('asData') }).check();
    const data: StudentExport = JSON.parse((await savedFile(page, download)).toString());
    expect(data).toMatchObject({ id, records: [{ description: reason }], totals: { totalScore: 3 } });
    await dialog.waitFor({ state: 'detached' });

    await open(name, t('eraseEntry'));
    await dialog.getByRole('textbox').fill(student?.username as string);
    app.clock.advance(11 * 60_000);
    forgive(/403/);
    await dialog.getByRole('button', { name: t('eraseConfirm') }).click();
    const again = page.getByRole('dialog', { name: say(confirmTexts)('confirmTitle') });
    await again.getByLabel(say(confirmTexts)('password'), { exact: true }).fill(password);
    await again.getByRole('button', { name: say(confirmTexts)('confirm') }).click();
    const pseudonym = say(commonTexts)('erasedName', { id: String(id) });
    await page.getByRole('heading', { level: 1, name: pseudonym }).waitFor();
    await page.getByText(say(profileTexts)('erased'), { exact: true }).first().waitFor();
    await expect.poll(() => page.getByText('Mei').count()).toBe(0);
    expect(await offered(visit, pseudonym)).toEqual([
      say(actionsTexts)('move'),
      t('exportEntry'),
      say(actionsTexts)('delete'),
    ]);
    await page.keyboard.press('Escape');
    await goOn('/admin/activity');
    await page.getByText(say(actionTexts)('eraseUser')).filter({ visible: true }).waitFor();
    expect(await page.getByText(String(student?.username)).count()).toBe(0);
  });

  journey('erases all students of a class', async (visit) => {
    const { page, say, goOn, school, admin } = visit;
    const t = say(structureTexts);
    const [, grade] = school.grades;
    const [left] = grade.classes;
    await goOn('/admin/structure');
    const list = page.getByRole('list', { name: 'Grade 2' });
    await list.getByRole('button', { name: say(listTexts)('actionsFor', { name: 'Class A' }) }).click();
    await page.getByRole('menuitem', { name: t('erase') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(t('eraseGoes', { count: 3 })).waitFor();
    const confirm = dialog.getByRole('button', { name: t('eraseConfirm') });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Class A');
    await confirm.click();
    await page.getByText(t('erasedClass', { count: 3 })).waitFor();
    const { data } = await admin.get(`/users?schoolDb=${school.schoolDb}&classId=${left.id}`);
    expect((data as { erased: boolean }[]).map(({ erased }) => erased)).toEqual([true, true, true]);
  });
});

async function openMenu({ page, say }: Visit, name: string) {
  await page.getByRole('button', { name: say(listTexts)('actionsFor', { name }) }).click();
  const entries = page.getByRole('menuitem');
  await entries.first().waitFor();
  return entries;
}

const offered = async (visit: Visit, name: string) => (await openMenu(visit, name)).allInnerTexts();

async function choose(visit: Visit, name: string, entry: string): Promise<void> {
  await openMenu(visit, name);
  await visit.page.getByRole('menuitem', { name: entry }).click();
}
