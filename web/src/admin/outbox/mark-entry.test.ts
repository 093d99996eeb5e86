import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryWindowMs } from './entry.ts';
import { waitingEntryCount } from './points-entry.ts';
import {
  attendanceEntry,
  describeMark,
  type NetworkOutcome,
  networkOutcomes,
  newPointsFor,
  OutboxWorld,
  pickEntry,
  type WorldPage,
} from './testing/outbox-world.ts';

const shownBy = ({ outbox }: WorldPage) => outbox.marks.map(describeMark);
const statesOf = ({ outbox }: WorldPage) => outbox.marks.map(({ state }) => state);
const keyOf = ({ outbox }: WorldPage) => outbox.marks[0]?.key ?? '';

function start(...network: NetworkOutcome[]) {
  const world = new OutboxWorld();
  const page = world.open();
  world.network = network;
  return { world, page };
}

describe('Absence entered without a network', () => {
  it('survives a reload, and is then sent once, in the order in which absences were entered', async () => {
    const { world, page } = start('requestLost');
    page.outbox.add(attendanceEntry([10]));
    page.outbox.add(attendanceEntry([11]));
    page.outbox.add(attendanceEntry([10], 'present'));
    await world.pass(0);
    expect(world.marks).toEqual([]);
    world.close(page);
    // The answer is lost: the server has the mark and receives the same key again.
    world.network = ['answerLost'];
    const next = world.open();
    expect(shownBy(next)).toEqual(['10 absent', '11 absent', '10 present']);
    await world.pass(60_000);
    expect(world.marks).toEqual(['10 absent', '11 absent', '10 present']);
    expect(next.answered).toEqual(world.marks);
    // The storage keeps only the sign that nobody has cleared it.
    expect([next.outbox.marks.length, world.storage.size]).toEqual([0, 1]);
  });

  it('is shown by all pages, until each page knows the server’s answer', async () => {
    const { world, page } = start('requestLost', 'requestLost');
    const other = world.open();
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    expect(shownBy(other)).toEqual(['10 absent']);
    const answersWhenSettled: string[][] = [];
    other.outbox.subscribe(() => {
      if (other.outbox.unsettledCount === 0) answersWhenSettled.push([...other.answered]);
    });
    await world.pass(60_000);
    expect(world.marks).toEqual(['10 absent']);
    expect([page.outbox.marks, other.outbox.marks]).toEqual([[], []]);
    expect(answersWhenSettled[0]).toEqual(['10 absent']);
    expect([page.answered, page.dropped, other.dropped]).toEqual([['10 absent'], [], []]);
  });

  it('shows its answer to no page that opens later, when newer answers may exist', async () => {
    const { world, page } = start();
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    world.close(page);
    const next = world.open();
    await world.pass(10_000);
    expect([page.answered, next.answered, next.outbox.marks]).toEqual([['10 absent'], [], []]);
  });

  it('leaves the storage once the absence is saved and a page closes; pages that missed the answer fetch absences again', async () => {
    const { world, page } = start('requestLost');
    const other = world.open();
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    other.state = 'frozen';
    await world.pass(500);
    world.close(page, 'kept for Back');
    expect([world.marks, world.storage.size]).toEqual([['10 absent'], 1]);
    for (const one of [page, other]) world.resume(one);
    await world.pass(0);
    expect([page.outbox.marks, page.answered, page.dropped]).toEqual([[], ['10 absent'], []]);
    expect([other.outbox.marks, other.answered, other.dropped]).toEqual([[], [], ['10 absent']]);
  });

  it('when the storage is too full to share the answer to an absence, other pages fetch absences again', async () => {
    const { world, page } = start('requestLost');
    const other = world.open();
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    world.storage.lengthMax = 0;
    await world.pass(500);
    expect([other.outbox.marks, other.dropped]).toEqual([[], ['10 absent']]);
    expect([page.answered, page.dropped]).toEqual([['10 absent'], []]);
  });
});

