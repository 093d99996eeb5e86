import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCertainlyUnsent, isUnsettled, mustBeKept, type PointsEntry } from './entry.ts';
import { EntryStore } from './entry-store.ts';
import {
  hourMs,
  networkOutcomes,
  newPointsFor,
  OutboxWorld,
  type WorldPage,
} from './testing/outbox-world.ts';

/** Opens a browser whose first page has one unsent entry and one saved entry. */
async function withWaitingPoints() {
  const world = new OutboxWorld();
  const page = world.open();
  const saved = page.queue.give(newPointsFor([2], 3));
  await world.pass(1);
  world.network = ['answerLost'];
  const waiting = page.queue.give(newPointsFor([1], 2));
  await world.pass(0);
  expect(statesOf(page)).toEqual(['waiting', 'done']);
  return { world, page, waiting, saved };
}

const statesOf = ({ queue }: WorldPage) => queue.entries.map(({ state }) => state);

describe('Points that a person gave', () => {
  it('are listed again after a reload, each with an undo button', async () => {
    const { world, page, saved } = await withWaitingPoints();
    world.close(page);
    await world.pass(300);
    const next = world.open();
    await world.pass(0);
    expect(statesOf(next)).toEqual(['done', 'done']);
    next.outbox.undo(saved.key);
    await world.pass(0);
    expect([world.totals.get(1), world.totals.get(2)]).toEqual([2, 0]);
  });

  it('are shown by all pages, but only the page that gave them sends them, and asks before it closes', async () => {
    const { world, page } = await withWaitingPoints();
    const other = world.open();
    world.network = Array.from({ length: 100 }, () => 'requestLost');
    for (let minutes = 0; minutes < 10; minutes++) await world.pass(60_000);
    expect([statesOf(page), statesOf(other)]).toEqual([
      ['waiting', 'done'],
      ['waiting', 'done'],
    ]);
    expect([page.outbox.hasUnsent, other.outbox.hasUnsent]).toEqual([true, false]);
    expect([other.queue.pendingChange(1), other.queue.unsettledCount]).toEqual([2, 1]);
  });

  it('can be undone by any page, and the other pages show the undo', async () => {
    const { world, page, saved } = await withWaitingPoints();
    const other = world.open();
    other.outbox.undo(saved.key);
    await world.pass(0);
    expect(statesOf(page)[1]).toBe('undone');
    expect(world.totals.get(2)).toBe(0);
  });

  it('are sent at once by another page when their page closes', async () => {
    const { world, page } = await withWaitingPoints();
    const other = world.open();
    world.close(page);
    await world.pass(0);
    expect(statesOf(other)).toEqual(['done', 'done']);
    expect(world.totals.get(1)).toBe(2);
  });

  it.each(['gone', 'frozen'] as const)(
    'of a %s page are sent by another page after 30 seconds',
    async (state) => {
      const { world, page } = await withWaitingPoints();
      const other = world.open();
      page.state = state;
      await world.pass(20_000);
      expect(statesOf(other)).toEqual(['waiting', 'done']);
      await world.pass(20_000);
      expect(statesOf(other)).toEqual(['done', 'done']);
      // No heartbeat is left, but two entries, and the sign that nobody has cleared the storage.
      expect(world.storage.size).toBe(3);
      world.resume(page);
      await world.pass(0);
      expect(statesOf(page)).toEqual(['done', 'done']);
      expect(world.totals.get(1)).toBe(2);
    },
  );

  it('that another page undid stay undone when a frozen page gets its old answer', async () => {
    const world = new OutboxWorld();
    const [page, other] = [world.open(), world.open()];
    const { key } = page.queue.give(newPointsFor([1], 2));
    page.state = 'frozen';
    await world.pass(40_000);
    await world.pass(0);
    expect(statesOf(other)).toEqual(['done']);
    other.outbox.undo(key);
    await world.pass(0);
    world.resume(page);
    await world.pass(0);
    expect(statesOf(page)).toEqual(['undone']);
    expect(world.totals.get(1)).toBe(0);
  });

  it('are unsure when their page crashed before the answer and the server later refuses them', async () => {
    const world = new OutboxWorld();
    world.open().queue.give(newPointsFor([1], 2));
    world.refusal = 'not of this class any more';
    const next = await world.openAfterCrash();
    await world.pass(0);
    expect(statesOf(next)).toEqual(['unsure']);
  });

  it('of a crashed page are sent even after the clock was set back', async () => {
    const world = new OutboxWorld();
    const page = world.open();
    world.network = ['turnedAway'];
    page.queue.give(newPointsFor([1], 2));
    await world.pass(0);
    page.state = 'gone';
    world.time -= 40 * hourMs;
    const next = world.open();
    await world.pass(0);
    expect(statesOf(next)).toEqual(['done']);
  });

  it('on a page restored by the Back button show the changes of other pages', async () => {
    const { world, page, saved } = await withWaitingPoints();
    world.close(page, 'kept for Back');
    await world.pass(10_000);
    world.resume(page);
    await world.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done']);

    world.close(page, 'kept for Back');
    world.open().outbox.undo(saved.key);
    await world.pass(0);
    world.resume(page);
    expect(statesOf(page)).toEqual(['done', 'undone']);
  });

  it('that were refused disappear from all pages when dismissed', async () => {
    const { world, page } = await withWaitingPoints();
    world.refusal = 'no';
    const refused = page.queue.give(newPointsFor([3], 1));
    await world.pass(10_000);
    world.open().outbox.giveUp(refused.key);
    await world.pass(0);
    expect(page.queue.entries.map(({ key }) => key)).not.toContain(refused.key);
  });

  it('are stored only after the heartbeat of their page, so that no other page sends them', async () => {
    const world = new OutboxWorld();
    const seen = new EntryStore(1, world.storage.ofPage());
    const left: unknown[] = [];
    world.storage.onWritten = () => {
      seen.read();
      left.push(...seen.entries.filter((one) => isUnsettled(one) && !seen.isPageAlive(one.page, world.time)));
    };
    const { key } = world.open().queue.give(newPointsFor([1], 2));
    await world.pass(0);
    const other = world.open();
    other.outbox.undo(key);
    await world.pass(0);
    expect(statesOf(other)).toEqual(['undone']);
    expect(left).toEqual([]);
  });
});

