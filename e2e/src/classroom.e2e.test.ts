import type { Seat } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { texts } from '../../web/src/admin/classroom/scoring/texts.ts';
import { texts as shellTexts } from '../../web/src/admin/shell/texts.ts';
import { commonTexts } from '../../web/src/i18n/common-texts.ts';
import { dropAnswer } from './harness/files.ts';
import { navigateInApp } from './harness/page-actions.ts';
import { openAdminPageAs, startServedSchool } from './harness/served-school.ts';
import { translatorFor } from './harness/translator.ts';

const { admin, school, classId, origin } = await startServedSchool();
const { schoolDb } = school;
const [first, second, third] = school.grades[0].classes[0].students;
const say = translatorFor('en');
const [t, shell] = [say(texts), say(shellTexts)];

// Before the page opens, because it may show cached names for a while.
for (const [student, actualName] of [
  [first, 'Li Wei'],
  [second, 'Li Wei'],
  [third, 'Ana López'],
] as const) {
  await admin.patch(`/users/${student?.id}`, { schoolDb, actualName });
}
const layout = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 2 };
await admin.created('/seats/data/generate', { schoolDb, classId, ...layout });
await admin.created('/scores/templates', { schoolDb, name: 'Homework', scoreChange: 2 });
const given = [first, first, first, second, third].map((student, index) => {
  return { userId: student?.id, scoreChange: [2, 3, -1][index] ?? 2, description: 'Reading' };
});
await admin.created('/scores/batch', { schoolDb, items: given });

/** The tests share this page of a class teacher. */
const { page, complaints } = await openAdminPageAs({ origin }, 'class', '/seats');
const goOn = (path: string) => navigateInApp(page, new URL(`${origin}/admin${path}`));

beforeEach(() => {
  complaints.length = 0;
});

describe('The seating plan', () => {
  const names = () =>
    page.evaluate(
      `Array.from(document.querySelectorAll('[data-seat]'), (seat) => seat.innerText)`,
    ) as Promise<string[]>;

  it('can be changed by mouse and keyboard, and shows the old seats again if the server rejects a move', async () => {
    const seats = page.locator('[data-seat]');
    await seats.first().waitFor();
    const [a, b, c] = await names();

    const [from, to] = [await seats.nth(0).boundingBox(), await seats.nth(3).boundingBox()];
    if (!from || !to) throw new Error('No seats');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
    await page.locator('[data-seat][data-target]').waitFor();
    await page.mouse.up();
    await expect.poll(names).toEqual(['empty', b, c, a]);

    // Enter picks up and swaps; Delete frees the seat.
    await seats.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(names).toEqual(['empty', a, c, b]);
    await page.keyboard.press('Delete');
    await page
      .getByRole('region', { name: 'No seat' })
      .getByRole('button', { name: b ?? '' })
      .click();

    // Waits until the earlier moves are stored, so that only the next one fails.
    const taken = async () => {
      const { data } = await admin.get(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`);
      return (data as Seat[]).map(({ userId }) => userId !== null);
    };
    await expect.poll(taken).toEqual([false, true, true, false]);
    await page.route('**/api/seats/data/*', (route) => route.fulfill({ status: 500, json: {} }));
    await seats.nth(0).click();
    await page.getByText('The move wasn’t saved').waitFor();
    await expect.poll(names).toEqual(['empty', a, c, 'empty']);
    expect(await taken()).toEqual([false, true, true, false]);
    await page.unrouteAll();
    expect(complaints.filter((complaint) => !complaint.includes('500'))).toEqual([]);
  });
});

describe('Pages for staff', () => {
  it('show student numbers only for students with the same name', async () => {
    const called = (number: string) => say(commonTexts)('nameWithNumber', { name: 'Li Wei', number });
    const expectNumbers = async (where: string) => {
      const numbers = async () =>
        [...new Set((await page.locator('#root').textContent())?.match(/s1a[123]/g))].sort();
      await page.getByText('Ana López').first().waitFor();
      await expect.poll(numbers, { message: where }).toEqual(['s1a1', 's1a2']);
    };
    await goOn('/scoring');
    await expectNumbers('scoring');
    await page.getByRole('button', { name: /^Li Wei s1a2 / }).click();
    await page
      .getByRole('region', { name: t('give') })
      .getByRole('button', { name: /^Homework/ })
      .click();
    const what = t('whatOne', { points: '+2', name: called('s1a2') });
    await page.getByRole('button', { name: t('undoPoints', { what }) }).click();
    await page.getByText(t('stateUndone'), { exact: true }).waitFor();
    await page.getByRole('button', { name: t('random') }).click();
    await page.getByRole('textbox', { name: t('pickCount') }).fill('3');
    await page.getByRole('button', { name: t('pickAgain') }).click();
    await page
      .getByRole('dialog')
      .getByRole('status')
      .filter({ hasText: 'Ana López' })
      .and(page.getByText(called('s1a1')))
      .and(page.getByText(called('s1a2')))
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    for (const path of ['seats', 'records', 'statistics'] as const) {
      await goOn(`/${path}`);
      await page.getByRole('heading', { level: 1, name: shell(path) }).waitFor();
      await expectNumbers(path);
    }
    await goOn('/');
    await expectNumbers('dashboard');
    await goOn('/projector');
    await expectNumbers('projector');
    await goOn('/students');
    await page.getByRole('button', { name: `Actions for ${called('s1a1')}` }).waitFor();
    expect(await page.getByRole('button', { name: 'Actions for Ana López', exact: true }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('The term of a class', () => {
  const wizard = page.getByRole('dialog', { name: 'End term' });
  const begin = async (name: string) => {
    await goOn('/terms');
    await page.getByRole('button', { name: 'End term' }).first().click();
    await wizard.getByRole('textbox', { name: 'Term name' }).fill(name);
  };

  it('ends only once when the answer is lost and the page sends the request again', async () => {
    await begin('Autumn');
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'End the term and keep the ranking?' });
    await confirm.getByRole('textbox').fill('Autumn');
    const switches = await dropAnswer(page, '**/api/admin/term-switch', 1);
    await confirm.getByRole('button', { name: 'End and keep ranking' }).click();
    await wizard.getByText('The term has ended. A new one has begun.').waitFor();
    expect(switches()).toBe(2);
    await wizard.getByRole('link', { name: 'Show ranking' }).click();
    await page.getByRole('heading', { level: 1, name: 'Autumn' }).waitFor();
    const best = page.getByRole('table', { name: 'Final ranking' }).getByRole('row').nth(1);
    await expect.poll(() => best.textContent()).toContain('+4+5−13');
    expect(complaints.filter((complaint) => !/ERR_FAILED/.test(complaint))).toEqual([]);
  });

  it('can end without keeping the ranking', async () => {
    await begin('Trial');
    await wizard.getByRole('radio', { name: 'Discard ranking' }).click();
    await wizard.getByRole('button', { name: 'Next' }).click();
    const confirm = page.getByRole('dialog', { name: 'End the term and discard the ranking?' });
    await confirm.getByRole('textbox').fill('Trial');
    await confirm.getByRole('button', { name: 'End and discard' }).click();
    await wizard.getByText('The term has ended. A new one has begun.').waitFor();
    expect(await wizard.getByRole('link').count()).toBe(0);
    await wizard.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Trial.*Ranking discarded/ })
      .getByRole('link')
      .click();
    await page.getByText('The ranking was discarded').waitFor();
    expect(complaints).toEqual([]);
  });
});
