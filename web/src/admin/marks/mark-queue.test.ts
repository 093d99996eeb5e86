import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryWindowMs } from '../taps/tap.ts';
import type { Mark } from './mark.ts';
import type { MarkQueue } from './mark-queue.ts';
import { absence, describeMark, MarkWorld, pick } from './testing/mark-world.ts';

const states = ({ marks }: { readonly marks: readonly Mark[] }) => marks.map(({ state }) => state);

describe('Mark without a network', () => {
  it('survives a reload, and is then sent once and in order', async () => {
    const world = new MarkWorld();
    world.fates = ['lost'];
    const before = world.open();
    before.add(absence(10));
    before.add(absence(11));
    before.add(absence(10, 'present'));
    await world.pass(0);
    expect(world.carriedOut).toEqual([]);
    world.close(before);
    // The answer is lost: the server has the mark and receives the same key again.
    world.fates = ['unanswered'];
    const after = world.open();
    expect(after.marks.map(describeMark)).toEqual(['10 absent', '11 absent', '10 present']);
    await world.pass(60_000);
    expect(world.carriedOut).toEqual(['10 absent', '11 absent', '10 present']);
    expect(world.answersOf(after)).toEqual(world.carriedOut);
    expect([after.marks.length, world.storage.length]).toEqual([0, 0]);
  });

  it('is shown by all pages, each of which keeps it until it knows the server’s answer', async () => {
    const world = new MarkWorld();
    world.fates = ['lost', 'lost'];
    const [one, other] = [world.open(), world.open()];
    one.add(absence(10));
    await world.pass(0);
    expect(other.marks.map(describeMark)).toEqual(['10 absent']);
    const toldWhenGone: string[][] = [];
    other.subscribe(() => {
      if (other.marks.length === 0) toldWhenGone.push([...world.answersOf(other)]);
    });
    await world.pass(60_000);
    expect(world.carriedOut).toEqual(['10 absent']);
    expect([one.marks, other.marks]).toEqual([[], []]);
    expect(toldWhenGone).toEqual([['10 absent']]);
    expect([world.answersOf(one), world.dropped]).toEqual([['10 absent'], []]);
  });

  it('makes other pages fetch the answer when storage is too full to share it', async () => {
    const world = new MarkWorld();
    const [one, other] = [world.open(), world.open()];
    one.add(absence(10));
    world.storage.lengthMax = 0;
    await world.pass(0);
    expect(other.marks).toEqual([]);
    expect(world.dropped).toEqual(['10 absent']);
  });

  it('is sent when storage is full, and the page warns that a reload would lose it', async () => {
    const world = new MarkWorld();
    const page = world.open();
    world.fates = ['lost', 'lost'];
    page.add(absence(10));
    expect(page.wouldLoseMarks).toBe(false);
    // The stored mark stays, although its new state cannot be stored.
    world.storage.lengthMax = 0;
    await world.pass(0);
    expect(world.open().marks.map(describeMark)).toEqual(['10 absent']);
    page.add(absence(11));
    expect([page.marks.length, page.wouldLoseMarks]).toEqual([2, true]);
    await world.pass(60_000);
    expect(world.carriedOut.toSorted()).toEqual(['10 absent', '11 absent']);
    expect([page.marks.length, page.wouldLoseMarks]).toEqual([0, false]);
  });
});

describe('Mark at which the server fails', () => {
  it('delays only later marks of the same student, day and kind', async () => {
    const world = new MarkWorld();
    const page = world.open();
    world.poison.add(10);
    page.add(absence(10));
    page.add(absence(11));
    page.add(absence(10, 'present'));
    page.add({ ...absence(10), body: { ...absence(10).body, day: '2026-09-02', userIds: [12] } });
    page.add(pick(13));
    page.add({ ...absence(10), body: { ...absence(10).body, userIds: [10, 14] } });
    // Depends on a mark that waits as well.
    page.add(absence(14, 'late'));
    await world.pass(0);
    expect(world.carriedOut).toEqual(['11 absent', '12 absent', '13 picked']);
    await world.pass(60_000);
    expect(page.marks.map(describeMark)).toEqual(['10 absent', '10 present', '10,14 absent', '14 late']);
    world.poison.clear();
    await world.pass(60_000);
    expect(world.carriedOut.slice(3)).toEqual(['10 absent', '10 present', '10,14 absent', '14 late']);
    expect(page.marks).toEqual([]);
  });

  it('is retried with growing pauses shared by all pages, or at once on request', async () => {
    const world = new MarkWorld();
    const [one, other] = [world.open(), world.open()];
    world.poison.add(10);
    one.add(absence(10));
    await world.pass(60_000);
    expect(world.attemptsAt.slice(0, 8)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 30_500, 45_500]);
    expect(other.marks).toEqual(one.marks);
    const before = world.attemptsAt.length;
    other.sendAgain(other.marks[0]?.key ?? '');
    await world.pass(0);
    expect(world.attemptsAt).toHaveLength(before + 1);
    // A new page does not restart with short pauses.
    world.close(one);
    world.close(other);
    world.open();
    await world.pass(14_000);
    expect(world.attemptsAt).toHaveLength(before + 1);
  });

  it('can be given up after some failures, and later marks continue', async () => {
    const world = new MarkWorld();
    const [one, other] = [world.open(), world.open()];
    world.poison.add(10);
    one.add(absence(10));
    await world.pass(1_000);
    const [{ key } = { key: '' }] = one.marks;
    one.giveUp(key);
    expect(one.marks).toHaveLength(1);
    await world.pass(10_000);
    one.add(absence(10, 'late'));
    world.poison.clear();
    one.giveUp(key);
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 late']);
    expect(other.marks).toEqual([]);
    expect(world.dropped).toEqual(['10 absent', '10 absent']);
  });

  it('is retried even when the clock is set back', async () => {
    const world = new MarkWorld();
    const page = world.open();
    world.poison.add(10);
    page.add(absence(10));
    await world.pass(60_000);
    world.poison.clear();
    world.time -= 30 * 60_000;
    page.refresh();
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 absent']);
  });
});

