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
import { itPlays } from './testing/play-story.ts';

const statesOf = ({ queue }: WorldPage) => queue.entries.map(({ state }) => state);

/** The first page has a saved entry of student 2, and an unsent one of student 1. */
const oneUnsent = 'give:2 1ms answerLost give:1 0s points=waiting,done';

describe('Points that a person gave', () => {
  itPlays({
    'are listed again after a reload, each with an undo button': `
      ${oneUnsent} close 300ms page:2 0s points=done,done undo 0s total:1=2 total:2=0`,
    'are shown by all pages, but only the page that gave them sends them, and asks before it closes': `
      ${oneUnsent} page:2 page:1 ${'requestLost '.repeat(100)} ${'60s '.repeat(10)}
      points=waiting,done asksBeforeClosing=true
      page:2 points=waiting,done asksBeforeClosing=false pending:1=2 unsettledPoints=1`,
    'can be undone by any page, and the other pages show the undo': `
      ${oneUnsent} page:2 undo 0s page:1 points=waiting,undone total:2=0`,
    'are sent at once by another page when their page closes': `
      ${oneUnsent} page:2 page:1 close 0s page:2 points=done,done total:1=2`,
    // No heartbeat is left in the storage, but two entries, and the sign that nobody has cleared it.
    ...Object.fromEntries(
      ['crash', 'freeze'].map((event) => [
        `are sent by another page 30 seconds after a ${event} of their page`,
        `${oneUnsent} page:2 page:1 ${event} 20s page:2 points=waiting,done 20s points=done,done stored=3
        page:1 wake 0s points=done,done total:1=2`,
      ]),
    ),
    'that another page undid stay undone when a frozen page gets its old answer': `
      page:2 page:1 give:1 freeze 40s 0s page:2 points=done undo 0s
      page:1 wake 0s points=undone total:1=0`,
    'are unsure when their page crashed before the answer and the server later refuses them':
      'give:1 refuse pageAfterCrash 0s points=unsure',
    'of a crashed page are sent even after the clock was set back':
      'turnedAway give:1 0s crash clock:-40h page:2 0s points=done',
    'on a page restored by the Back button show the changes of other pages': `
      ${oneUnsent} keepForBack 10s wake 10s points=done,done
      keepForBack page:2 undo 0s page:1 wake points=done,undone`,
    'that were refused disappear from all pages when dismissed': `
      ${oneUnsent} refuse give:3 10s points=refused,unsure,done
      page:2 giveUp:2 0s page:1 points=unsure,done`,
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
  itPlays({
    // Other pages ignore the entry, because they could not learn its outcome.
    'are sent and stay on their page when the storage is full': `
      ${oneUnsent} fill:newEntries answerLost give:3 0s page:2 points=waiting
      10s page:1 points=done,done,done total:3=2`,
    'stay on their page, which asks before it closes, when the storage is too full for a new state': `
      ${oneUnsent} fill:texts answerLost 500ms asksBeforeClosing=true page:2 points= 10s total:1=2`,
    'that are unanswered are never dropped from a full storage; newer points stay on their page only': `
      requestLost give:1 give:2 0s fill:entries give:3 points=sending,sending,waiting
      page:2 points=sending,waiting`,
    'make room in a full storage by dropping the oldest answered points, so that new points survive a crash': `
      give:1 give:2 give:3 0s fill:fewerEntries requestLost give:4 0s recipients=4,3,2,1
      pageAfterCrash recipients=4,3 0s total:4=2`,
    'stay on their page when the storage is cleared': `
      ${oneUnsent} clear refresh 10s points=done,done page:2 points=done,done`,
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