describe('Unsent absences, random picks and points', () => {
  it('wait for the network together, and points are sent first', async () => {
    const { world, page } = start('requestLost', 'requestLost');
    page.outbox.add(pickEntry(10));
    await world.pass(0);
    page.queue.give(newPointsFor([1], 2));
    expect([
      waitingEntryCount(page.queue.entries, true),
      waitingEntryCount(page.queue.entries, false),
    ]).toEqual([0, 1]);
    await world.pass(500);
    expect(page.queue.entries).toMatchObject([{ state: 'waiting' }]);
    expect(waitingEntryCount(page.queue.entries, true)).toBe(1);
    await world.pass(10_000);
    expect([world.totals.get(1), world.marks, waitingEntryCount(page.queue.entries, false)]).toEqual([
      2,
      ['10 picked'],
      0,
    ]);
  });

  it('delay points by one slow absence at most, not by every waiting absence', async () => {
    const world = new OutboxWorld();
    const marksBefore: string[][] = [];
    const { outbox, queue } = world.open({
      give: (entry) => {
        marksBefore.push([...world.marks]);
        return world.give(entry);
      },
    });
    for (const id of [10, 11, 12]) outbox.add(attendanceEntry([id]));
    queue.give(newPointsFor([1], 2));
    await world.pass(0);
    expect(marksBefore).toEqual([['10 absent']]);
    expect(world.marks).toHaveLength(3);
  });
});

describe('Absence in a full storage', () => {
  it('keeps its older state when the new state is too long: later absences wait, and a crash loses none', async () => {
    const { world, page } = start();
    const other = world.open();
    world.failingStudentIds.add(10);
    page.outbox.add(attendanceEntry([10]));
    // The failure makes the entry longer.
    world.storage.charactersMax = world.storage.characters;
    await world.pass(0);
    expect(statesOf(page)).toEqual(['waiting']);
    expect(shownBy(other)).toEqual(['10 absent']);
    world.storage.charactersMax = Number.POSITIVE_INFINITY;
    other.outbox.add(attendanceEntry([10], 'present'));
    await world.pass(0);
    expect(world.marks).toEqual([]);
    page.state = 'gone';
    world.failingStudentIds.clear();
    await world.pass(60_000);
    expect(world.marks).toEqual(['10 absent', '10 present']);
  });

  it('displaces saved points to report its rejection after a crash, and is not displaced by points', async () => {
    const { world, page } = start();
    page.queue.give(newPointsFor([1], 2));
    await world.pass(0);
    world.deleted.add(10);
    page.outbox.add(attendanceEntry([10]));
    world.storage.charactersMax = world.storage.characters;
    await world.pass(0);
    page.queue.give(newPointsFor([2], 2));
    page.queue.give(newPointsFor([3], 2));
    await world.pass(0);
    const next = await world.openAfterCrash();
    expect(statesOf(next)).toEqual(['refused']);
  });
});

describe('Absence at which the server fails', () => {
  it('delays only later absences of the same student and day', async () => {
    const { world, page } = start();
    world.failingStudentIds.add(10);
    for (const mark of [
      attendanceEntry([10]),
      attendanceEntry([11]),
      attendanceEntry([10], 'present'),
      pickEntry(13),
    ])
      page.outbox.add(mark);
    // The second one depends on a mark that waits as well, the third one is of another day.
    for (const mark of [
      attendanceEntry([10, 14]),
      attendanceEntry([14], 'late'),
      attendanceEntry([14], 'absent', '2026-09-02'),
    ])
      page.outbox.add(mark);
    await world.pass(0);
    expect(world.marks).toEqual(['11 absent', '13 picked', '14 absent']);
    const { marks } = page.outbox;
    page.queue.give(newPointsFor([1], 2));
    expect(page.outbox.marks).toBe(marks);
    await world.pass(60_000);
    const waiting = ['10 absent', '10 present', '10,14 absent', '14 late'];
    expect(shownBy(page)).toEqual(waiting);
    world.failingStudentIds.clear();
    await world.pass(60_000);
    expect(world.marks.slice(3)).toEqual(waiting);
    expect(page.outbox.unsettledCount).toBe(0);
  });

  it('is retried with growing pauses, also by the next page, or at once on request', async () => {
    const { world, page } = start();
    const other = world.open();
    world.failingStudentIds.add(10);
    page.outbox.add(attendanceEntry([10]));
    const from = world.time;
    await world.pass(60_000);
    const attempts = world.attemptsAt.map((time) => time - from);
    expect(attempts).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 30_500, 45_500]);
    expect(other.outbox.marks).toEqual(page.outbox.marks);
    other.outbox.sendAgain(keyOf(other));
    await world.pass(0);
    expect(world.attemptsAt).toHaveLength(9);
    page.outbox.retryNow();
    await world.pass(0);
    expect(world.attemptsAt).toHaveLength(10);
    // The next page does not restart with short pauses.
    world.close(page);
    world.close(other);
    world.open();
    await world.pass(14_000);
    expect(world.attemptsAt).toHaveLength(10);
    await world.pass(1_000);
    expect(world.attemptsAt).toHaveLength(11);
  });

  it('can be given up after some failures, and later absences are then sent', async () => {
    const { world, page } = start();
    const other = world.open();
    world.failingStudentIds.add(10);
    page.outbox.add(attendanceEntry([10]));
    await world.pass(1_000);
    const key = keyOf(page);
    page.outbox.giveUp(key);
    expect(page.outbox.marks).toHaveLength(1);
    await world.pass(10_000);
    page.outbox.add(attendanceEntry([10], 'late'));
    world.failingStudentIds.clear();
    page.outbox.giveUp(key);
    await world.pass(0);
    expect(world.marks).toEqual(['10 late']);
    expect([page.dropped, other.dropped]).toEqual([['10 absent'], ['10 absent']]);
  });

  it('that was given up during a request makes pages fetch absences again after the answer', async () => {
    const world = new OutboxWorld();
    let answer = () => {};
    const page = world.open({
      mark: async (mark) => {
        if (world.failingStudentIds.size === 0) await new Promise<void>((resolve) => (answer = resolve));
        return world.mark(mark);
      },
    });
    world.failingStudentIds.add(10);
    page.outbox.add(attendanceEntry([10]));
    await world.pass(5_000);
    world.failingStudentIds.clear();
    await world.pass(5_000);
    page.outbox.giveUp(keyOf(page));
    expect([world.marks, page.dropped]).toEqual([[], ['10 absent']]);
    answer();
    await world.pass(0);
    expect([world.marks, page.dropped]).toEqual([['10 absent'], ['10 absent', '10 absent']]);
    expect(page.outbox.marks).toEqual([]);
  });

  it('is retried even when the clock is set back', async () => {
    const { world, page } = start();
    world.failingStudentIds.add(10);
    page.outbox.add(attendanceEntry([10]));
    await world.pass(60_000);
    world.failingStudentIds.clear();
    world.time -= 30 * 60_000;
    await world.pass(0);
    expect(world.marks).toEqual(['10 absent']);
  });
});

