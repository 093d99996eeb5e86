import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../server/test/test-app.ts';
import { texts as classroomTexts } from '../../web/src/admin/classroom/texts.ts';
import { texts as applicationTexts } from '../../web/src/admin/installation/applications/texts.ts';
import { texts as schoolTexts } from '../../web/src/admin/installation/school-texts.ts';
import { texts as listsTexts } from '../../web/src/admin/lists/texts.ts';
import { texts as structureTexts } from '../../web/src/admin/school/structure/texts.ts';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { texts as importTexts } from '../../web/src/admin/students/import/texts.ts';
import { texts as studentTexts } from '../../web/src/admin/students/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { chooseFile, xlsxOf } from './harness/files.ts';
import { openAdminPageAs, runImportsInBackground } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const app = await startTestApp();
runImportsInBackground(app);
const origin = await app.listen();
const say = translatorFor('en');
const [a, c, i, l] = [say(applicationTexts), say(commonTexts), say(importTexts), say(studentTexts)];
const n = say(listsTexts);
const [o, s] = [say(schoolTexts), say(structureTexts)];

/** The tests share this page and build on each other. */
const application = { schoolName: 'Green Hill', applicantName: 'Li Wei', contactPhone: '1', reason: 'x' };
await app.anonymous.internal.post('/applications', application);
const { page, context } = await openAdminPageAs({ origin }, 'super', '/applications');
const goTo = (path: string) => page.goto(`${origin}/admin${path}`);

const schoolsCount = async () => ((await (await app.signIn()).get('/schools')).data as unknown[]).length;

describe('A new installation', () => {
  it('creates one school from an application and opens it, even after a double click', async () => {
    await page.getByRole('button', { name: a('reviewNamed', { name: 'Green Hill' }) }).click();
    await page.getByRole('button', { name: a('approve') }).click();
    await page.getByRole('button', { name: a('createNow') }).click();
    await page.getByRole('button', { name: c('create'), exact: true }).dblclick();
    await page.getByRole('button', { name: a('openSchool') }).click();
    await page.getByText(l('emptyTitle')).waitFor();
    expect(await schoolsCount()).toBe(1);
  });

  it('adds grades in a row without a click, and links from the projector to the missing classes', async () => {
    await goTo('/structure');
    await page.getByRole('button', { name: s('addGrade') }).click();
    for (const name of ['Grade 7', 'Grade 8']) {
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe(s('gradeName'));
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await page.getByText(name, { exact: true }).waitFor();
    }
    // Without classes, the projector shows a link instead of a choice.
    await goTo('/projector');
    await page.getByRole('heading', { name: say(classroomTexts)('noClassesTitle') }).waitFor();
    expect(await page.getByRole('combobox').count()).toBe(0);
    await page.getByRole('link', { name: say(classroomTexts)('toStructure') }).click();
    await page.getByText('Grade 7', { exact: true }).waitFor();
  });

  it('creates missing classes from the list of students, except those that a person excludes', async () => {
    await goTo('/students');
    await page.getByRole('link', { name: l('importList') }).click();
    const rows = [
      ['u1', 'One', 'Grade 7', 'Class 1'],
      ['u2', 'Two', 'Grade 9', 'Class 1'],
      ['u3', 'Three', 'Grade 7', 'Clas 1'],
    ];
    const header = ['Username', 'Name', 'Grade', 'Class'];
    await chooseFile(page, 'list.xlsx', await xlsxOf({ List: [header, ...rows] }));
    await page.getByRole('button', { name: c('next') }).click();
    await page.getByRole('button', { name: n('missingOpen') }).click();
    await page.getByRole('checkbox', { name: /^Clas 1/ }).click();
    await page.getByRole('button', { name: n('missingAdd', { count: 2 }) }).click();
    await page.getByRole('button', { name: i('startImport', { count: 2 }) }).click();
    await page.getByText(i('created', { count: 2 })).waitFor();
  });
});

const dialog = page.getByRole('dialog', { name: o('createSchool') });

it('Back closes an open dialog first, and leaves the page the second time', async () => {
  await goTo('/applications');
  await page.getByRole('link', { name: say(shellTexts)('schools'), exact: true }).click();
  await page
    .getByRole('button', { name: o('createSchool') })
    .first()
    .click();
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/schools');
  await page.goBack();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/applications');
});

it("A new school gets the browser's time zone, or the server's default if the field is cleared", async () => {
  const browser = await context.newCDPSession(page);
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Shanghai' });
  await goTo('/schools');
  const zone = dialog.getByRole('combobox', { name: o('timeZone') });
  const add = async (name: string, { cleared }: { cleared: boolean }) => {
    await page.getByRole('button', { name: o('createSchool') }).click();
    await expect.poll(() => zone.inputValue()).toMatch(/^Asia\/Shanghai/);
    if (cleared) {
      await zone.fill('');
      await page.keyboard.press('Escape');
      await dialog.locator('.mantine-Select-section button').click();
      await expect.poll(() => zone.getAttribute('placeholder')).toBe(o('timeZoneUsual', { zone: 'UTC' }));
    }
    await dialog.getByRole('textbox', { name: o('nameLabel') }).fill(name);
    await dialog.getByRole('button', { name: c('create'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await add('Lake School', { cleared: false });
  await add('Island School', { cleared: true });
  const schools = (await (await app.signIn()).get('/schools')).data as { name: string; timeZone: string }[];
  const zoneOf = (name: string) => schools.find((school) => school.name === name)?.timeZone;
  expect([zoneOf('Lake School'), zoneOf('Island School')]).toEqual(['Asia/Shanghai', 'UTC']);
  await page.getByText(o('created', { name: 'Island School' })).waitFor();
  await page.getByRole('button', { name: o('openNamed', { name: 'Island School' }) }).click();
  await page.getByText(o('created', { name: 'Island School' })).waitFor({ state: 'detached' });
});
