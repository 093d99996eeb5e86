import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCertainlyUnsent, mustBeKept } from './tap.ts';
import { type BrowserPage, SimulatedBrowser } from './testing/tap-browser.ts';
import { fates, TapWorld, tapOf } from './testing/tap-world.ts';

/** Opens a browser whose first page has one unsent tap and one saved tap. */
async function withWaitingTap() {
  const world = new TapWorld();
  world.time = 1_000_000;
  const browser = new SimulatedBrowser(world);
  const page = browser.open();
  const saved = page.queue.give(tapOf([2], 3));
  await browser.pass(1);
  world.network = ['lostAfter'];
  const waiting = page.queue.give(tapOf([1], 2));
  await browser.pass(0);
  expect(page.queue.taps).toMatchObject([
    { key: waiting.key, state: 'waiting' },
    { key: saved.key, state: 'done' },
  ]);
  return { world, browser, page, waiting, saved };
}

const statesOf = ({ queue }: BrowserPage) => queue.taps.map(({ state }) => state);

describe('Taps of a person', () => {
  it('return after a reload, each with its undo', async () => {
    const { world, browser, page, saved } = await withWaitingTap();
    browser.closePage(page, 'gone');
    await browser.pass(300);
    const next = browser.open();
    await browser.pass(0);
    expect(statesOf(next)).toEqual(['done', 'done']);
    next.queue.undo(saved.key);
    await browser.pass(0);
    expect([world.totals.get(1), world.totals.get(2)]).toEqual([2, 0]);
  });

  it('are shown by all pages, and sent by the page where they were made', async () => {
    const { world, browser, page } = await withWaitingTap();
    const other = browser.open();
    world.network = Array.from({ length: 100 }, () => 'lostBefore');
    for (let minutes = 0; minutes < 10; minutes++) await browser.pass(60_000);
    expect([statesOf(page), statesOf(other)]).toEqual([
      ['waiting', 'done'],
      ['waiting', 'done'],
    ]);
    expect([page.queue.hasUnsent, other.queue.hasUnsent]).toEqual([true, false]);
    expect([other.queue.pendingChange(1), other.queue.unsettledCount]).toEqual([2, 1]);
  });

  it('are undone by the requesting page, and the others show that', async () => {
    const { world, browser, page, saved } = await withWaitingTap();
    const other = browser.open();
    other.queue.undo(saved.key);
    await browser.pass(0);
    expect(statesOf(page)[1]).toBe('undone');
    expect(world.totals.get(2)).toBe(0);
  });

  it('of a closed page are sent by another page at once', async () => {
    const { world, browser, page } = await withWaitingTap();
    const other = browser.open();
    browser.closePage(page, 'gone');
    await browser.pass(0);
    expect(statesOf(other)).toEqual(['done', 'done']);
    expect(world.totals.get(1)).toBe(2);
  });

  it.each([
    [true, 0],
    [false, 31_000],
  ])('of a crashed page are sent by another page', async (knows, afterMs) => {
    const { world, browser, page } = await withWaitingTap();
    browser.knowsOpenPages = knows;
    page.state = 'gone';
    const next = browser.open();
    await browser.pass(afterMs);
    await browser.pass(0);
    expect(statesOf(next)).toEqual(['done', 'done']);
    expect(world.totals.get(1)).toBe(2);
  });

  it.each([true, false])('of a frozen page are sent by another page', async (knows) => {
    const { world, browser, page } = await withWaitingTap();
    browser.knowsOpenPages = knows;
    const other = browser.open();
    page.state = 'frozen';
    await browser.pass(20_000);
    expect(statesOf(other)).toEqual(['waiting', 'done']);
    await browser.pass(20_000);
    expect(statesOf(other)).toEqual(['done', 'done']);
    browser.resumePage(page);
    await browser.pass(0);
    expect(statesOf(page)).toEqual(['done', 'done']);
    expect(world.totals.get(1)).toBe(2);
  });

  it('keep the state of another page when a frozen page gets an old answer', async () => {
    const world = new TapWorld();
    const browser = new SimulatedBrowser(world);
    const [page, other] = [browser.open(), browser.open()];
    const { key } = page.queue.give(tapOf([1], 2));
    page.state = 'frozen';
    await browser.pass(40_000);
    await browser.pass(0);
    expect(statesOf(other)).toEqual(['done']);
    other.queue.undo(key);
    await browser.pass(0);
    browser.resumePage(page);
    await browser.pass(0);
    expect(statesOf(page)).toEqual(['undone']);
    expect(world.totals.get(1)).toBe(0);
  });

  it('are unsure when their page crashed before the answer', async () => {
    const world = new TapWorld();
    const browser = new SimulatedBrowser(world);
    const page = browser.open();
    page.queue.give(tapOf([1], 2));
    page.state = 'gone';
    world.refusal = 'not of this class any more';
    const next = browser.open();
    await browser.pass(0);
    expect(statesOf(next)).toEqual(['unsure']);
  });

  it('of a crashed page are sent even after the clock was set back', async () => {
    const world = new TapWorld();
    world.time = 100 * 3_600_000;
    const browser = new SimulatedBrowser(world);
    browser.knowsOpenPages = false;
    const page = browser.open();
    world.network = ['turnedAway'];
    page.queue.give(tapOf([1], 2));
    await browser.pass(0);
    page.state = 'gone';
    world.time -= 40 * 3_600_000;
    const next = browser.open();
    await browser.pass(0);
    expect(statesOf(next)).toEqual(['done']);
  });

  it('on a page restored by Back show the changes of other pages', async () => {
    const { browser, page, saved } = await withWaitingTap();
    browser.closePage(page, 'kept for Back');
    await browser.pass(10_000);
    browser.resumePage(page);
    await browser.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done']);

    browser.closePage(page, 'kept for Back');
    const other = browser.open();
    other.queue.undo(saved.key);
    await browser.pass(0);
    browser.resumePage(page);
    expect(statesOf(page)).toEqual(['done', 'undone']);
  });

  it('are sent and stay on the page when storage is full', async () => {
    const { world, browser, page } = await withWaitingTap();
    world.storage.entriesMax = 0;
    world.network = ['lostAfter'];
    page.queue.give(tapOf([3], 1));
    await browser.pass(0);
    // Other pages ignore the tap, because they could not learn its outcome.
    expect(statesOf(browser.open())).toEqual(['waiting']);
    await browser.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done', 'done']);
    expect(world.totals.get(3)).toBe(1);
  });

  it('stay on the page when storage is cleared', async () => {
    const { world, browser, page } = await withWaitingTap();
    world.storage.clear();
    await page.queue.refresh();
    await browser.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done']);
    expect(statesOf(browser.open())).toEqual(['done', 'done']);
  });

  it('disappear from all pages when dismissed', async () => {
    const { world, browser, page } = await withWaitingTap();
    world.refusal = 'no';
    const refused = page.queue.give(tapOf([3], 1));
    await browser.pass(10_000);
    const other = browser.open();
    other.queue.dismiss(refused.key);
    await browser.pass(0);
    expect(page.queue.taps.map(({ key }) => key)).not.toContain(refused.key);
  });
});