describe('Absence that the server rejects', () => {
  it('stays with the reason until dismissed in all pages, and delays no other absence', async () => {
    const { world, page } = start();
    const other = world.open();
    world.deleted.add(10);
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    world.deleted.clear();
    await world.pass(1);
    page.outbox.add(attendanceEntry([10], 'late'));
    await world.pass(10_000);
    expect(world.marks).toEqual(['10 late']);
    for (const { outbox } of [page, other, world.open()]) {
      expect(outbox.marks).toMatchObject([{ state: 'refused', problem: { status: 400, message: 'no' } }]);
      expect(outbox.unsettledCount).toBe(0);
    }
    other.outbox.giveUp(keyOf(other));
    await world.pass(0);
    expect([page.outbox.marks, world.storage.size]).toEqual([[], 1]);
    // Each time, pages fetch what the server knows.
    expect(page.dropped).toEqual(['10 absent', '10 absent']);
  });

  it('for one of several students is still saved for the other students', async () => {
    const { world, page } = start();
    world.deleted.add(11);
    page.outbox.add(attendanceEntry([10, 11, 12]));
    page.outbox.add(attendanceEntry([12], 'present'));
    await world.pass(10_000);
    expect(world.marks).toEqual(['10 absent', '12 absent', '12 present']);
    expect(shownBy(page)).toEqual(['11 absent']);
  });

  it('in a frozen page is not sent again for each student after another page has saved the absence', async () => {
    const { world, page } = start();
    const other = world.open();
    world.deleted.add(11);
    page.outbox.add(attendanceEntry([10, 11]));
    page.state = 'frozen';
    world.deleted.clear();
    await world.pass(40_000);
    await world.pass(0);
    expect([world.marks, statesOf(other)]).toEqual([['10,11 absent'], ['done']]);
    world.resume(page);
    await world.pass(10_000);
    expect([world.marks, page.outbox.marks]).toEqual([['10,11 absent'], []]);
  });

  it('for one of several students is unsure for each student, if an earlier attempt may have been saved', async () => {
    const { world, page } = start('answerLost');
    page.outbox.add(attendanceEntry([10, 11]));
    await world.pass(0);
    for (const id of [10, 11]) world.deleted.add(id);
    await world.pass(10_000);
    expect(shownBy(page)).toEqual(['10 absent', '11 absent']);
    expect(statesOf(page)).toEqual(['unsure', 'unsure']);
  });

  it('for one of several students is still listed before later absences', async () => {
    const { world, page } = start('arrives', 'requestLost');
    world.deleted.add(11);
    page.outbox.add(attendanceEntry([10, 11]));
    page.outbox.add(attendanceEntry([10], 'present'));
    await world.pass(0);
    expect(shownBy(page)).toEqual(['10 absent', '11 absent', '10 present']);
  });
});

