import { describe, expect, it } from 'vitest';
import { frontOf, standingOf } from './standing.ts';

const classOf = (...scores: number[]) => scores.map((totalScore, i) => ({ id: i + 1, totalScore }));

describe('the standing in a class', () => {
  it('is the position, ties included', () => {
    expect(standingOf(classOf(9, 5, 5, 1, 0, 0), 3)).toEqual({ rank: 3, size: 6, mood: 'podium', toNext: 1 });
  });

  it('counts the points that lead one place up', () => {
    const mates = [
      { id: 8, totalScore: 9 },
      { id: 3, totalScore: 5 },
      { id: 9, totalScore: 4 },
    ];
    expect(standingOf(mates, 3)?.toNext).toBe(4);
    expect(standingOf(mates, 9)?.toNext).toBe(2);
    expect(standingOf(mates, 8)?.toNext).toBeNull();
  });

  it('has a kind word for every place', () => {
    const mates = classOf(10, 9, 8, 7, 6, 5, 4, 3);
    const moods = mates.map(({ id }) => standingOf(mates, id)?.mood);
    expect(moods).toEqual([
      ...['first', 'podium', 'podium', 'front'],
      ...['climbing', 'climbing', 'climbing', 'climbing'],
    ]);
    expect(standingOf(classOf(0, 0, 0), 3)?.mood).toBe('level');
    expect(standingOf(classOf(5), 1)?.mood).toBe('alone');
  });

  it('is told to the others of the front half and the podium', () => {
    expect([2, 3, 4, 8, 45].map(frontOf)).toEqual([3, 3, 3, 4, 22]);
  });

  it('is unknown for somebody who is not in the class', () => {
    expect(standingOf(classOf(1, 0), 7)).toBeNull();
  });
});
