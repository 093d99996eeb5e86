import { describe, expect, it } from 'vitest';
import { pickSeveral, turnsTaken } from './pick-memory.ts';

describe('picking several', () => {
  it('picks different students, fairly over the picks', () => {
    const first = pickSeveral([1, 2, 3, 4], 3, {});
    expect(new Set(first.picked).size).toBe(3);
    const second = pickSeveral([1, 2, 3, 4], 1, first.counts);
    expect(first.picked).not.toContain(second.picked[0]);
  });

  it('picks everyone when there are fewer than wanted', () => {
    expect(pickSeveral([1, 2], 5, {}).picked.toSorted()).toEqual([1, 2]);
    expect(pickSeveral([], 5, {}).picked).toEqual([]);
  });

  it('knows how far the round has come', () => {
    expect(turnsTaken([1, 2, 3], {})).toBe(0);
    const { counts } = pickSeveral([1, 2, 3], 2, {});
    expect(turnsTaken([1, 2, 3], counts)).toBe(2);
    expect(turnsTaken([1, 2, 3], pickSeveral([1, 2, 3], 1, counts).counts)).toBe(3);
  });
});