describe('Absence unsent for over 20 hours', () => {
  it('is unsure and not resent automatically if it may have arrived; a random pick is resent', async () => {
    const { world, page } = start('answerLost', 'turnedAway', 'answerLost');
    page.outbox.add(attendanceEntry([10]));
    page.outbox.add(pickEntry(11));
    await world.pass(700);
    world.time += retryWindowMs + 10;
    world.forgetKeys();
    const next = await world.openAfterCrash();
    await world.pass(60_000);
    expect(world.marks).toEqual(['10 absent', '11 picked']);
    expect([statesOf(next), next.outbox.unsettledCount]).toEqual([['unsure'], 0]);
    next.outbox.sendAgain(keyOf(next));
    await world.pass(10_000);
    expect(world.marks).toEqual(['10 absent', '11 picked', '10 absent']);
    expect(next.outbox.marks).toEqual([]);
  });
});

describe('Absence that may have been saved', () => {
  it('is not sent again while a later absence of the same student waits', async () => {
    const { world, page } = start('answerLost');
    page.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    world.deleted.add(10);
    await world.pass(500);
    world.deleted.clear();
    page.outbox.add(attendanceEntry([10], 'present'));
    await world.pass(0);
    const [unsure] = page.outbox.marks;
    expect(page.outbox.marks.map((mark) => page.outbox.isAwaited(mark))).toEqual([true, false]);
    page.outbox.sendAgain(unsure?.key ?? '');
    await world.pass(10_000);
    expect([world.marks, statesOf(page)]).toEqual([['10 absent'], ['unsure', 'sending']]);
    page.outbox.giveUp(unsure?.key ?? '');
    await world.pass(0);
    expect(world.marks).toEqual(['10 absent', '10 present']);
  });
});

describe('Absences of several pages', () => {
  it('are sent in the order in which they were entered, even when the clock is set back', async () => {
    const { world, page } = start();
    const other = world.open();
    page.outbox.add(attendanceEntry([11]));
    page.outbox.add(attendanceEntry([10], 'late'));
    world.time -= 1_000;
    // The other page has not read the marks yet.
    other.outbox.add(attendanceEntry([10]));
    await world.pass(0);
    expect(world.marks.filter((text) => text.startsWith('10 '))).toEqual(['10 late', '10 absent']);
  });

  it('are sent once each and in order for each student, despite losses, closed and frozen pages', async () => {
    const where = fc.constantFrom(0 as const, 1 as const);
    const act = fc.oneof(
      fc.record({ do: fc.constant('say' as const), page: where, id: fc.integer({ min: 10, max: 12 }) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(0, 400, 5_000, 40_000) }),
      fc.record({ do: fc.constantFrom('reopen' as const, 'crash' as const, 'freeze' as const), page: where }),
    );
    const network = fc.array(fc.constantFrom(...networkOutcomes));
    await fc.assert(
      fc.asyncProperty(network, fc.array(act, { maxLength: 25 }), async (met, acts) => {
        const world = new OutboxWorld();
        world.network = [...met];
        const pages: [WorldPage, WorldPage] = [world.open(), world.open()];
        const said: string[] = [];
        for (const one of acts) {
          if (one.do === 'pass') await world.pass(one.ms);
          else if (one.do === 'say') {
            const mark = attendanceEntry([one.id], said.length % 2 ? 'late' : 'absent');
            said.push(describeMark(mark));
            pages[one.page].outbox.add(mark);
          } else {
            const page = pages[one.page];
            if (one.do === 'freeze') page.state = 'frozen';
            else if (one.do === 'crash') page.state = 'gone';
            else world.close(page);
            pages[one.page] = world.open();
          }
        }
        world.network = [];
        for (const page of world.pages) if (page.state === 'frozen') world.resume(page);
        for (let minutes = 0; minutes < 4; minutes++) await world.pass(60_000);
        for (const id of [10, 11, 12]) {
          const of = (all: readonly string[]) => all.filter((text) => text.startsWith(`${id} `));
          expect(of(world.marks)).toEqual(of(said));
        }
        expect(pages.map(({ outbox }) => outbox.marks)).toEqual([[], []]);
      }),
      { numRuns: 150 },
    );
  });
});
