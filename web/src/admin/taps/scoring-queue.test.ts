import type { ScoresWritten } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, type QueuePorts, repeatedWithinMs, ScoringQueue, type Tap } from './scoring-queue.ts';

const lost: Attempt<never> = { outcome: 'unknown', retryAfterMs: null, ofTap: false };
const failed: Attempt<never> = { outcome: 'unknown', retryAfterMs: null, ofTap: true };

/** A server that counts a key once, reached over a network that loses what it is told to lose. */
class World implements QueuePorts {
  readonly totals = new Map<number, number>();
  readonly #logs = new Map<string, { ids: number[]; tap: Tap }>();
  readonly #revoked = new Set<number>();
  readonly timers: { run: () => void; delayMs: number }[] = [];
  stored: readonly Tap[] = [];
  /** For each request: does it arrive, and does its answer? Empty: both. */
  network: ('arrives' | 'lostBefore' | 'lostAfter' | 'failsBefore' | 'failsAfter')[] = [];
  refusal: string | null = null;
  /** The server fails at whatever is for these students. */
  readonly poison = new Set<number>();
  /** Records that are not there any more. */
  readonly gone = new Set<number>();
  time = 0;
  #keys = 0;
  #lastLog = 0;

  readonly store = {
    read: () => this.stored,
    write: (taps: readonly Tap[]) => {
      this.stored = taps;
    },
  };

  readonly send = async (tap: Tap): Promise<Attempt<ScoresWritten>> => {
    const fate = this.network.shift() ?? 'arrives';
    if (fate === 'lostBefore') return lost;
    if (fate === 'failsBefore' || tap.studentIds.some((id) => this.poison.has(id))) return failed;
    if (this.refusal) return { outcome: 'refused', problem: { status: 403, message: this.refusal } };
    let known = this.#logs.get(tap.key);
    if (!known) {
      known = { ids: tap.studentIds.map(() => ++this.#lastLog), tap };
      this.#logs.set(tap.key, known);
      for (const id of tap.studentIds) this.totals.set(id, (this.totals.get(id) ?? 0) + tap.change);
    }
    if (fate === 'lostAfter') return lost;
    if (fate === 'failsAfter') return failed;
    const details = known.ids.map((logId, index) => ({
      index,
      success: true,
      code: 0,
      reason: null,
      userId: tap.studentIds[index] as number,
      username: null,
      scoreChange: tap.change,
      logId,
    }));
    return {
      outcome: 'answered',
      answer: {
        successCount: details.length,
        failedCount: 0,
        totalCount: details.length,
        details,
        students: [],
      },
    };
  };

  readonly undo = async (tap: Tap): Promise<Attempt<Pick<ScoresWritten, 'students'>>> => {
    const fate = this.network.shift() ?? 'arrives';
    if (fate === 'lostBefore') return lost;
    if (fate === 'failsBefore') return failed;
    if (tap.logIds.some((logId) => this.gone.has(logId))) {
      return { outcome: 'refused', problem: { status: 404, message: 'gone' } };
    }
    for (const logId of tap.logIds) {
      if (this.#revoked.has(logId)) continue;
      this.#revoked.add(logId);
      const id = this.#studentOf(logId);
      this.totals.set(id, (this.totals.get(id) ?? 0) - tap.change);
    }
    if (fate === 'lostAfter') return lost;
    return fate === 'failsAfter' ? failed : { outcome: 'answered', answer: { students: [] } };
  };

  #studentOf(logId: number): number {
    const known = [...this.#logs.values()].find(({ ids }) => ids.includes(logId));
    return known?.tap.studentIds[known.ids.indexOf(logId)] as number;
  }

  readonly settle = () => {};
  readonly now = () => this.time;
  readonly later = (run: () => void, delayMs: number) => {
    this.timers.push({ run, delayMs });
  };
  readonly newKey = () => `key ${++this.#keys}`;

  /** Lets everything happen that can, timers at once. */
  async run(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      await new Promise(setImmediate);
      const timer = this.timers.shift();
      timer?.run();
      quiet = timer ? 0 : quiet + 1;
    }
  }
}

const tapOf = (studentIds: number[], change: number) => ({
  schoolDb: 'school_1',
  classId: 1,
  studentIds,
  change,
  description: '',
});

describe('a tap', () => {
  it('shows before anything was sent', () => {
    const queue = new ScoringQueue(new World());
    queue.give(tapOf([1, 2], 3));
    expect(queue.taps).toMatchObject([{ state: 'sending', change: 3 }]);
    expect([1, 2, 3].map((id) => queue.pendingChange(id))).toEqual([3, 3, 0]);
  });

  it('is sent again with its key until the server has answered, and counts once', async () => {
    const world = new World();
    world.network = ['lostBefore', 'lostAfter', 'lostAfter'];
    const queue = new ScoringQueue(world);
    queue.give(tapOf([1], 2));
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
    expect(queue.pendingChange(1)).toBe(0);
  });

  it('waits longer after every failure', async () => {
    const world = new World();
    world.network = ['lostBefore', 'lostBefore', 'lostBefore'];
    const delays: number[] = [];
    const { later } = world;
    const queue = new ScoringQueue({
      ...world,
      later: (run, delayMs) => {
        delays.push(delayMs);
        later(run, delayMs);
      },
    });
    queue.give(tapOf([1], 1));
    await world.run();
    expect(delays).toEqual([500, 1_000, 2_000]);
  });

  it('that the server refuses is shown as refused with what it said, and changes nothing', async () => {
    const world = new World();
    world.refusal = 'The student is outside the range';
    const queue = new ScoringQueue(world);
    queue.give(tapOf([1], 2));
    await world.run();
    expect(queue.taps).toMatchObject([
      { state: 'refused', problem: { status: 403, message: 'The student is outside the range' } },
    ]);
    expect(queue.pendingChange(1)).toBe(0);
  });

  it('that was not answered when the page was closed is sent by the next page with the same key', async () => {
    const world = new World();
    world.network = ['lostAfter'];
    new ScoringQueue(world).give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.timers.length = 0;
    const next = new ScoringQueue(world);
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
  });

  it('taken back before it was answered shows as taken back at once and leaves no points', async () => {
    const world = new World();
    const queue = new ScoringQueue(world);
    const tap = queue.give(tapOf([1], 2));
    queue.undo(tap.key);
    expect(queue.pendingChange(1)).toBe(0);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });
});

describe('a tap that waits', () => {
  it('goes at once when it is told that the network is back', async () => {
    const world = new World();
    world.network = ['lostBefore'];
    const queue = new ScoringQueue(world);
    queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'waiting' }]);
    expect(queue.unsettled).toBe(true);
    queue.retryNow();
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
    expect(queue.unsettled).toBe(false);
    // The timer that was set before finds nothing to do.
    await world.run();
    expect(world.totals.get(1)).toBe(2);
  });

