import type { AdminIdentity, Announcement } from '@classledger/contract';
import { expect } from 'vitest';
import { managedRoles } from '../../../server/src/access/range.ts';
import { credentialClient } from '../../../server/test/identities.ts';
import { downloadLines } from '../harness/files.ts';
import { describeJourneys } from '../harness/journeys.ts';
import { dropAnswer, navigateInApp, waitForFocusIn } from '../harness/page-actions.ts';
import { applicationOf } from '../harness/served-school.ts';
import { translatorFor } from '../harness/translator.ts';
import { seedWebhooks } from '../harness/webhooks.ts';

const inChinese = { screen: 'desktop', language: 'zh-CN' } as const;
const inEnglish = { screen: 'desktop', language: 'en' } as const;

describeJourneys('API credentials', 'class', inChinese, (journey) => {
  journey('staff issue, edit, disable and revoke a credential, and list its calls', async (visit) => {
    const { page, dialog, say, go, row, button, act, school, app, origin, admin } = visit;
    const { username, password } = visit;
    const { credentials: t, permissions: p, callLog: a } = say;
    const elsewhere = school.grades[1].classes[0].id;
    const canteen = await school.issue({ scopeType: 'class', scopeClassId: elsewhere, name: 'Canteen' });
    await canteen.get('/students');
    visit.forgive(/403/);
    await go('/admin/api-tokens');

    const begin = async (name: string) => {
      await button(t('issue')).click();
      await dialog.getByRole('textbox', { name: t('name') }).fill(name);
    };
    await begin('Campus card');
    await dialog.getByText('Grade 1 Class A').waitFor();
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    const issue = dialog.getByRole('button', { name: t('issueButton') });
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill('not this one');
    await issue.click();
    await dialog.getByText(t('wrongPassword')).waitFor();
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill(password);
    await issue.click();
    const token = (await dialog.getByLabel(t('token'), { exact: true }).textContent()) ?? '';
    await dialog.getByText(`${token}" ${origin}/api/v1/ping`, { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: t('copiedDone') }).click();

    const card = credentialClient(app.app.http, token, 0);
    expect(await card.get('/students')).toMatchObject({ status: 200, data: { total: 3 } });
    expect((await card.delete('/students/1')).status).toBe(403);
    await act('Campus card', a('edit'));
    await dialog.getByRole('button', { name: t('presetNone') }).click();
    await dialog.getByRole('checkbox', { name: p('scores:read') }).check();
    await dialog.getByRole('button', { name: a('save') }).click();
    await row('Campus card')
      .getByText(t('permissionCount', { count: 1 }))
      .waitFor();
    await expect.poll(() => row('Canteen').count()).toBe(0);
    await act('Campus card', a('disable'));
    await dialog.getByRole('button', { name: a('disable') }).click();
    await row('Campus card').getByText(t('about_disabled')).waitFor();
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

    await visit.main.getByRole('link', { name: a('toCredentials') }).click();
    await act('Campus card', t('revoke'));
    await dialog.getByLabel(say.components('yourPassword')).fill(password);
    await dialog.getByRole('button', { name: t('revoke') }).click();
    await row('Campus card').waitFor({ state: 'detached' });
    const left = await admin.read<{ name: string }[]>(`/api-tokens?schoolDb=${school.schoolDb}`);
    expect(left.map(({ name }) => name)).toEqual(['Canteen', 'office']);

    // A teacher who changed classes meanwhile has typed the right password.
    await begin('Library');
    await dialog.getByRole('button', { name: t('presetSafe') }).click();
    const own = `/admin/list?schoolDb=${school.schoolDb}&search=${username}`;
    const [me] = await admin.read<[{ id: number }]>(own);
    const moved = { role: 'class_admin', schoolId: school.id, classId: elsewhere };
    await admin.patch(`/admin/manage/${me.id}`, moved);
    await dialog.getByLabel(t('ownPassword'), { exact: true }).fill(password);
    await issue.click();
    await dialog.getByText(t('notYours')).waitFor();
    expect(await dialog.getByText(t('wrongPassword')).count()).toBe(0);
  });
});