describe('Points in the browser’s storage', () => {
  it('are sent and stay on their page when the storage is full', async () => {
    const { world, page } = await withWaitingPoints();
    world.storage.entriesMax = 0;
    world.network = ['answerLost'];
    page.queue.give(newPointsFor([3], 1));
    await world.pass(0);
    // Other pages ignore the entry, because they could not learn its outcome.
    expect(statesOf(world.open())).toEqual(['waiting']);
    await world.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done', 'done']);
    expect(world.totals.get(3)).toBe(1);
  });

  it('stay on their page, which asks before it closes, when the storage is too full for a new state', async () => {
    const { world, page } = await withWaitingPoints();
    world.storage.lengthMax = 0;
    world.network = ['answerLost'];
    await world.pass(500);
    expect([page.outbox.hasUnsent, statesOf(world.open())]).toEqual([true, []]);
    await world.pass(10_000);
    expect(world.totals.get(1)).toBe(2);
  });

  it('make room in a full storage by dropping the oldest answered points, so that new points survive a crash', async () => {
    const world = new OutboxWorld();
    const { queue } = world.open();
    const [oldest, older, newest] = [1, 2, 3].map((id) => queue.give(newPointsFor([id], 2)).key);
    await world.pass(0);
    world.storage.entriesMax = world.storage.size - 1;
    world.network = ['requestLost'];
    const unsent = queue.give(newPointsFor([4], 2)).key;
    await world.pass(0);
    expect(queue.entries.map(({ key }) => key)).toEqual([unsent, newest, older, oldest]);
    const next = await world.openAfterCrash();
    expect(new Set(next.queue.entries.map(({ key }) => key))).toEqual(new Set([unsent, newest]));
    await world.pass(0);
    expect(world.totals.get(4)).toBe(2);
  });

  it('that are unanswered are never dropped from a full storage; newer points stay on their page only', async () => {
    const world = new OutboxWorld();
    world.network = ['requestLost'];
    const { queue } = world.open();
    for (const id of [1, 2]) queue.give(newPointsFor([id], 1));
    await world.pass(0);
    world.storage.entriesMax = world.storage.size;
    queue.give(newPointsFor([3], 1));
    expect([queue.entries.length, world.open().queue.entries.length]).toEqual([3, 2]);
  });

  it('that another page has just changed are kept when the storage is full', () => {
    const { storage } = new OutboxWorld();
    const given = new OutboxWorld().open().queue.give(newPointsFor([1], 2));
    const entry: PointsEntry = { ...given, state: 'done' };
    const [one, other] = [new EntryStore(1, storage.ofPage()), new EntryStore(1, storage.ofPage())];
    one.read();
    one.put(entry);
    other.put({ ...entry, state: 'undoing' });
    storage.entriesMax = storage.size;
    one.put({ ...entry, key: 'two', state: 'sending' });
    one.read();
    expect(one.entries).toMatchObject([{ state: 'undoing' }, { state: 'sending' }]);
    expect(storage.size).toBe(storage.entriesMax);
  });

  it('stay on their page when the storage is cleared', async () => {
    const { world, page } = await withWaitingPoints();
    world.storage.clear();
    page.outbox.refresh();
    await world.pass(10_000);
    expect(statesOf(page)).toEqual(['done', 'done']);
    expect(statesOf(world.open())).toEqual(['done', 'done']);
  });

  it('use the storage fewer than ten times per entry after a failure, with 400 waiting entries', async () => {
    const world = new OutboxWorld();
    world.network = ['requestLost', 'requestLost'];
    const { queue } = world.open();
    for (let entries = 0; entries < 400; entries++) queue.give(newPointsFor([1], 1));
    await world.pass(0);
    world.storage.accessCount = 0;
    await world.pass(500);
    expect([queue.unsettledCount, world.network.length]).toEqual([400, 0]);
    expect(world.storage.accessCount).toBeLessThan(10 * 400);
  });
});

