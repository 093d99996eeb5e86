import { describe, expect, it } from 'vitest';
import { atMost } from './at-most.ts';

/** Lets everything that can go on go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work that runs at most two at once', () => {
  it('starts in the order in which it came, a piece for each that ends, also by failing', async () => {
    const limited = atMost(2);
    const started: number[] = [];
    const pieces = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
    const results = pieces.map((piece, i) =>
      limited(() => {
        started.push(i);
        return piece.promise;
      }),
    );
    await settled();
    expect(started).toEqual([0, 1]);
    pieces[1]?.resolve('one');
    await settled();
    expect(started).toEqual([0, 1, 2]);
    pieces[0]?.reject(new Error('zero'));
    await expect(results[0]).rejects.toThrow('zero');
    await settled();
    expect(started).toEqual([0, 1, 2, 3]);
    for (const piece of pieces) piece.resolve('done');
    expect(await Promise.all(results.slice(1))).toEqual(['one', 'done', 'done', 'done']);
    expect(await limited(async () => 'later')).toBe('later');
  });
});