describe('Mark that the server rejects', () => {
  it('stays with its reason until dismissed in all pages, and delays nothing', async () => {
    const world = new MarkWorld();
    const [one, other] = [world.open(), world.open()];
    world.refused.add(10);
    one.add(absence(10));
    await world.pass(0);
    world.refused.clear();
    one.add(absence(10, 'late'));
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 late']);
    for (const page of [one, other, world.open()]) {
      expect(page.marks).toMatchObject([{ state: 'refused', problem: { status: 400, message: 'no' } }]);
      expect(page.unsentCount).toBe(0);
    }
    other.giveUp(other.marks[0]?.key ?? '');
    await world.pass(0);
    expect(one.marks).toEqual([]);
    expect(world.storage.length).toBe(0);
  });

  it('for one of several students still counts for the others', async () => {
    const world = new MarkWorld();
    const page = world.open();
    world.refused.add(11);
    page.add({ ...absence(10), body: { ...absence(10).body, userIds: [10, 11, 12] } });
    page.add(absence(12, 'present'));
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 absent', '12 absent', '12 present']);
    expect(page.marks.map(describeMark)).toEqual(['11 absent']);
  });

  it('is unsure when an earlier attempt may have arrived', async () => {
    const world = new MarkWorld();
    const page = world.open();
    world.fates = ['unanswered', 'refused'];
    page.add(absence(10));
    await world.pass(60_000);
    expect(states(page)).toEqual(['unsure']);
  });
});

describe('Mark from long ago', () => {
  it('is unsure and not resent by itself when it may have arrived', async () => {
    const world = new MarkWorld();
    const first = world.open();
    world.fates = ['unanswered'];
    first.add(absence(10));
    await world.pass(0);
    first.add(pick(11));
    world.close(first);
    world.keys.clear();
    world.time += retryWindowMs + 10;
    const page = world.open();
    await world.pass(60_000);
    expect(world.carriedOut).toEqual(['10 absent', '11 picked']);
    expect([states(page), page.unsentCount]).toEqual([['unsure'], 0]);
    page.sendAgain(page.marks[0]?.key ?? '');
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 absent', '11 picked', '10 absent']);
    expect(page.marks).toEqual([]);
  });

  it('is sent when it certainly did not arrive', async () => {
    const world = new MarkWorld();
    const first = world.open();
    world.fates = ['turnedAway'];
    first.add(absence(10));
    await world.pass(0);
    world.close(first);
    world.time += 3 * retryWindowMs;
    world.open();
    await world.pass(0);
    expect(world.carriedOut).toEqual(['10 absent']);
  });
});

describe('Marks of several pages', () => {
  it('are sent in the order in which they were made', async () => {
    const world = new MarkWorld();
    const [one, other] = [world.open(), world.open()];
    one.add(absence(11));
    one.add(absence(10, 'late'));
    // The other page has not read the marks yet.
    other.add(absence(10));
    await world.pass(0);
    expect(world.carriedOut.filter((text) => text.startsWith('10 '))).toEqual(['10 late', '10 absent']);
  });

  it('are sent once each and in order for each student, despite losses, closed and frozen pages', async () => {
    const fate = fc.constantFrom(
      'arrives',
      'lost',
      'unanswered',
      'broken',
      'brokenAfter',
      'inUse',
      'turnedAway',
    );
    const act = fc.oneof(
      fc.record({
        do: fc.constant('say' as const),
        page: fc.constantFrom(0 as const, 1 as const),
        id: fc.integer({ min: 10, max: 12 }),
      }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 400, 5_000, 40_000) }),
      fc.record({ do: fc.constant('reopen' as const), page: fc.constantFrom(0 as const, 1 as const) }),
      fc.record({ do: fc.constant('crash' as const), page: fc.constantFrom(0 as const, 1 as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fate), fc.array(act, { maxLength: 25 }), async (fates, acts) => {
        const world = new MarkWorld();
        world.fates = [...fates];
        const pages: [MarkQueue, MarkQueue] = [world.open(), world.open()];
        const said: string[] = [];
        for (const one of acts) {
          if (one.do === 'pass') await world.pass(one.ms);
          else if (one.do === 'say') {
            const word = absence(one.id, said.length % 2 ? 'late' : 'absent');
            said.push(describeMark(word));
            pages[one.page].add(word);
          } else {
            // Reopens during a request, or after pending requests were answered.
            if (one.do === 'reopen') await world.pass(0);
            world.close(pages[one.page]);
            pages[one.page] = world.open();
          }
        }
        world.fates = [];
        await world.pass(180_000);
        for (const id of [10, 11, 12]) {
          const of = (all: readonly string[]) => all.filter((text) => text.startsWith(`${id} `));
          expect(of(world.carriedOut)).toEqual(of(said));
        }
        expect([world.storage.length, ...pages.map(({ marks }) => marks.length)]).toEqual([0, 0, 0]);
      }),
      { numRuns: 150 },
    );
  });
});