const fate = fc.constantFrom(...fates);
const pass = fc.constantFrom(0, 700, 5_000, 70_000, 200_000, 11 * 3_600_000);
const doing = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('give' as const), to: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat(7) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('close', 'crash', 'freeze', 'keepForBack', 'wake', 'reload', 'open'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), whom: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setClock' as const), hours: fc.integer({ min: -40, max: 40 }) }),
  },
);
const step = fc.record({ page: fc.nat(5), doing, pass, fates: fc.array(fate, { maxLength: 4 }) });

describe('With any events of pages, network and clock', () => {
  it('each tap takes effect once, is undone, or reports that it did not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.boolean(), async (steps, knowsOpenPages) => {
        const world = new TapWorld();
        world.time = 100 * 3_600_000;
        const browser = new SimulatedBrowser(world);
        browser.knowsOpenPages = knowsOpenPages;
        browser.open();
        const given = new Map<string, { to: number; back: boolean }>();
        for (const { page: at, doing: what, pass: ms, fates } of steps) {
          world.network = [...fates];
          const page = browser.pages[at % browser.pages.length] as BrowserPage;
          const isOpen = page.state === 'open';
          if (what.do === 'give' && isOpen) {
            given.set(page.queue.give(tapOf([what.to], 1)).key, { to: what.to, back: false });
          } else if (what.do === 'undo' && isOpen) {
            const tap = page.queue.taps[what.which];
            const mine = tap && given.get(tap.key);
            if (mine && ['sending', 'waiting', 'done'].includes(tap.state)) {
              page.queue.undo(tap.key);
              mine.back = true;
            }
          } else if (what.do === 'close' && isOpen) browser.closePage(page, 'gone');
          else if (what.do === 'crash') page.state = 'gone';
          else if (what.do === 'freeze' && isOpen) page.state = 'frozen';
          else if (what.do === 'keepForBack' && isOpen) browser.closePage(page, 'kept for Back');
          else if (what.do === 'wake' && page.state !== 'gone') browser.resumePage(page);
          else if (what.do === 'open') browser.open();
          else if (what.do === 'reload' && isOpen) {
            browser.closePage(page, 'gone');
            browser.open();
          } else if (what.do === 'delete') world.deleted.add(what.whom);
          else if (what.do === 'setClock') world.time += what.hours * 3_600_000;
          await browser.pass(ms);
          for (const { queue, totals, state } of browser.pages) {
            for (const [id, total] of state === 'open' ? totals : []) {
              const isOpen = queue.taps.some(
                (tap) => mustBeKept(tap) && !isCertainlyUnsent(tap) && tap.studentIds.includes(id),
              );
              // Pages learn of a deleted student with the next request.
              if (isOpen || browser.doubted.has(id) || world.deleted.has(id)) continue;
              expect(total).toBe(world.totals.get(id) ?? 0);
            }
          }
        }
        world.network = [];
        const last = browser.open();
        for (let minutes = 0; minutes < 6; minutes++) await browser.pass(60_000);
        for (const page of browser.pages) if (page.state !== 'gone') browser.resumePage(page);
        for (let minutes = 0; minutes < 2; minutes++) await browser.pass(60_000);
        // After some days, pages also show the `unsure` taps that a crashed page left.
        world.time += 1_000 * 3_600_000;
        browser.open();

        const shown = new Map(
          browser.pages
            .filter(({ state }) => state === 'open')
            .flatMap(({ queue }) => queue.taps)
            .map((tap) => [tap.key, tap]),
        );
        expect(last.queue.unsettledCount).toBe(0);
        const expected = new Map<number, { least: number; most: number }>();
        for (const [key, { to, back }] of given) {
          if (world.repeatedAfterExpiry.has(key)) return;
          expect(world.carriedOut.get(key) ?? 0).toBeLessThanOrEqual(1);
          const range = expected.get(to) ?? { least: 0, most: 0 };
          expected.set(to, range);
          const end = shown.get(key);
          const asks = end?.state === 'unsure';
          const saysNo = end?.state === 'refused' || (end?.stuckIds.length ?? 0) > 0;
          if (!back && !asks && !saysNo) range.least++;
          if (!back || asks || saysNo) range.most++;
        }
        for (const [id, { least, most }] of expected) {
          expect(world.totals.get(id) ?? 0).toBeGreaterThanOrEqual(least);
          expect(world.totals.get(id) ?? 0).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 300 },
    );
  });
});