  it('and is taken back, is taken back by the next page, too', async () => {
    const world = new World();
    world.network = ['lostAfter'];
    const queue = new ScoringQueue(world);
    const tap = queue.give(tapOf([1], 2));
    let heard = 0;
    queue.subscribe(() => heard++);
    queue.undo(tap.key);
    expect(heard).toBe(1);
    await new Promise(setImmediate);
    world.timers.length = 0;
    const next = new ScoringQueue(world);
    expect(next.pendingChange(1)).toBe(0);
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'undone' }]);
    expect(world.totals.get(1)).toBe(0);
  });
});

describe('totals', () => {
  it('of a repeated answer are not taken for the present ones', async () => {
    const world = new World();
    world.network = ['lostAfter'];
    const told: unknown[] = [];
    const queue = new ScoringQueue({ ...world, settle: (students) => told.push(students) });
    queue.give(tapOf([1], 2));
    await world.run();
    queue.give(tapOf([2], 2));
    await world.run();
    expect(told).toEqual([null, []]);
  });
});

describe('a tap that the server fails at', () => {
  it('lets the others pass and can be given up in the end', async () => {
    const world = new World();
    world.poison.add(1);
    const queue = new ScoringQueue(world);
    const bad = queue.give(tapOf([1], 2));
    const good = queue.give(tapOf([2], 3));
    await new Promise(setImmediate);
    expect(queue.taps).toMatchObject([
      { key: good.key, state: 'done' },
      { key: bad.key, state: 'waiting', failures: 1 },
    ]);
    queue.giveUp(bad.key);
    expect(queue.taps).toHaveLength(2);
    for (let more = 0; more < 3; more++) {
      world.timers.shift()?.run();
      await new Promise(setImmediate);
    }
    queue.give(tapOf([2], 1));
    await new Promise(setImmediate);
    expect(world.totals.get(2)).toBe(4);
    queue.giveUp(bad.key);
    expect(queue.taps.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(queue.unsettled).toBe(false);
  });
});

describe('a tap of long ago', () => {
  it('is not sent again unasked, as the server may have forgotten its key', async () => {
    const world = new World();
    world.network = ['lostAfter'];
    new ScoringQueue(world).give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.timers.length = 0;
    world.time = repeatedWithinMs + 1;
    const next = new ScoringQueue(world);
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'unsure' }]);
    expect([next.unsettled, next.pendingChange(1)]).toEqual([false, 0]);

    const [tap] = next.taps;
    next.sendAfterAll(tap?.key ?? '');
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'done' }]);
  });

  it('can be given up by whoever has looked into the records', async () => {
    const world = new World();
    world.network = ['lostBefore'];
    const queue = new ScoringQueue(world);
    const tap = queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    queue.giveUp(tap.key);
    expect(queue.taps).toHaveLength(1);
    world.time = repeatedWithinMs + 1;
    await world.run();
    queue.giveUp(tap.key);
    expect(queue.taps).toEqual([]);
    expect(world.totals.get(1) ?? 0).toBe(0);
  });
});

