import { limits, type Template } from '@classledger/contract';
import { expect } from 'vitest';
import { managedRoles } from '../../../server/src/access/management.ts';
import { credentialClient } from '../../../server/test/identities.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { actionTexts } from '../../../web/src/admin/access/action-texts.ts';
import { texts as activityTexts } from '../../../web/src/admin/access/activity/texts.ts';
import { texts as administratorTexts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as auditTexts } from '../../../web/src/admin/access/audit-log/texts.ts';
import { texts as teacherTexts } from '../../../web/src/admin/access/class-teachers/texts.ts';
import { permissionTexts } from '../../../web/src/admin/access/credentials/permission-texts.ts';
import { texts as credentialTexts } from '../../../web/src/admin/access/credentials/texts.ts';
import { texts as webhookTexts } from '../../../web/src/admin/access/webhooks/texts.ts';
import { texts as announcementTexts } from '../../../web/src/admin/installation/announcements/texts.ts';
import { texts as applicationTexts } from '../../../web/src/admin/installation/applications/texts.ts';
import { texts as schoolTexts } from '../../../web/src/admin/installation/school-texts.ts';
import { texts as securityTexts } from '../../../web/src/admin/installation/security/texts.ts';
import { texts as readingTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as pageTexts } from '../../../web/src/admin/page/texts.ts';
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
import { navigateInApp, waitForFocusIn } from '../harness/page-actions.ts';
import { translatorFor } from '../harness/translator.ts';
import { seedWebhooks } from '../harness/webhooks.ts';

const look = { screen: 'desktop', language: 'en' } as const;

