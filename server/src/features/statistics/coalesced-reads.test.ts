import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CoalescedReads } from './school-statistics.ts';

/** Reads that take their state at one moment and answer later. */
class Store {
  state = 0;
  readonly #pending: { seen: number | null; readonly answer: (seen: number) => void }[] = [];

  ask = (): Promise<number> => new Promise((answer) => this.#pending.push({ seen: null, answer }));

  get pending(): number {
    return this.#pending.length;
  }

  look(): void {
    for (const reading of this.#pending) reading.seen ??= this.state;
  }

  answer(): void {
    const reading = this.#pending.shift();
    reading?.answer(reading.seen ?? this.state);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('callers with different questions do not share a read', async () => {
  const shared = new CoalescedReads<string>();
  const answers = [shared.read('a', async () => 'of a'), shared.read('b', async () => 'of b')];
  expect(await Promise.all(answers)).toEqual(['of a', 'of b']);
});

it('a failed read fails only for the callers that shared it', async () => {
  const shared = new CoalescedReads<number>();
  let fail = (_error: Error): void => {};
  const failing = shared.read('sum', () => new Promise((_, reject) => (fail = reject)));
  const next = [shared.read('sum', async () => 7), shared.read('sum', async () => 7)];
  fail(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect(await Promise.all(next)).toEqual([7, 7]);
  const broken = [0, 1, 2].map(() => shared.read('sum', () => Promise.reject(new Error('still away'))));
  const outcomes = await Promise.allSettled(broken);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(3).fill('rejected'));
  expect(await shared.read('sum', async () => 8)).toBe(8);
});

it('one read runs at a time, and its callers share the next, whose state is at least as new as their calls, in any order of events', async () => {
  const events = fc.array(fc.constantFrom('ask', 'ask', 'commit', 'look', 'answer', 'settle'), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const store = new Store();
      const shared = new CoalescedReads<number>();
      const questions: { asked: number; answer: Promise<number> }[] = [];
      for (const event of all) {
        if (event === 'ask') {
          questions.push({ asked: store.state, answer: shared.read('sum', store.ask) });
        } else if (event === 'commit') store.state++;
        else if (event === 'look') store.look();
        else if (event === 'answer') store.answer();
        else await settled();
        expect(store.pending).toBeLessThanOrEqual(1);
      }
      // The read that runs, and the one that all later callers share.
      for (let left = 0; left < 2; left++) {
        await settled();
        store.answer();
      }
      await settled();
      expect(store.pending).toBe(0);
      for (const { asked, answer } of questions) expect(await answer).toBeGreaterThanOrEqual(asked);
    }),
    { numRuns: 300 },
  );
});