describeJourneys('webhooks', 'school', inChinese, (journey) => {
  journey('staff see failed deliveries, send them again, and pause and delete a webhook', async (visit) => {
    const { page, dialog, say, go, row, act, choose, admin, school } = visit;
    const t = say.webhooks;
    const [screen, old] = ['screen.riverside.example', 'old.riverside.example:8443'];
    const { failing, stopped } = await seedWebhooks(visit);
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

    await visit.main.getByRole('link', { name: t('title'), exact: true }).click();
    await act(old, t('resume'));
    await row(old).getByText(t('active')).first().waitFor();
    await act(screen, t('pause'));
    await dialog.getByRole('button', { name: t('pause') }).click();
    await row(screen).getByText(t('paused')).first().waitFor();
    await act('parents.riverside.example', t('delete'));
    await dialog.getByRole('button', { name: t('delete') }).click();
    await row('parents.riverside.example').waitFor({ state: 'detached' });
    expect(await admin.read(`/webhooks?schoolDb=${school.schoolDb}`)).toMatchObject([
      { id: failing, active: false, stoppedBecause: null },
      { id: stopped, active: true, stoppedBecause: null },
    ]);
  });
});

describeJourneys('administrators', 'grade', inEnglish, (journey) => {
  journey('an administrator adds, moves, disables and deletes other administrators', async (visit) => {
    const { page, dialog, say, go, goOn, row, act, choose, school, app, admin, password } = visit;
    const { administrators: t, shell: s, lists: l, confirm: c, activity, loggedActions: action } = say;
    const [near, far] = [`zhao-${school.id}`, `qian-${school.id}`];
    const { id: classId } = school.grades[1].classes[0];
    const login = { username: far, password: 'password of qian' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await go('/admin/administrators');
    await page.getByRole('button', { name: t('add') }).click();
    const form = page.getByRole('dialog', { name: t('add') });
    const name = form.getByRole('textbox', { name: l('username') });
    await name.fill(near);
    await form.getByRole('combobox', { name: t('role') }).click();
    // Subject teachers belong to no grade.
    const offered = managedRoles('grade_admin').filter((role) => role !== 'teacher');
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual(offered.map((role) => s(role)));
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
    await form.getByText(say.components('unconfirmed')).waitFor();
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
    await expect.poll(() => row(far).count()).toBe(0);

    await act(near, l('edit'));
    await choose(dialog, l('class'), 'Class A');
    await dialog.getByRole('button', { name: l('save') }).click();
    await row(near).getByText('Grade 1 Class A').waitFor();
    await act(near, l('disable'));
    await dialog.getByRole('button', { name: l('disable') }).click();
    await row(near).getByText(t('disabled')).waitFor();
    await act(near, l('delete'));
    await dialog.getByLabel(say.components('typeToConfirm', { text: near })).fill(near);
    await dialog.getByRole('button', { name: l('delete') }).click();
    await row(near).waitFor({ state: 'detached' });
    expect(await admin.read(`/admin/list?schoolDb=${school.schoolDb}&search=${near}`)).toEqual([]);

    await goOn('/admin/activity');
    await row(action('deleteAdministrator')).getByText(near).waitFor();
    await choose(page, activity('what'), action('createAdministrator'));
    await row(action('deleteAdministrator')).waitFor({ state: 'detached' });
    await row(action('createAdministrator')).getByText(near).waitFor();
    expect(page.url()).toContain('action=createAdministrator');
    await goOn('/admin/activity?admin=999999999');
    await page.getByText(l('goneFilterTitle')).waitFor();
  });

  journey('class teachers are created from a list; a reload loses no password', async (visit) => {
    const { page, say, goOn, row, school, app } = visit;
    const admin = await app.signIn();
    const { classTeachers: t, listFiles: l } = say;
    const usernameOf = (name: string) => `${name}-${school.id}`;
    const [known, fresh, none] = [usernameOf('wu'), usernameOf('zheng'), usernameOf('none')];
    const { id: classId } = school.grades[0].classes[0];
    const login = { username: known, password: 'password of wu' };
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await goOn('/admin/administrators');
    await page.getByRole('link', { name: say.administrators('teachersFromList') }).click();
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
    const expectOutcome = (of: string, text: string) => row(of).getByText(text, { exact: true }).waitFor();
    await expectOutcome(known, t('outcomeMoveFrom', { class: 'Grade 1 Class A' }));
    await expectOutcome(none, t('classUnknown', { class: 'Grade 1 Class Q' }));
    await page.getByRole('button', { name: l('missingOpen') }).click();
    await page.getByRole('checkbox', { name: /^Clas 1/ }).click();
    await page.getByRole('button', { name: l('missingAdd', { count: 1 }) }).click();
    await expectOutcome(none, t('outcome_created'));
    visit.forgive(/Failed to load resource/);
    await dropAnswer(page, '**/api/admin/manage/class-teachers');
    await page.getByRole('button', { name: t('start_class_admin', { count: 3 }) }).click();
    await page.getByText(t('tryAgainHint')).waitFor();
    await page.reload();
    await page.getByText(t('interrupted')).waitFor();
    // Keys are safe: the offline notice moves the button away from a click.
    await page.getByRole('button', { name: t('goOn'), exact: true }).press('Enter');
    await page.getByText(t('created', { count: 2 })).waitFor();
    await page.getByText(t('moved', { count: 1 })).waitFor();
    const download = page.getByRole('button', { name: say.newPasswords('downloadCsv') });
    const lines = await downloadLines(page, download);
    const own = lines.find((line) => line.includes(`,${fresh},`))?.split(',') ?? [];
    expect(own.slice(0, 3)).toEqual(['Grade 1 Class B', '郑', fresh]);
    await app.signIn(fresh, own[3] ?? '');
    for (const [username, name] of [
      [known, '吴老师'],
      [fresh, '郑'],
    ] as const)
      expect(await admin.read(`/admin/list?search=${username}`)).toMatchObject([{ name }]);
  });

  journey('a form is sent once if its session has expired, after a new sign-in', async (visit) => {
    const { page, say, goOn, choose, school, app, username, password, forgive } = visit;
    const { templates: t, signIn: s } = say;
    await goOn('/admin/templates');
    await page.getByRole('button', { name: t('addTemplate') }).click();
    const form = page.getByRole('dialog', { name: t('addTemplate') });
    await choose(form, t('where'), 'Class B');
    const name = form.getByLabel(t('name'));
    await name.fill('Courtesy');
    await form.getByLabel(t('points')).fill('7');
    const answers: number[] = [];
    page.on('response', (answer) => {
      const isWrite = answer.request().method() === 'POST' && answer.url().endsWith('/api/scores/templates');
      if (isWrite) answers.push(answer.status());
    });
    // A pending request would ask to sign in first.
    const loading = page.getByRole('status', { name: say.common('loading'), exact: true });
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
    const { page, heading, say, goOn, app, origin, username, password } = visit;
    const { account: t, ownPassword: p, shell: s, sessions: device } = say;
    const elsewhere = await Promise.all([1, 2, 3].map(() => app.signIn(username, password)));
    const ended = async () =>
      (await Promise.all(elsewhere.map((session) => session.get('/auth/me')))).filter(
        ({ status }) => status === 401,
      ).length;
    await goOn('/admin/account');
    const own = visit.region(t('aboutMe'));
    await own.getByText(s('grade_admin'), { exact: true }).waitFor();
    await own.getByText('Grade 1', { exact: true }).waitFor();
    const sessions = visit.region(t('sessionsTitle'));
    await sessions.getByText(/^Chrome · /).waitFor();
    await expect.poll(() => sessions.getByText(device('thisDevice')).count()).toBe(1);
    // The device of sessions that tests open through the API.
    const end = sessions.getByRole('button', { name: device('endOf', { device: 'lightMyRequest' }) });
    await end.first().click();
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

    const chinese = translatorFor('zh-CN');
    await page.getByRole('button', { name: username }).filter({ visible: true }).click();
    await page.getByText('中文', { exact: true }).click();
    await page.getByTitle(chinese.components('schemeDark'), { exact: true }).click();
    await expect.poll(() => page.getAttribute('html', 'data-mantine-color-scheme')).toBe('dark');
    // An unfinished import contains names, so signing out must delete it.
    await page.evaluate("sessionStorage.setItem('classledger.import', '{}')");
    const signOut = page.getByRole('button', { name: chinese.common('signOut'), exact: true });
    await signOut.last().click();
    await page.waitForURL(`${origin}/`);
    expect(await page.evaluate("sessionStorage.getItem('classledger.import')")).toBeNull();
    await page.goBack();
    await heading(chinese.signIn('adminTitle')).waitFor();
    await expect.poll(() => page.getByText(username, { exact: true }).count()).toBe(0);
    await app.signIn(username, 'a longer one');
  });
});

describeJourneys('subject teachers', 'school', inEnglish, (journey) => {
  journey(
    'an office gives subject teachers their classes from a list, and changes them in a form',
    async (visit) => {
      const { page, dialog, say, go, row, pick, act, school, app, admin } = visit;
      const { classTeachers: t, administrators: a, listFiles: f, lists: l } = say;
      const [fresh, known] = [`li-${school.id}`, `wang-${school.id}`];
      const { id: classId } = school.grades[0].classes[0];
      const login = { username: known, password: 'password of wang' };
      await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
      await go('/admin/administrators/class-teachers');
      await pick(t('whose'), t('teachers'));
      const list = [
        ['Class', 'Teacher', 'Staff no.', 'Subject'],
        ['Grade 1 Class A', '李 芳', fresh, 'Maths'],
        ['Grade 1 Class B', '李 芳', fresh, 'Maths'],
        ['Grade 2 Class A', '王 明', known, 'Art'],
        ['Grade 2 Class B', '王 明', known, ''],
        ['Grade 1 (b)', '李 芳', fresh, 'Physics'],
      ];
      await page.getByText(f('paste'), { exact: true }).click();
      await page.getByRole('textbox').fill(list.map((cells) => cells.join('\t')).join('\n'));
      await page.getByRole('button', { name: t('next') }).click();
      await page.getByRole('checkbox', { name: f('hasHeader', { line: 1 }) }).waitFor();
      await page.getByRole('button', { name: t('next') }).press('Enter');
      const start = page.getByRole('button', { name: t('start_teacher', { count: 4 }) });
      await start.waitFor();
      const outcomes = await page
        .getByRole('region', { name: f('rowOutcomes') })
        .getByRole('row')
        .allTextContents();
      const expected = [
        'outcome_created',
        'outcome_added',
        'outcome_added',
        'outcome_added',
        'pairTwice',
      ] as const;
      expected.forEach((outcome, index) => {
        expect(outcomes[index + 1]).toContain(t(outcome));
      });
      await start.click();
      await page.getByText(t('created', { count: 1 })).waitFor();
      await page.getByText(t('taught', { count: 4 })).waitFor();
      const download = page.getByRole('button', { name: say.newPasswords('downloadCsv') });
      const [, line = ''] = await downloadLines(page, download);
      const teacher = await app.signIn(fresh, line.split(',')[3] ?? '');
      const me = await teacher.read<AdminIdentity>('/auth/me');
      expect(me).toMatchObject({ role: 'teacher', name: '李芳' });
      expect(new Set(me.taughtClassIds)).toEqual(new Set(school.grades[0].classes.map(({ id }) => id)));

      await page.getByRole('link', { name: t('showAccounts') }).click();
      await row('王明')
        .getByText(a('teachesThese', { classes: 'Grade 2 Class A Art, Grade 2 Class B' }))
        .waitFor();
      await page.getByRole('searchbox').fill('李芳');
      await row('李芳').getByText('Grade 1 Class A Maths, Grade 1 Class B Maths').waitFor();
      await act(`李芳 (${fresh})`, l('edit'));
      await dialog
        .getByRole('button', { name: a('removeTaught') })
        .first()
        .click();
      await dialog.getByRole('button', { name: a('addTaught') }).click();
      await dialog.getByRole('button', { name: l('save') }).click();
      await dialog.getByText(a('taughtMissing')).waitFor();
      await dialog
        .getByRole('combobox', { name: l('class') })
        .last()
        .click();
      await page.getByRole('option', { name: 'Class A' }).last().click();
      await dialog
        .getByRole('textbox', { name: a('subject') })
        .last()
        .fill('Physics');
      await dialog.getByRole('button', { name: l('save') }).click();
      await row('李芳').getByText('Grade 1 Class B Maths, Grade 2 Class A Physics').waitFor();
    },
  );
});

describeJourneys('the operators', 'super', inEnglish, (journey) => {
  journey('a super administrator approves an application and creates its school', async (visit) => {
    const { page, dialog, say, go, row, act, app, admin } = visit;
    const { applications: t, schools: s } = say;
    const name = 'Hillside';
    await app.anonymous.internal.post('/applications', applicationOf(name));
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
    expect(await admin.read('/applications?limit=1&status=approved')).toMatchObject([
      { schoolName: name, reviewNote: 'Called on Monday.' },
    ]);
    const found = async () =>
      (await admin.read<{ name: string }[]>('/schools')).filter((school) => school.name === name);
    expect(await found()).toHaveLength(1);

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
    await dialog.getByLabel(say.components('typeToConfirm', { text: name })).fill(name);
    await forGood.click();
    await row(name).waitFor({ state: 'detached' });
    expect(await found()).toEqual([]);

    await navigateInApp(page, new URL('/admin/applications?status=approved', page.url()));
    await act(name, t('delete'));
    await dialog.getByText(t('deleteText', { name, applicant: 'Mei Zhao' })).waitFor();
    await dialog.getByRole('button', { name: t('delete') }).click();
    await page.getByText(t('deletedDone', { name })).waitFor();
    await row(name).waitFor({ state: 'detached' });
    expect(await admin.read('/applications?status=approved')).toEqual([]);
  });

  journey(
    'an announcement keeps no script, image or handler; it can be hidden and deleted',
    async (visit) => {
      const { page, dialog, say, goOn, row, button, act, app } = visit;
      const t = say.announcements;
      const title = 'The new term';
      const shown = async () =>
        (await app.anonymous.internal.read<Announcement[]>('/announcements')).map(({ content }) => content);
      await goOn('/admin/announcements');
      await button(t('create')).click();
      await waitForFocusIn(page, 'dialog');
      await dialog.getByRole('textbox', { name: t('titleLabel') }).fill(title);
      await page.keyboard.press('Escape');
      const question = page.getByRole('dialog', { name: say.adminPage('discardTitle') });
      await question.getByRole('button', { name: say.common('cancel') }).click();
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
    },
  );

  journey('a super administrator requires and resets second factors of administrators', async (visit) => {
    const { page, say, goOn, act, app, admin, school } = visit;
    const { administrators: a, security: y } = say;
    const login = { username: `lin-${school.id}`, password: 'password of lin' };
    const classId = school.grades[0].classes[0].id;
    await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
    await goOn('/admin/security');
    // The page prevents a super administrator without a second factor from locking themselves out.
    const roleSwitch = (role: 'super_admin' | 'class_admin') =>
      page.getByRole('switch', { name: say.shell(role) });
    await expect.poll(() => roleSwitch('super_admin').isDisabled()).toBe(true);
    await roleSwitch('class_admin').click();
    await visit.answerDialog(y('requireTitle'), y('require'));
    const required = async () =>
      (await admin.read<FactorRoles>('/second-factor-roles')).roles.find(({ role }) => role === 'class_admin')
        ?.isRequired;
    await expect.poll(required).toBe(true);

    await app.database.pool.query(
      `INSERT INTO code_app (admin_id, sealed_secret, last_step, created_at)
       SELECT id, '', 0, now() FROM admin WHERE username = $1`,
      [login.username],
    );
    await goOn('/admin/administrators');
    const name = login.username;
    await act(name, a('resetFactor'));
    await visit.answerDialog(a('resetFactorTitle', { name }), a('resetFactor'));
    await page.getByText(a('resetFactorDone', { name })).waitFor();
    expect((await app.database.pool.query('SELECT FROM code_app')).rowCount).toBe(0);
    await admin.patch('/second-factor-roles', { roles: [] });
  });
});

interface FactorRoles {
  readonly roles: readonly { readonly role: string; readonly isRequired: boolean }[];
}
