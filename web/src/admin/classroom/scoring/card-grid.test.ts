import { describe, expect, it } from 'vitest';
import { cardGrid, longestWord } from './card-grid.ts';

describe('the cards of a class', () => {
  it('has room for everyone, in at most eight columns, without a row too many', () => {
    for (let count = 1; count <= 80; count++) {
      const { rows, columns } = cardGrid(count);
      expect(rows * columns).toBeGreaterThanOrEqual(count);
      expect(columns).toBeLessThanOrEqual(8);
      if (rows > 4) expect((rows - 1) * 8).toBeLessThan(count);
    }
  });

  it('spreads a class evenly: 42 in six rows of seven, 60 in eight rows of eight', () => {
    expect(cardGrid(42)).toEqual({ rows: 6, columns: 7 });
    expect(cardGrid(60)).toEqual({ rows: 8, columns: 8 });
    expect(cardGrid(0)).toEqual({ rows: 4, columns: 1 });
  });

  it('knows the longest word of a name', () => {
    expect(longestWord('Alexander Wright')).toBe(9);
    expect(longestWord('Anne-Sophie Li')).toBe(6);
    expect(longestWord('欧阳若曦')).toBe(4);
    expect(longestWord('')).toBe(0);
  });
});
