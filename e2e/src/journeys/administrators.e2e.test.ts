import { expect } from 'vitest';
import { managedRoles } from '../../../server/src/access/management.ts';
import { texts as accountTexts } from '../../../web/src/admin/access/account/texts.ts';
import { actionTexts } from '../../../web/src/admin/access/actions/action-texts.ts';
import { texts as activityTexts } from '../../../web/src/admin/access/activity/texts.ts';
import { texts } from '../../../web/src/admin/access/administrators/texts.ts';
import { texts as teacherTexts } from '../../../web/src/admin/access/class-teachers/texts.ts';
import { texts as readingTexts } from '../../../web/src/admin/lists/texts.ts';
import { texts as shellTexts } from '../../../web/src/admin/shell/texts.ts';
import { texts as slipTexts } from '../../../web/src/admin/students/passwords/texts.ts';
import { texts as listTexts } from '../../../web/src/components/list/texts.ts';
import { texts as sharedTexts } from '../../../web/src/components/texts.ts';
import { passwordTexts } from '../../../web/src/session/password-texts.ts';
import { loseAnswer, savedLines } from '../harness/files.ts';
import { administrators, describeJourneys } from '../harness/journeys.ts';

describeJourneys('administrators', administrators, (journey) => {
  journey(
    'adds, moves, disables and deletes administrators below the own role, and logs it in the activity log',
    async (visit) => {
      const { page, say, go, goOn, row, choose, traveller, school, app, admin, username } = visit;
      const t = say(texts);
      const s = say(shellTexts);
      const l = say(listTexts);
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
      const addButton = page.getByRole('button', { name: t('add') });
      await go('/admin/administrators');

      if (traveller === 'class') {
        await row(username).getByText(t('you')).waitFor();
        await expect.poll(() => row(far).count()).toBe(0);
        await expect.poll(() => addButton.count()).toBe(0);
        await page.getByRole('button', { name: l('actionsFor', { name: username }) }).click();
        await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual([t('showActivity')]);
        await page.getByRole('menuitem').click();
        await row(username).getByText(action('signedIn')).waitFor();
        return;
      }

      await addButton.click();
      await dialog.getByRole('textbox', { name: l('username') }).fill(near);
      await dialog.getByRole('combobox', { name: t('role') }).click();
      const roles = managedRoles(`${traveller}_admin` as 'super_admin').map((role) => s(role));
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(roles);
      await page.getByRole('option', { name: s('class_admin') }).click();
      await dialog.getByRole('combobox', { name: l('class') }).click();
      await expect.poll(() => page.getByRole('option').count()).toBe(traveller === 'grade' ? 2 : 4);
      await page.getByRole('option', { name: 'Class B' }).first().click();
      await dialog.getByRole('button', { name: t('add') }).click();
      const password = (await dialog.getByLabel(t('password'), { exact: true }).textContent()) ?? '';
      await app.signIn(near, password);
      await dialog.getByRole('button', { name: l('done') }).click();
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
      await expect(app.signIn(near, password)).rejects.toThrow();
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
      // Only a super administrator sees entries of super administrators.
      await expect.poll(() => row(far).count()).toBe(traveller === 'super' ? 1 : 0);
      expect(page.url()).toContain('action=createAdministrator');

      visit.forgive(/40[34]/);
      await goOn('/admin/activity?admin=999999999');
      const said = traveller === 'super' ? 'noMatchTitle' : 'goneFilterTitle';
      await page.getByText(say(listTexts)(said)).waitFor();
      expect(page.url()).toContain('admin=999999999');
    },
  );

  journey(
    'creates class teachers from a list, adds a missing class, and restores their passwords after a reload',
    async (visit) => {
      const { page, say, go, goOn, row, traveller, school, app, admin } = visit;
      if (traveller === 'class') return;
      const t = say(teacherTexts);
      const l = say(readingTexts);
      const p = say(slipTexts);
      const [known, fresh, other, none] = ['wu', 'zheng', 'sun', 'none'].map(
        (name) => `${name}-${school.id}`,
      ) as [string, string, string, string];
      const { id: classId } = school.grades[0].classes[0];
      const login = { username: known, password: 'password of wu' };
      await admin.created('/admin/manage', { schoolId: school.id, role: 'class_admin', classId, ...login });
      await go('/admin/administrators');
      await page.getByRole('link', { name: say(texts)('classTeachers') }).click();
      const list = [
        ['Class', 'Teacher', 'Staff no.'],
        ['Grade 1 class b', '吴 老师', known],
        ['Grade 1 (B)', '郑', fresh],
        ['Grade 2 Class A', 'Somebody', other],
        ['Grade 1 Class Q', 'Nobody', none],
      ];
      await page.getByText(l('paste'), { exact: true }).click();
      await page.getByRole('textbox').fill(list.map((cells) => cells.join('\t')).join('\n'));
      await page.getByRole('button', { name: t('next') }).click();
      await page.getByRole('checkbox', { name: l('hasHeader', { line: 1 }) }).waitFor();
      await page.getByRole('button', { name: t('next') }).press('Enter');
      const fate = (of: string, text: string) =>
        page.getByRole('row').filter({ hasText: of }).getByText(text, { exact: true }).waitFor();
      await fate(known, t('fateMoveFrom', { class: 'Grade 1 Class A' }));
      await fate(fresh, t('fateCreate'));
      await fate(none, t('classUnknown', { class: 'Grade 1 Class Q' }));
      const others = traveller === 'grade' ? [] : [other];
      await fate(
        other,
        others.length > 0 ? t('fateCreate') : t('classUnknown', { class: 'Grade 2 Class A' }),
      );
      await page.getByRole('button', { name: l('missingOpen') }).click();
      await page.getByRole('button', { name: l('missingAdd', { count: 1 }) }).click();
      await fate(none, t('fateCreate'));
      visit.forgive(/Failed to load resource/);
      await loseAnswer(page, '**/api/admin/manage/class-teachers', 1);
      await page.getByRole('button', { name: t('start', { count: 3 + others.length }) }).click();
      await page.getByRole('button', { name: t('leaveOut', { count: 3 + others.length }) }).waitFor();
      await page.reload();
      await page.getByText(t('interrupted')).waitFor();
      // Keys are safe here and below: the offline notice moves the buttons away from a click.
      await page.getByRole('button', { name: t('goOn'), exact: true }).press('Enter');
      await page.getByText(t('created', { count: 2 + others.length })).waitFor();
      await page.getByText(t('moved', { count: 1 })).waitFor();
      const lines = await savedLines(page, page.getByRole('button', { name: p('downloadCsv') }), 'keyboard');
      const own = lines.find((line) => line.includes(`,${fresh},`))?.split(',') ?? [];
      expect(own.slice(0, 3)).toEqual(['Grade 1 Class B', '郑', fresh]);
      await app.signIn(fresh, own[3] ?? '');
      await page.getByRole('link', { name: t('showAccounts') }).press('Enter');
      await row(known).getByText('Grade 1 Class B').waitFor();
      await goOn('/admin/administrators/class-teachers');
      await page.getByRole('heading', { name: l('dropTitle') }).waitFor();
      const classes = await admin.get(`/classes?schoolDb=${school.schoolDb}`);
      const added = (classes.data as { id: number; name: string }[]).find(({ name }) => name === 'Class Q');
      await admin.delete(`/classes/${added?.id}?schoolDb=${school.schoolDb}`);
    },
  );

  // The last journey, because it ends the traveller's session.
  journey('shows the own range, changes the password, ends other sessions and signs out', async (visit) => {
    const { page, say, goOn, traveller, app, origin, username, password } = visit;
    const t = say(accountTexts);
    const p = say(passwordTexts);
    const s = say(shellTexts);
    const elsewhere = await app.signIn(username, password);
    visit.forgive(/400/);
    await goOn('/admin/account');

    const own = page.getByRole('region', { name: t('aboutMe') });
    await own.getByText(s(`${traveller as 'super'}_admin`), { exact: true }).waitFor();
    const place = { grade: 'Grade 1', class: 'Class A' }[String(traveller)] ?? username;
    await own.getByText(place, { exact: true }).waitFor();
    const change = async (old: string, fresh: string, repeated: string) => {
      await page.getByLabel(p('oldPassword'), { exact: true }).fill(old);
      await page.getByLabel(p('newPassword'), { exact: true }).fill(fresh);
      await page.getByLabel(p('repeatPassword'), { exact: true }).fill(repeated);
      await page.getByRole('button', { name: p('changePassword') }).click();
    };
    await change(password, 'a longer one', 'a longer two');
    await page.getByText(p('notTheSame')).waitFor();
    await change('not this one', 'a longer one', 'a longer one');
    await page.getByText(p('wrongOld')).waitFor();
    await change(password, 'a longer one', 'a longer one');
    await page.getByText(p('changed')).waitFor();
    // An unfinished import contains names, so signing out must delete it.
    await page.evaluate(() => sessionStorage.setItem('classledger.import', '{}'));
    expect((await elsewhere.get('/auth/me')).status).toBe(401);
    await page
      .getByRole('main')
      .getByRole('button', { name: s('signOut') })
      .click();
    await page.waitForURL(`${origin}/`);
    expect(await page.evaluate(() => sessionStorage.getItem('classledger.import'))).toBeNull();
    // Restores the password for later tests.
    const again = await app.signIn(username, 'a longer one');
    await again.patch('/auth/me', { oldPassword: 'a longer one', newPassword: password });
  });
});