const pass = fc.constantFrom(0, 700, 5_000, 70_000, 200_000, 11 * hourMs);
const student = fc.integer({ min: 1, max: 3 });
const doing = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('give' as const), to: student }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat(7) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('close', 'crash', 'freeze', 'keepForBack', 'wake', 'reload', 'open'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), whom: student }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setClock' as const), hours: fc.integer({ min: -40, max: 40 }) }),
  },
);
const step = fc.record({
  page: fc.nat(5),
  doing,
  pass,
  networkOutcomes: fc.array(fc.constantFrom(...networkOutcomes), { maxLength: 4 }),
});

describe('With any events of pages, network and clock', () => {
  it('points take effect once, are undone, or are reported as not saved', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const world = new OutboxWorld();
        world.open();
        const given = new Map<string, { to: number; back: boolean }>();
        for (const { page: at, doing: what, pass: ms, networkOutcomes } of steps) {
          world.network = [...networkOutcomes];
          const page = world.pages[at % world.pages.length] as WorldPage;
          const isOpen = page.state === 'open';
          if (what.do === 'give' && isOpen) {
            given.set(page.queue.give(newPointsFor([what.to], 1)).key, { to: what.to, back: false });
          } else if (what.do === 'undo' && isOpen) {
            const entry = page.queue.entries[what.which];
            const mine = entry && given.get(entry.key);
            if (mine && ['sending', 'waiting', 'done'].includes(entry.state)) {
              page.outbox.undo(entry.key);
              mine.back = true;
            }
          } else if (what.do === 'close' && isOpen) world.close(page);
          else if (what.do === 'crash') page.state = 'gone';
          else if (what.do === 'freeze' && isOpen) page.state = 'frozen';
          else if (what.do === 'keepForBack' && isOpen) world.close(page, 'kept for Back');
          else if (what.do === 'wake' && page.state !== 'gone') world.resume(page);
          else if (what.do === 'open') world.open();
          else if (what.do === 'reload' && isOpen) {
            world.close(page);
            world.open();
          } else if (what.do === 'delete') world.deleted.add(what.whom);
          else if (what.do === 'setClock') world.time += what.hours * hourMs;
          await world.pass(ms);
          for (const { queue, totals, state } of world.pages) {
            for (const [id, total] of state === 'open' ? totals : []) {
              const isOpen = queue.entries.some(
                (entry) => mustBeKept(entry) && !isCertainlyUnsent(entry) && entry.studentIds.includes(id),
              );
              // Pages learn of a deleted student with the next request.
              if (isOpen || world.doubtfulStudentIds.has(id) || world.deleted.has(id)) continue;
              expect(total).toBe(world.totals.get(id) ?? 0);
            }
          }
        }
        world.network = [];
        const last = world.open();
        for (let minutes = 0; minutes < 6; minutes++) await world.pass(60_000);
        for (const page of world.pages) if (page.state !== 'gone') world.resume(page);
        for (let minutes = 0; minutes < 2; minutes++) await world.pass(60_000);
        // After some days, pages also show the `unsure` entries that a crashed page left.
        world.time += 1_000 * hourMs;
        world.open();

        const shown = new Map(
          world.pages
            .filter(({ state }) => state === 'open')
            .flatMap(({ queue }) => queue.entries)
            .map((entry) => [entry.key, entry]),
        );
        expect(last.queue.unsettledCount).toBe(0);
        const expected = new Map<number, { least: number; most: number }>();
        for (const [key, { to, back }] of given) {
          if (world.repeatedAfterExpiry.has(key)) return;
          expect(world.writeCounts.get(key) ?? 0).toBeLessThanOrEqual(1);
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
