import type { ClassTeams, Student } from '@classledger/contract';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { texts as projectorTexts } from '../../../web/src/admin/classroom/projector/texts.ts';
import { texts as scoringTexts } from '../../../web/src/admin/classroom/scoring/texts.ts';
import { texts as teamTexts } from '../../../web/src/admin/classroom/teams/texts.ts';
import { administrators, describeJourneys } from '../harness/journeys.ts';

describeJourneys('teams', administrators, (journey) => {
  journey('are drawn, renamed and given points, and ranked on the board and projector', async (visit) => {
    const { page, say, go, goOn, choose, traveller, school, screen, admin } = visit;
    const [t, b, p] = [say(teamTexts), say(scoringTexts), say(projectorTexts)];
    const { schoolDb } = school;
    const classId = school.grades[0].classes[0].id;
    const here = `schoolDb=${schoolDb}&classId=${classId}`;
    await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
    const teams = async () => ((await admin.get(`/teams?${here}`)).data as ClassTeams).teams;
    const totals = async () =>
      ((await admin.get(`/users?${here}`)).data as Student[])
        .map(({ totalScore }) => totalScore)
        .toSorted((one, other) => other - one);

    await go('/admin/scoring');
    if (traveller !== 'class') await choose(page, b('class'), 'Class A');
    await page.locator('label', { hasText: b('viewTeams') }).click();
    await page.getByRole('link', { name: b('makeTeams') }).click();
    await page
      .getByRole('main')
      .getByRole('button', { name: t('makeTeams') })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: t('dealTitle') });
    await dialog.getByRole('radio', { name: t('methodPoints') }).check();
    await dialog.getByRole('textbox', { name: t('byCount') }).fill('2');
    await dialog.getByRole('button', { name: t('deal'), exact: true }).click();
    const name = t('teamName', { number: 1 });
    const long = 'Unstoppable Mathematics Wizards';
    const box = page.getByRole('region', { name, exact: true });
    await box.getByRole('textbox', { name: t('name') }).fill(long);
    const wizards = page.getByRole('region', { name: long, exact: true });
    await wizards.waitFor();
    if (screen !== 'phone') {
      const other = page.getByRole('region', { name: t('teamName', { number: 2 }), exact: true });
      const isShown = async (here: Locator, elsewhere: Locator) => {
        await here.hover();
        return [await here.getAttribute('data-over'), await elsewhere.getAttribute('data-over')];
      };
      await wizards.locator('[draggable]').first().hover();
      await page.mouse.down();
      await expect.poll(() => isShown(other, wizards)).toEqual(['true', null]);
      await expect.poll(() => isShown(wizards, other)).toEqual(['true', null]);
      await page.mouse.up();
      await expect.poll(() => wizards.getAttribute('data-over')).toBe(null);
    }
    // The page is inert during a save, because the answer would overwrite changes.
    const saving = Promise.withResolvers<void>();
    await page.route('**/api/teams', async (route) => {
      await saving.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: t('save'), exact: true }).click();
    const isHeld = () => wizards.evaluate((box) => box.closest('[inert]') !== null);
    await expect.poll(isHeld).toBe(true);
    saving.resolve();
    await expect.poll(async () => (await teams()).map((team) => team.name)).toContain(long);
    await expect.poll(isHeld).toBe(false);
    await page.unroute('**/api/teams');
    const sizes = (await teams()).map(({ userIds }) => userIds.length);
    expect(sizes.toSorted()).toEqual([1, 2]);

    await goOn('/admin/scoring');
    const list = page.getByRole('list', { name: b('teams') });
    const card = list.getByRole('button').filter({ hasText: long });
    const template = page.getByRole('region', { name: b('give') }).getByRole('button', { name: /^Homework/ });
    await card.click();
    const ends = await Promise.all([card, list].map(async (part) => rightOf(await part.boundingBox())));
    expect(ends[0]).toBeLessThanOrEqual(ends[1] as number);
    await template.click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ name: long, ownPoints: 2, rank: 1 });
    expect(await totals()).toEqual([0, 0, 0]);
    const alone = screen !== 'phone';
    if (alone) await page.locator('label', { hasText: b('viewCards') }).click();
    if (alone) await page.reload();
    const what = b('whatOne', { points: '+2', name: long });
    await page.getByRole('button', { name: b('undoTap', { what }) }).click();
    await expect.poll(async () => (await teams())[0]).toMatchObject({ ownPoints: 0 });
    if (alone) await page.locator('label', { hasText: b('viewTeams') }).click();
    if (screen === 'phone')
      await page
        .getByRole('button', { name: b('chooseNone') })
        .last()
        .click();

    await page.locator('label', { hasText: b('targetMembers') }).click();
    await card.click();
    await template.click();
    const each = sizes[0] as number;
    await expect.poll(totals).toEqual([2, 2, 2].map((points, i) => (i < each ? points : 0)));
    await expect.poll(async () => (await teams())[0]).toMatchObject({ memberPoints: 2 * each, points: 2 });

    await goOn(`/admin/projector?class=${classId}`);
    await page.getByRole('button', { name: p('settings') }).click();
    await page
      .getByRole('dialog', { name: p('settings') })
      .locator('label', { hasText: p('teams') })
      .click();
    const first = page.getByRole('list', { name: p('teamRanking') }).getByRole('listitem');
    await expect
      .poll(async () => (await first.allInnerTexts()).join(' ').split(/\s+/).slice(0, 5))
      .toEqual(['1', ...long.split(' '), '2']);
  });
});

const rightOf = (box: { x: number; width: number } | null) =>
  box ? Math.round(box.x + box.width) : Number.NaN;
