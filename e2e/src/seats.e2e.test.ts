import type { Seat } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openAs, startServedSchool } from './harness/served-school.ts';

const school = await startServedSchool();

describe('The seating plan', () => {
  const names = (selector = '[data-seat]') =>
    `Array.from(document.querySelectorAll('${selector}'), (seat) => seat.innerText)`;

  it('changes by mouse and keyboard, and restores the seats if the server rejects a move', async () => {
    const { admin, classId } = school;
    const layout = { groupCount: 1, rowsPerGroup: 2, colsPerGroup: 2 };
    await admin.created('/seats/data/generate', { schoolDb: school.school.schoolDb, classId, ...layout });
    const { page, complaints } = await openAs(school, 'class', '/seats');
    const seats = page.locator('[data-seat]');
    await seats.first().waitFor();
    const [a, b, c] = (await page.evaluate(names())) as string[];

    const [from, to] = [await seats.nth(0).boundingBox(), await seats.nth(3).boundingBox()];
    if (!from || !to) throw new Error('No seats');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 });
    await page.locator('[data-seat][data-target]').waitFor();
    await page.mouse.up();
    await expect.poll(() => page.evaluate(names())).toEqual(['empty', b, c, a]);

    // Enter picks up and swaps; Delete frees the seat.
    await seats.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(names())).toEqual(['empty', a, c, b]);
    await page.keyboard.press('Delete');
    await page
      .getByRole('region', { name: 'No seat' })
      .getByRole('button', { name: b ?? '' })
      .click();

    // Waits until the earlier moves are stored, so that only the next one fails.
    const taken = async () => {
      const { data } = await admin.get(`/seats/data?schoolDb=${school.school.schoolDb}&classId=${classId}`);
      return (data as Seat[]).map(({ userId }) => userId !== null);
    };
    await expect.poll(taken).toEqual([false, true, true, false]);
    await page.route('**/api/seats/data/*', (route) => route.fulfill({ status: 500, json: {} }));
    await seats.nth(0).click();
    await page.getByText('The move wasn’t saved').waitFor();
    await page.unroute('**/api/seats/data/*');
    await expect.poll(() => page.evaluate(names())).toEqual(['empty', a, c, 'empty']);
    await page.reload();
    await seats.first().waitFor();
    await expect.poll(() => page.evaluate(names())).toEqual(['empty', a, c, 'empty']);
    expect(complaints.filter((complaint) => !complaint.includes('500'))).toEqual([]);
  });
});
