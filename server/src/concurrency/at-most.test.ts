import { describe, expect, it } from 'vitest';
import { atMost, atMostOfEach } from './at-most.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('atMost(2)', () => {
  it('starts work in order, one piece for each that ends or fails', async () => {
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

describe('atMostOfEach(3, 2)', () => {
  it('starts work of others while one waits for its own limit', async () => {
    const limited = atMostOfEach(3, 2);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const begin = (one: number, name: string) =>
      limited(one, () => {
        started.push(name);
        return new Promise<void>((end) => ends.set(name, end));
      });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => begin(name.charCodeAt(0), name));
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends.get('b1')?.();
    await settled();
    expect(started.at(-1)).toBe('c1');
    ends.get('a1')?.();
    await settled();
    expect(started.at(-1)).toBe('a3');
    for (const end of ends.values()) end();
    await Promise.all(all);
  });
});
