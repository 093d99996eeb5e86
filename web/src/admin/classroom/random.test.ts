import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomFrom, testSeed } from '../../../../server/test/random.ts';
import { pickWithoutRepeats, shuffled } from './random.ts';

const classOf = (size: number) => Array.from({ length: size }, (_, index) => index + 1);

describe('A random pick', () => {
  it('picks every student once before picking a student twice on a day; all if there are fewer than wanted', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 5 }), (size, wanted) => {
        const ids = classOf(size);
        const today: number[] = [];
        while (today.length + wanted <= size) {
          const { picked, again } = pickWithoutRepeats(ids, wanted, today);
          expect(again).toEqual([]);
          today.push(...picked);
        }
        expect(new Set(today).size).toBe(today.length);
        const left = ids.filter((id) => !today.includes(id));
        const last = pickWithoutRepeats(ids, wanted, today);
        expect(last.picked).toEqual(expect.arrayContaining(left));
        expect(new Set(last.picked).size).toBe(Math.min(wanted, size));
        expect(last.again).toEqual(left.length < Math.min(wanted, size) ? ids : []);
      }),
    );
  });

  it('gives all candidates the same chance', () => {
    const picked = [0, 0.25, 0.5, 0.75].map(
      (value) => pickWithoutRepeats(classOf(4), 1, [], () => value).picked,
    );
    expect(picked).toEqual([[1], [2], [3], [4]]);
  });

  it('starts a new round only for the given candidates', () => {
    expect(pickWithoutRepeats([1, 2], 1, [1, 2, 3]).again).toEqual([1, 2]);
  });
});

it('shuffled returns every order equally often', () => {
  const random = randomFrom(testSeed);
  const counts = new Map<string, number>();
  for (let i = 0; i < 6_000; i++) {
    const order = shuffled([1, 2, 3], random).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
