import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDoubtful, retryWindowMs } from './tap.ts';
import { fates, TapWorld, tapOf } from './testing/tap-world.ts';

describe('Tap from long ago', () => {
  it('is unsure and not resent by itself, because its key may have expired', async () => {
    const world = new TapWorld();
    world.network = ['lostAfter'];
    world.open().give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.time = retryWindowMs + 1;
    const next = world.open();
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'unsure' }]);
    expect([next.unsettledCount, next.pendingChange(1)]).toEqual([0, 0]);

    const [tap] = next.taps;
    next.sendAfterAll(tap?.key ?? '');
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'done' }]);
  });

  it('cannot be resent when it was to be undone', async () => {
    const world = new TapWorld();
    world.network = ['lostAfter'];
    const queue = world.open();
    const { key } = queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    queue.undo(key);
    world.time = retryWindowMs + 1;
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'unsure', takenBack: true }]);
    queue.sendAfterAll(key);
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'unsure' }]);
    queue.giveUp(key);
    expect(queue.taps).toEqual([]);
  });

  it('is also one that seems to come from the future', async () => {
    const world = new TapWorld();
    world.time = 5 * retryWindowMs;
    world.network = ['lostAfter'];
    world.open().give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.time = 4 * retryWindowMs;
    const next = world.open();
    await world.run();
    expect(next.taps).toMatchObject([{ state: 'unsure' }]);
  });

  it('is resent when the server certainly never received it', async () => {
    const world = new TapWorld();
    world.network = ['turnedAway'];
    const queue = world.open();
    queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    world.time = retryWindowMs + 1;
    await world.run();
    expect(queue.taps).toMatchObject([{ state: 'done' }]);
    expect(world.totals.get(1)).toBe(2);
  });

  it('can be given up by the user', async () => {
    const world = new TapWorld();
    world.network = ['lostBefore'];
    const queue = world.open();
    const tap = queue.give(tapOf([1], 2));
    await new Promise(setImmediate);
    queue.giveUp(tap.key);
    expect(queue.taps).toHaveLength(1);
    world.time = retryWindowMs + 1;
    await world.run();
    queue.giveUp(tap.key);
    expect(queue.taps).toEqual([]);
    expect(world.totals.get(1) ?? 0).toBe(0);
  });
});

describe('With any losses on the network', () => {
  it('every tap counts once in the end, and every undone one not at all', async () => {
    const step = fc.record({
      students: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      change: fc.integer({ min: -5, max: 5 }),
      undo: fc.boolean(),
      waitFirst: fc.boolean(),
    });
    const fate = fc.constantFrom(...fates);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(fate, { maxLength: 20 }),
        async (steps, met) => {
          const world = new TapWorld();
          world.network = met;
          const queue = world.open();
          let doubted = false;
          queue.subscribe(() => {
            doubted ||= queue.taps.some(isDoubtful);
          });
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
            // Without a tap that stays unsure, the reported changes add up to the expected total.
            if (!doubted) expect(world.saved.get(id) ?? 0).toBe(expected.get(id) ?? 0);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
