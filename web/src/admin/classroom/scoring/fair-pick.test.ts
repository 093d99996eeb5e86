import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PickCounts, pickOneFairly, pickSeveralFairly, pickWithoutRepeats } from './fair-pick.ts';

describe('pickFairly', () => {
  it('picks everyone once before anyone twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 4 }), (size, rounds) => {
        const ids = Array.from({ length: size }, (_, index) => index + 1);
        let counts: PickCounts = {};
        for (let round = 1; round <= rounds; round++) {
          const seen = new Set<number>();
          for (const _ of ids) {
            const result = pickOneFairly(ids, counts);
            if (!result) throw new Error('Nobody was picked');
            seen.add(result.picked);
            counts = result.counts;
          }
          expect(seen.size).toBe(size);
        }
      }),
    );
  });

  it('gives all candidates the same chance', () => {
    const ids = [1, 2, 3, 4];
    const picked = [0, 0.25, 0.5, 0.75].map((value) => pickOneFairly(ids, {}, () => value)?.picked);
    expect(picked).toEqual(ids);
  });

  it('does not make a late student catch up', () => {
    const counts = { 1: 5, 2: 6 };
    expect(pickOneFairly([1, 2, 3], counts, () => 0.99)?.counts[3]).toBe(6);
    expect(pickOneFairly([1, 2, 3], counts, () => 0)?.counts).toEqual({ 1: 6, 2: 6, 3: 5 });
  });

  it('returns null without candidates', () => {
    expect(pickOneFairly([], {})).toBeNull();
  });
});

describe('pickSeveral and pickOnDay', () => {
  it('pick different students, fairly across picks', () => {
    const first = pickSeveralFairly([1, 2, 3, 4], 3, {});
    expect(new Set(first.picked).size).toBe(3);
    const second = pickSeveralFairly([1, 2, 3, 4], 1, first.counts);
    expect(first.picked).not.toContain(second.picked[0]);
  });

  it('pick everyone when there are fewer than wanted', () => {
    expect(pickSeveralFairly([1, 2], 5, {}).picked.toSorted()).toEqual([1, 2]);
    expect(pickSeveralFairly([], 5, {}).picked).toEqual([]);
  });

  it('pick nobody twice on a day before everybody was picked', () => {
    const ids = [1, 2, 3, 4];
    let counts: PickCounts = { 1: 3, 2: 2, 3: 3, 4: 3 };
    const today: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const result = pickWithoutRepeats(ids, 1, { counts, today });
      expect(result.again).toEqual([]);
      today.push(...result.picked);
      counts = result.counts;
    }
    expect(today.toSorted()).toEqual(ids);
    expect(today[0]).toBe(2);
    // Both candidates were picked, so they start anew. The other students do not.
    expect(pickWithoutRepeats([1, 2], 1, { counts, today }).again).toEqual([1, 2]);
    const all = pickWithoutRepeats(ids, 3, { counts, today: [1, 2] });
    expect(new Set(all.picked).size).toBe(3);
    expect(all.picked).toEqual(expect.arrayContaining([3, 4]));
    expect(all.again).toEqual(ids);
  });
});
