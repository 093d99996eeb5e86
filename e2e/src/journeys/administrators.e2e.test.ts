import { expect } from 'vitest';
import { managedRoles } from '../../../server/src/access/management.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { actionTexts } from '../../../web/src/admin/access/actions/action-texts.ts';
import { texts as activityTexts } from '../../../web/src/admin/access/activity/texts.ts';
import { texts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as teacherTexts } from '../../../web/src/admin/access/class-teachers/texts.ts';
import { texts as readingTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as templateTexts } from '../../../web/src/admin/school/templates/texts.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as slipTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { commonTexts } from '../../../web/src/i18n/common-texts.ts';
import { languages } from '../../../web/src/i18n/language.ts';
import { confirmTexts } from '../../../web/src/session/confirm-texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { sessionTexts } from '../../../web/src/session/session-texts.ts';
import { texts as signInTexts } from '../../../web/src/session/texts.ts';
import { downloadLines, dropAnswer } from '../harness/files.ts';
import { describeJourneys } from '../harness/journeys.ts';
import { translatorFor } from '../harness/translator.ts';

describeJourneys('administrators', ['grade', 'school', 'super'], (journey) => {
  journey('an administrator adds, moves, disables and deletes other administrators', async (visit) => {
    const { page, say, go, goOn, row, choose, traveller, school, app, admin, password } = visit;
    const t = say(texts);
    const s = say(shellTexts);
    const l = say(listTexts);
    const c = say(confirmTexts);
    const activity = say(activityTexts);
    const action = say(actionTexts);
    const dialog = page.getByRole('dialog');
    const [near, far] = [`zhao-${school.id}`, `qian-${school.id}`];
    const { id: classId } = school.grades[1].classes[0];
    const login = { username: far, password: 'password of qian' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    const act = async (name: string) => {
      await page.getByRole('button', { name: l('actionsFor', { name: near }) }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await go('/admin/administrators');
    await page.getByRole('button', { name: t('add') }).click();
    const form = page.getByRole('dialog', { name: t('addTitle') });
    const name = form.getByRole('textbox', { name: l('username') });
    await name.fill(near);
    await form.getByRole('combobox', { name: t('role') }).click();
    const roles = managedRoles(`${traveller}_admin` as 'super_admin').map((role) => s(role));
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(roles);
    await page.getByRole('option', { name: s('class_admin') }).click();
    await choose(form, l('class'), 'Class B');
    const add = form.getByRole('button', { name: t('add') });
    app.clock.advance(11 * 60_000);
    visit.forgive(/40[34]/);
    await add.click();
    const question = page.getByRole('dialog', { name: c('confirmTitle') });
    const own = question.getByLabel(c('password'), { exact: true });
    await own.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await form.getByText(say(sharedTexts)('unconfirmed')).waitFor();
    await add.click();
    await own.fill('not this one');
    await page.keyboard.press('Enter');
    await question.getByText(c('wrongPassword')).waitFor();
    await expect.poll(() => name.inputValue()).toBe(near);
    await own.fill(password);
    await page.keyboard.press('Enter');
    const added = page.getByRole('dialog', { name: t('addedTitle', { name: near }) });
    const initial = (await added.getByLabel(t('password'), { exact: true }).textContent()) ?? '';
    await app.signIn(near, initial);
    await added.getByRole('button', { name: l('done') }).click();
    await row(near).getByText('Grade 1 Class B').waitFor();
    await expect.poll(() => row(far).count()).toBe(traveller === 'grade' ? 0 : 1);

    await act(l('edit'));
    if (traveller === 'grade') await choose(dialog, l('class'), 'Class A');
    else {
      await choose(dialog, t('role'), s('grade_admin'));
      await choose(dialog, l('grade'), 'Grade 2');
    }
    await dialog.getByRole('button', { name: l('save') }).click();
    await row(near)
      .getByText(traveller === 'grade' ? 'Grade 1 Class A' : 'Grade 2')
      .waitFor();
    await act(l('disable'));
    await dialog.getByRole('button', { name: l('disable') }).click();
    await row(near).getByText(t('disabled')).waitFor();
    await act(l('delete'));
    await dialog.getByLabel(say(sharedTexts)('typeToConfirm', { text: near })).fill(near);
    await dialog.getByRole('button', { name: l('delete') }).click();
    await row(near).waitFor({ state: 'detached' });
    const { data } = await admin.get(`/admin/list?schoolDb=${school.schoolDb}&search=${near}`);
    expect(data).toEqual([]);

    await goOn('/admin/activity');
    await row(action('deleteAdministrator')).getByText(near).waitFor();
    await choose(page, activity('what'), action('createAdministrator'));
    await row(action('deleteAdministrator')).waitFor({ state: 'detached' });
    await row(action('createAdministrator')).getByText(near).waitFor();
    expect(page.url()).toContain('action=createAdministrator');
    await goOn('/admin/activity?admin=999999999');
    const said = traveller === 'super' ? 'noMatchTitle' : 'goneFilterTitle';
    await page.getByText(l(said)).waitFor();
  });

  journey('class teachers are created from a list; a reload loses no password', async (visit) => {
    const { page, say, goOn, school, app } = visit;
    const admin = await app.signIn();
    const t = say(teacherTexts);
    const l = say(readingTexts);
    const [known, fresh, none] = ['wu', 'zheng', 'none'].map((name) => `${name}-${school.id}`) as [
      string,
      string,
      string,
    ];
    const { id: classId } = school.grades[0].classes[0];
    const login = { username: known, password: 'password of wu' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await goOn('/admin/administrators');
    await page.getByRole('link', { name: say(texts)('classTeachers') }).click();
    const list = [
      ['Class', 'Teacher', 'Staff no.'],
      ['Grade 1 class b', '吴 老师', known],
      ['Grade 1 (B)', '郑', fresh],
      ['Grade 1 Class Q', 'Nobody', none],
    ];
    await page.getByText(l('paste'), { exact: true }).click();
    await page.getByRole('textbox').fill(list.map((cells) => cells.join('\t')).join('\n'));
    await page.getByRole('button', { name: t('next') }).click();
    await page.getByRole('checkbox', { name: l('hasHeader', { line: 1 }) }).waitFor();
    await page.getByRole('button', { name: t('next') }).press('Enter');
    const expectOutcome = (of: string, text: string) =>
      page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor();
    await expectOutcome(known, t('outcomeMoveFrom', { class: 'Grade 1 Class A' }));
    await expectOutcome(none, t('classUnknown', { class: 'Grade 1 Class Q' }));
    await page.getByRole('button', { name: l('missingOpen') }).click();
    await page.getByRole('button', { name: l('missingAdd', { count: 1 }) }).click();
    await expectOutcome(none, t('outcomeCreate'));
    visit.forgive(/Failed to load resource/);
    await dropAnswer(page, '**/api/admin/manage/class-teachers', 1);
    await page.getByRole('button', { name: t('start', { count: 3 }) }).click();
    await page.getByRole('button', { name: t('leaveOut', { count: 3 }) }).waitFor();
    await page.reload();
    await page.getByText(t('interrupted')).waitFor();
    // Keys are safe here and below: the offline notice moves the buttons away from a click.
    await page.getByRole('button', { name: t('goOn'), exact: true }).press('Enter');
    await page.getByText(t('created', { count: 2 })).waitFor();
    await page.getByText(t('moved', { count: 1 })).waitFor();
    const download = page.getByRole('button', { name: say(slipTexts)('downloadCsv') });
    const lines = await downloadLines(page, download, 'keyboard');
    const own = lines.find((line) => line.includes(`,${fresh},`))?.split(',') ?? [];
    expect(own.slice(0, 3)).toEqual(['Grade 1 Class B', '郑', fresh]);
    await app.signIn(fresh, own[3] ?? '');
  });

  journey('a form is sent once if its session has expired, after a new sign-in', async (visit) => {
    const { page, say, goOn, choose, traveller, school, app, username, password, forgive } = visit;
    const t = say(templateTexts);
    const s = say(signInTexts);
    await goOn('/admin/templates');
    await page.getByRole('button', { name: t('addTemplate') }).click();
    const form = page.getByRole('dialog', { name: t('addTitle') });
    if (traveller === 'grade') await choose(form, t('where'), 'Class B');
    const name = form.getByLabel(t('name'));
    await name.fill('Courtesy');
    await form.getByLabel(t('points')).fill('7');
    const answers: number[] = [];
    page.on('response', (answer) => {
      const isWrite = answer.request().method() === 'POST' && answer.url().endsWith('/api/scores/templates');
      if (isWrite) answers.push(answer.status());
    });
    // A pending request would ask to sign in first.
    const loading = page.getByRole('status', { name: say(commonTexts)('loading'), exact: true });
    await expect.poll(() => loading.count()).toBe(0);
    // Longer than any session.
    app.clock.advance(31 * 24 * 60 * 60_000);
    forgive(/401/);
    await form.getByRole('button', { name: t('add'), exact: true }).click();

    const dialog = page.getByRole('dialog', { name: s('againTitle') });
    const own = dialog.getByLabel(s('password'), { exact: true });
    await own.and(page.locator(':focus')).waitFor();
    // Escape and a wrong password must keep the pending call.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.getByRole('textbox', { name: s('username') }).inputValue()).toBe(username);
    await page.keyboard.insertText('not this one');
    await page.keyboard.press('Enter');
    await dialog.getByText(s('wrongAgain')).waitFor();
    await expect.poll(() => name.inputValue()).toBe('Courtesy');
    expect(answers).toEqual([401]);
    await own.fill(password);
    await dialog.getByRole('button', { name: s('signIn'), exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(t('added', { name: 'Courtesy' })).waitFor();
    const { data } = await (await app.signIn()).get(`/scores/templates?schoolDb=${school.schoolDb}`);
    expect(data).toMatchObject([{ name: 'Courtesy', scoreChange: 7 }]);
    expect(answers).toEqual([401, 200]);
  });

  journey('staff sign out other sessions, and sign-out hides all data', async (visit) => {
    const { page, say, goOn, traveller, language, app, origin, username, password } = visit;
    const t = say(accountTexts);
    const p = say(passwordTexts);
    const s = say(shellTexts);
    const device = say(sessionTexts);
    const elsewhere = await Promise.all([1, 2, 3].map(() => app.signIn(username, password)));
    const ended = async () =>
      (await Promise.all(elsewhere.map((session) => session.get('/auth/me')))).filter(
        ({ status }) => status === 401,
      ).length;
    await goOn('/admin/account');
    const own = page.getByRole('region', { name: t('aboutMe') });
    await own.getByText(s(`${traveller as 'super'}_admin`), { exact: true }).waitFor();
    await own.getByText(traveller === 'grade' ? 'Grade 1' : username, { exact: true }).waitFor();
    const sessions = page.getByRole('region', { name: t('sessionsTitle') });
    await sessions.getByText(/^Chrome · /).waitFor();
    await expect.poll(() => sessions.getByText(device('thisDevice')).count()).toBe(1);
    // The device of sessions that tests open through the API.
    await sessions
      .getByRole('button', { name: device('endOf', { device: 'lightMyRequest' }) })
      .first()
      .click();
    await page.getByText(t('ended')).waitFor();
    expect(await ended()).toBe(1);
    await sessions.getByRole('button', { name: device('endOthers') }).click();
    await page.getByText(t('endedOthers', { count: 2 })).waitFor();
    expect(await ended()).toBe(3);

    await page.getByLabel(p('oldPassword'), { exact: true }).fill(password);
    await page.getByLabel(p('newPassword'), { exact: true }).fill('a longer one');
    await page.getByLabel(p('repeatPassword'), { exact: true }).fill('a longer one');
    await page.getByRole('button', { name: p('changePassword') }).click();
    await page.getByText(p('changed')).waitFor();

    const main = page.getByRole('main');
    const other = languages.find((one) => one !== language) ?? language;
    await main.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    await main.getByTitle(translatorFor(other)(sharedTexts)('schemeDark'), { exact: true }).click();
    await expect.poll(() => page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');
    // An unfinished import contains names, so signing out must delete it.
    await page.evaluate("sessionStorage.setItem('classledger.import', '{}')");
    await main
      .getByRole('button', { name: translatorFor(other)(commonTexts)('signOut'), exact: true })
      .click();
    await page.waitForURL(`${origin}/`);
    expect(await page.evaluate("sessionStorage.getItem('classledger.import')")).toBeNull();
    await page.goBack();
    await page
      .getByRole('heading', { level: 1, name: translatorFor(other)(signInTexts)('adminTitle') })
      .waitFor();
    await expect.poll(() => page.getByText(username, { exact: true }).count()).toBe(0);
    // Restores the password for other looks.
    const again = await app.signIn(username, 'a longer one');
    await again.patch('/auth/me', { oldPassword: 'a longer one', newPassword: password });
  });
});