describe('taking back a tap for several students', () => {
  it('takes back all that is there when the record of one is gone', async () => {
    const world = new World();
    const queue = new ScoringQueue(world);
    const tap = queue.give(tapOf([1, 2, 3], 5));
    await world.run();
    world.gone.add(queue.taps[0]?.logIds[1] as number);
    world.network = ['arrives', 'arrives', 'lostAfter'];
    queue.undo(tap.key);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'undone', stuckCount: 1, problem: { status: 404 } }]);
    expect([1, 2, 3].map((id) => world.totals.get(id))).toEqual([0, 5, 0]);
  });

  it('leaves it as it was when no record is there any more', async () => {
    const world = new World();
    const queue = new ScoringQueue(world);
    const tap = queue.give(tapOf([1], 5));
    await world.run();
    world.gone.add(queue.taps[0]?.logIds[0] as number);
    queue.undo(tap.key);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done', stuckCount: 1, takenBack: false }]);
  });
});

describe('a refused tap', () => {
  it('can be taken off the list, others cannot', async () => {
    const world = new World();
    world.refusal = 'no';
    const queue = new ScoringQueue(world);
    const refused = queue.give(tapOf([1], 2));
    await world.run();
    world.refusal = null;
    const done = queue.give(tapOf([1], 2));
    await world.run();
    queue.dismiss(refused.key);
    queue.dismiss(done.key);
    expect(queue.taps.map(({ key }) => key)).toEqual([done.key]);
  });
});

describe('whatever the network loses', () => {
  it('every tap counts once in the end, and every one taken back not at all', async () => {
    const step = fc.record({
      students: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      change: fc.integer({ min: -5, max: 5 }),
      undo: fc.boolean(),
      waitFirst: fc.boolean(),
    });
    const fate = fc.constantFrom('arrives', 'lostBefore', 'lostAfter', 'failsBefore', 'failsAfter' as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(fate, { maxLength: 20 }),
        async (steps, fates) => {
          const world = new World();
          world.network = fates as World['network'];
          const queue = new ScoringQueue(world);
          const expected = new Map<number, number>();
          for (const { students, change, undo, waitFirst } of steps) {
            const tap = queue.give(tapOf(students, change));
            if (waitFirst) await world.run();
            if (undo) queue.undo(tap.key);
            else for (const id of students) expected.set(id, (expected.get(id) ?? 0) + change);
          }
          await world.run();
          for (const id of [1, 2, 3, 4]) {
            expect(world.totals.get(id) ?? 0).toBe(expected.get(id) ?? 0);
            expect(queue.pendingChange(id)).toBe(0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