describeJourneys('staff', ['grade', 'school', 'super'], look, (journey) => {
  journey('staff see failed deliveries, send them again, and pause and delete a webhook', async (visit) => {
    const { page, say, go, row, act, choose } = visit;
    const t = say(webhookTexts);
    const dialog = page.getByRole('dialog');
    const [screen, old] = ['screen.riverside.example', 'old.riverside.example:8443'];
    await seedWebhooks(visit);
    await go('/admin/webhooks');
    await row(screen).getByText(t('failing')).first().waitFor();

    await act(screen, t('showDeliveries'));
    await page.getByText(t('about_failing'), { exact: true }).waitFor();
    await row('score.created 90414').getByText(t('waiting')).waitFor();
    await choose(page, t('state'), t('failed'));
    await row('score.created 90411').waitFor({ state: 'detached' });
    await row('422').getByRole('button').click();
    await page.getByText(t('sentAgain', { count: 1 })).waitFor();
    await row('422').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: t('sendSince') }).click();
    await dialog.getByLabel(t('since')).fill('2026-01-01T08:00');
    await dialog.getByRole('button', { name: t('sendAgain') }).click();
    await page.getByText(t('sentAgain', { count: 5 })).waitFor();

    const back = page.getByRole('main').getByRole('link', { name: t('title'), exact: true });
    await back.click();
    await act(old, t('resume'));
    await row(old).getByText(t('active')).first().waitFor();
    await act(screen, t('pause'));
    await dialog.getByRole('button', { name: t('pause') }).click();
    await row(screen).getByText(t('paused')).first().waitFor();
    await act('parents.riverside.example', t('delete'));
    await dialog.getByRole('button', { name: t('delete') }).click();
    await row('parents.riverside.example').waitFor({ state: 'detached' });
  });

  journey('an administrator adds, moves, disables and deletes other administrators', async (visit) => {
    const { page, say, goOn, row, act, choose, traveller, school, app, password } = visit;
    const [t, s, l, c] = [say(administratorTexts), say(shellTexts), say(listTexts), say(confirmTexts)];
    const [activity, action] = [say(activityTexts), say(actionTexts)];
    const dialog = page.getByRole('dialog');
    const near = `zhao-${school.id}`;
    await goOn('/admin/administrators');
    await page.getByRole('button', { name: t('add') }).click();
    const form = page.getByRole('dialog', { name: t('add') });
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

    await act(near, l('edit'));
    await choose(dialog, l('class'), 'Class A');
    await dialog.getByRole('button', { name: l('save') }).click();
    await row(near).getByText('Grade 1 Class A').waitFor();
    await act(near, l('disable'));
    await dialog.getByRole('button', { name: l('disable') }).click();
    await row(near).getByText(t('disabled')).waitFor();
    await act(near, l('delete'));
    await dialog.getByLabel(say(sharedTexts)('typeToConfirm', { text: near })).fill(near);
    await dialog.getByRole('button', { name: l('delete') }).click();
    await row(near).waitFor({ state: 'detached' });

    await goOn('/admin/activity');
    await row(action('deleteAdministrator')).getByText(near).waitFor();
    await choose(page, activity('what'), action('createAdministrator'));
    await row(action('deleteAdministrator')).waitFor({ state: 'detached' });
    await row(action('createAdministrator')).getByText(near).waitFor();
    expect(page.url()).toContain('action=createAdministrator');
    await goOn('/admin/activity?admin=999999999');
    await page.getByText(l(traveller === 'super' ? 'noMatchTitle' : 'goneFilterTitle')).waitFor();
  });

  journey('class teachers are created from a list; a reload loses no password', async (visit) => {
    const { page, say, goOn, school, app } = visit;
    const admin = await app.signIn();
    const [t, l] = [say(teacherTexts), say(readingTexts)];
    const usernameOf = (name: string) => `${name}-${school.id}`;
    const [known, fresh, none] = [usernameOf('wu'), usernameOf('zheng'), usernameOf('none')];
    const { id: classId } = school.grades[0].classes[0];
    const login = { username: known, password: 'password of wu' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await goOn('/admin/administrators');
    await page.getByRole('link', { name: say(administratorTexts)('classTeachers') }).click();
    const list = [
      ['Class', 'Teacher', 'Staff no.'],
      ['Grade 1 class b', '吴 老师', known],
      ['Grade 1 (B)', '郑', fresh],
      ['Grade 1 Class Q', 'Nobody', none],
      ['Grade 1 Clas 1', 'Mistyped', usernameOf('typo')],
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
    await page.getByRole('checkbox', { name: /^Clas 1/ }).click();
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

  journey('staff sign out other sessions, and sign-out hides all data', async (visit) => {
    const { page, say, goOn, traveller, language, app, origin, username, password } = visit;
    const [t, p, s] = [say(accountTexts), say(passwordTexts), say(shellTexts)];
    const device = say(sessionTexts);
    const elsewhere = await Promise.all([1, 2, 3].map(() => app.signIn(username, password)));
    await goOn('/admin/account');
    const own = page.getByRole('region', { name: t('aboutMe') });
    await own.getByText(s(`${traveller as 'super'}_admin`), { exact: true }).waitFor();
    await own.getByText(traveller === 'grade' ? 'Grade 1' : username, { exact: true }).waitFor();
    const sessions = page.getByRole('region', { name: t('sessionsTitle') });
    await sessions.getByText(/^Chrome · /).waitFor();
    await expect.poll(() => sessions.getByText(device('thisDevice')).count()).toBe(1);
    // The device of sessions that tests open through the API.
    const end = sessions.getByRole('button', { name: device('endOf', { device: 'lightMyRequest' }) });
    await end.first().click();
    await page.getByText(t('ended')).waitFor();
    await sessions.getByRole('button', { name: device('endOthers') }).click();
    await page.getByText(t('endedOthers', { count: 2 })).waitFor();
    for (const { get } of elsewhere) expect((await get('/auth/me')).status).toBe(401);

    await page.getByLabel(p('oldPassword'), { exact: true }).fill(password);
    await page.getByLabel(p('newPassword'), { exact: true }).fill('a longer one');
    await page.getByLabel(p('repeatPassword'), { exact: true }).fill('a longer one');
    await page.getByRole('button', { name: p('changePassword') }).click();
    await page.getByText(p('changed')).waitFor();

    const main = page.getByRole('main');
    const other = languages.find((one) => one !== language) ?? language;
    const sayInOther = translatorFor(other);
    await main.getByText(other === 'en' ? 'English' : '中文', { exact: true }).click();
    await main.getByTitle(sayInOther(sharedTexts)('schemeDark'), { exact: true }).click();
    await expect.poll(() => page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');
    // An unfinished import contains names, so signing out must delete it.
    await page.evaluate("sessionStorage.setItem('classledger.import', '{}')");
    await main.getByRole('button', { name: sayInOther(commonTexts)('signOut'), exact: true }).click();
    await page.waitForURL(`${origin}/`);
    expect(await page.evaluate("sessionStorage.getItem('classledger.import')")).toBeNull();
    await page.goBack();
    const title = sayInOther(signInTexts)('adminTitle');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expect.poll(() => page.getByText(username, { exact: true }).count()).toBe(0);
    // Restores the password for other looks.
    const again = await app.signIn(username, 'a longer one');
    await again.patch('/auth/me', { oldPassword: 'a longer one', newPassword: password });
  });
});

describeJourneys('the operators', ['super'], look, (journey) => {
  journey('a super administrator approves an application and creates its school', async (visit) => {
    const { page, say, go, row, act, app, admin } = visit;
    const [t, s] = [say(applicationTexts), say(schoolTexts)];
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
    await dialog.getByRole('button', { name: s('create'), exact: true }).dblclick();
    await dialog.getByText(t('existsTitle')).waitFor();
    await dialog.getByRole('button', { name: t('openSchool') }).click();
    await page.waitForURL(/\/admin\/?\?school=school_/);
    const { data } = await admin.get('/applications?limit=1&status=approved');
    expect(data).toMatchObject([{ schoolName: name, reviewNote: 'Called on Monday.' }]);
    const schools = (await admin.get('/schools')).data as { name: string }[];
    expect(schools.filter((school) => school.name === name)).toHaveLength(1);

    // The new school stays chosen.
    await navigateInApp(page, new URL('/admin/schools', page.url()));
    await row(name).getByText(s('current')).waitFor();
    await act(name, s('disable'));
    await dialog.getByText(s('disableCredentials')).waitFor();
    await dialog.getByRole('button', { name: s('disable') }).click();
    await row(name).getByText(s('disabled'), { exact: true }).waitFor();
    await act(name, s('delete'));
    await dialog.getByText(s('studentCount', { count: 0 })).waitFor();
    const forGood = dialog.getByRole('button', { name: s('deleteConfirm') });
    await expect.poll(() => forGood.isDisabled()).toBe(true);
    await dialog.getByLabel(say(sharedTexts)('typeToConfirm', { text: name })).fill(name);
    await forGood.click();
    await row(name).waitFor({ state: 'detached' });

    await navigateInApp(page, new URL('/admin/applications?status=approved', page.url()));
    await act(name, t('delete'));
    await dialog.getByText(t('deleteText', { name, applicant: 'Mei Zhao' })).waitFor();
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deletedDone', { name })).waitFor();
    await row(name).waitFor({ state: 'detached' });
  });

  journey('an announcement keeps no script, image or event handler, and can be hidden', async (visit) => {
    const { page, say, goOn, row, button, act, app } = visit;
    const t = say(announcementTexts);
    const dialog = page.getByRole('dialog');
    const title = 'The new term';
    const shown = async () => {
      const { data } = await app.anonymous.internal.get('/announcements');
      return (data as { content: string }[]).map(({ content }) => content);
    };
    await goOn('/admin/announcements');
    await button(t('create')).click();
    await waitForFocusIn(page, 'dialog');
    await dialog.getByRole('textbox', { name: t('titleLabel') }).fill(title);
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: say(pageTexts)('discardTitle') });
    await question.getByRole('button', { name: say(commonTexts)('cancel') }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByText(t('warning'), { exact: true }).click();
    const editor = dialog.getByRole('textbox', { name: t('contentLabel') });
    await editor.click();
    // A list always starts at 1: the server would drop another number.
    await page.keyboard.type('3. Points start again.');
    await page.keyboard.press('Control+a');
    await dialog.getByRole('button', { name: t('bold') }).click();
    await dialog.getByRole('button', { name: t('link'), exact: true }).click();
    const address = page.getByRole('textbox', { name: t('linkAddress') });
    await address.fill('example.org');
    // Closes only the field, not the dialog.
    await page.keyboard.press('Escape');
    await address.waitFor({ state: 'detached' });
    await dialog.getByText(t('modeHtml'), { exact: true }).click();
    const written = await editor.inputValue();
    expect(written).toBe('<ol><li><p><strong>Points start again.</strong></p></li></ol>');
    const pasted =
      '<script>hacked=1</script><img src=x onerror="hacked=1"><p onclick="hacked=1">On Monday.</p>';
    await editor.fill(written + pasted);
    const preview = dialog.getByRole('region', { name: t('preview') });
    await preview.getByText('On Monday.').click();
    expect(await preview.locator('script, img, [onclick], [onerror]').count()).toBe(0);
    await dialog.getByRole('button', { name: t('publish') }).click();
    await page.getByText(t('published')).waitFor();
    expect(await shown()).toEqual([`${written}<p>On Monday.</p>`]);
    expect(await page.evaluate('typeof hacked')).toBe('undefined');

    // The input of the switch is invisible.
    await page.getByRole('switch', { name: t('shownNamed', { title }) }).click({ force: true });
    await page.getByText(t('nowHidden', { title })).waitFor();
    expect(await shown()).toEqual([]);
    await act(title, t('delete'));
    await dialog.getByRole('button', { name: t('delete') }).click();
    await row(title).waitFor({ state: 'detached' });
  });

  journey('a super administrator requires and resets second factors of administrators', async (visit) => {
    const { page, say, goOn, act, app, admin, school } = visit;
    const [a, y] = [say(administratorTexts), say(securityTexts)];
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
    await warning.waitFor({ state: 'detached' });
    await expect.poll(() => roleSwitch('class_admin').isChecked()).toBe(true);

    await app.database.pool.query(
      `INSERT INTO code_app (admin_id, sealed_secret, last_step, created_at)
       SELECT id, '', 0, now() FROM admin WHERE username = $1`,
      [login.username],
    );
    await goOn('/admin/administrators');
    const name = login.username;
    await act(name, a('resetFactor'));
    const question = page.getByRole('dialog', { name: a('resetFactorTitle', { name }) });
    await question.getByRole('button', { name: a('resetFactor') }).click();
    await page.getByText(a('resetFactorDone', { name })).waitFor();
    expect((await app.database.pool.query('SELECT FROM code_app')).rowCount).toBe(0);
    await admin.patch('/second-factor-roles', { roles: [] });
  });
});

describeJourneys('a class', ['class', 'school'], { ...look, language: 'zh-CN' }, (journey) => {
  journey('templates are added despite an error, and once despite an ended session', async (visit) => {
    const { page, say, go, act, traveller, username, password, school, admin, app, forgive } = visit;
    const [t, s] = [say(templateTexts), say(signInTexts)];
    const ofSchool = `/scores/templates?schoolDb=${school.schoolDb}`;
    let calls = 0;
    await page.route('**/api/scores/templates', (route) => {
      if (route.request().method() === 'POST') calls += 1;
      return calls === 4 ? route.fulfill({ status: 500, json: { success: false } }) : route.continue();
    });
    forgive(/500|401/);
    await go('/admin/templates');
    await page.getByRole('heading', { name: t('emptyTitle') }).waitFor();
    await page.getByRole('button', { name: t('starterAdd', { count: 10 }) }).click();
    await page.getByText(t('starterProgressed', { done: 3, total: 10 })).waitFor();
    await page.getByRole('button', { name: t('starterGoOn') }).click();
    await page.getByText(t('starterAdded', { count: 10 })).waitFor();
    await page.getByText(t('commonDisturbs')).waitFor();
    const classId = traveller === 'class' ? school.grades[0].classes[0].id : null;
    const made = (await admin.get(ofSchool)).data as Template[];
    expect(made.map(({ scoreChange }) => scoreChange)).toEqual([1, 1, 1, 2, 2, 3, -1, -1, -2, -2]);
    expect(new Set(made.map((one) => one.classId))).toEqual(new Set([classId]));

    await page.getByRole('button', { name: t('addTemplate'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    const form = page.getByRole('dialog', { name: t('addTemplate') });
    const name = form.getByRole('textbox', { name: t('name') });
    const add = form.getByRole('button', { name: t('add'), exact: true });
    await name.fill('<b>Homework</b>');
    await form.getByText(t('minus'), { exact: true }).click();
    await form.getByRole('textbox', { name: t('points') }).fill('0');
    await add.click();
    await form.getByText(t('pointsRange', { max: limits.scoreChangeMax })).waitFor();
    await form.getByRole('textbox', { name: t('points') }).fill('7');
    // A pending request would ask to sign in first.
    const loading = page.getByRole('status', { name: say(commonTexts)('loading'), exact: true });
    await expect.poll(() => loading.count()).toBe(0);
    // Longer than any session.
    app.clock.advance(31 * 24 * 60 * 60_000);
    const before = calls;
    await add.click();
    const again = page.getByRole('dialog', { name: s('againTitle') });
    const own = again.getByLabel(s('password'), { exact: true });
    await own.and(page.locator(':focus')).waitFor();
    // Escape and a wrong password must keep the pending call.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const who = again.getByRole('textbox', { name: s('username') });
    await expect.poll(() => who.inputValue()).toBe(username);
    await page.keyboard.insertText('not this one');
    await page.keyboard.press('Enter');
    await again.getByText(s('wrongAgain')).waitFor();
    await expect.poll(() => name.inputValue()).toBe('<b>Homework</b>');
    expect(calls).toBe(before + 1);
    await own.fill(password);
    await again.getByRole('button', { name: s('signIn'), exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await page.getByText(t('added', { name: '<b>Homework</b>' })).waitFor();
    expect(calls).toBe(before + 2);

    const group = traveller === 'class' ? 'Class A' : t('schoolWide');
    const list = page.getByRole('region', { name: `${group} ${t('minus')}` });
    await list.getByText('−7').waitFor();
    await act('<b>Homework</b>', t('edit'));
    await dialog.getByRole('textbox', { name: t('name') }).fill('Late again');
    await dialog.getByRole('button', { name: t('save') }).click();
    await list.getByText('Late again').waitFor();
    await act('Late again', t('delete'));
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deleted', { name: 'Late again' })).waitFor();
    expect((await (await app.signIn()).get(ofSchool)).data).toHaveLength(10);
  });

  journey('staff issue, edit, disable and revoke a credential, and list its calls', async (visit) => {
    const { page, say, goOn, row, button, act, choose, traveller, school, app, origin } = visit;
    const { username, password } = visit;
    const [t, p, a] = [say(credentialTexts), say(permissionTexts), say(auditTexts)];
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name }).click();
    visit.forgive(/403/);
    await goOn('/admin/api-tokens');
    const begin = async (name: string) => {
      await button(t('issue')).click();
      await dialog.getByRole('textbox', { name: t('name') }).fill(name);
    };
    await begin('Campus card');
    if (traveller === 'class') await dialog.getByText('Grade 1 Class A').waitFor();
    else {
      await dialog.getByText(t('oneClass'), { exact: true }).click();
      await choose(dialog, a('class'), 'Class B');
    }
    await press(t('presetSafe'));
    const own = dialog.getByLabel(t('ownPassword'), { exact: true });
    await own.fill('not this one');
    await press(t('issueButton'));
    await dialog.getByText(t('wrongPassword')).waitFor();
    await own.fill(password);
    await press(t('issueButton'));
    const token = (await dialog.getByLabel(t('token'), { exact: true }).textContent()) ?? '';
    await dialog.getByText(`${token}" ${origin}/api/v1/ping`, { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await press(t('copiedDone'));

    const card = credentialClient(app.app.http, token, 0);
    expect(await card.get('/students')).toMatchObject({ status: 200, data: { total: 3 } });
    expect((await card.delete('/students/1')).status).toBe(403);
    await act('Campus card', a('edit'));
    await press(t('presetNone'));
    await dialog.getByRole('checkbox', { name: p('scores:read') }).check();
    await press(a('save'));
    const permissions = t('permissionCount', { count: 1 });
    await row('Campus card').getByText(permissions).waitFor();
    await act('Campus card', a('disable'));
    await press(a('disable'));
    await row('Campus card').getByText(t('aboutDisabled')).waitFor();
    expect((await card.get('/students')).status).toBe(401);

    await act('Campus card', t('showCalls'));
    await page.getByText(a('count', { count: 3 }), { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: a('onlyFailed') }).check();
    await page.getByText(a('count', { count: 2 }), { exact: true }).waitFor();
    const call = { method: 'DELETE', path: '/api/v1/students/1' };
    await page.getByRole('button', { name: a('details', call) }).click();
    await dialog.getByText(a('statusOf', { status: 403, outcome: a('refused') })).waitFor();
    await waitForFocusIn(page, 'dialog');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    const main = page.getByRole('main');
    await main.getByRole('link', { name: a('toCredentials') }).click();
    await act('Campus card', t('revoke'));
    await dialog.getByLabel(say(sharedTexts)('yourPassword')).fill(password);
    await press(t('revoke'));
    await row('Campus card').waitFor({ state: 'detached' });

    // A teacher who changed classes meanwhile has typed the right password.
    if (traveller !== 'class') return;
    await begin('Library');
    await press(t('presetSafe'));
    const admin = await app.signIn();
    const { data } = await admin.get(`/admin/list?schoolDb=${school.schoolDb}&search=${username}`);
    const [me] = data as [{ id: number }];
    const classId = school.grades[1].classes[0].id;
    await admin.patch(`/admin/manage/${me.id}`, { role: 'class_admin', schoolId: school.id, classId });
    await own.fill(password);
    await press(t('issueButton'));
    await dialog.getByText(t('notYours')).waitFor();
    expect(await dialog.getByText(t('wrongPassword')).count()).toBe(0);
  });
});
