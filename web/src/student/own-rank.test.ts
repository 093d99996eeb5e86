import { describe, expect, it } from 'vitest';
import { frontOf, ownRankOf } from './own-rank.ts';

const classOf = (...scores: number[]) => scores.map((totalScore, i) => ({ id: i + 1, totalScore }));

describe('the own in a class', () => {
  it('is shared by equals', () => {
    const mates = classOf(9, 5, 5, 1, 0, 0);
    for (const id of [2, 3]) {
      expect(ownRankOf(mates, id)).toEqual({ rank: 2, size: 6, mood: 'podium', toNext: 4 });
    }
    expect(ownRankOf(mates, 6)?.rank).toBe(5);
    expect(ownRankOf(classOf(9, 9, 1), 2)).toMatchObject({ rank: 1, mood: 'first', toNext: null });
  });

  it('is not praised where most of the class shares it', () => {
    expect(ownRankOf(classOf(9, 2, 2, 2, 2, 2, 2, 0), 3)).toMatchObject({ rank: 2, mood: 'climbing' });
  });

  it('counts the points that lead to the next place', () => {
    const mates = [
      { id: 8, totalScore: 9 },
      { id: 3, totalScore: 5 },
      { id: 9, totalScore: 4 },
    ];
    expect(ownRankOf(mates, 3)?.toNext).toBe(4);
    expect(ownRankOf(mates, 9)?.toNext).toBe(1);
    expect(ownRankOf(mates, 8)?.toNext).toBeNull();
  });

  it('has a kind word for every place', () => {
    const mates = classOf(10, 9, 8, 7, 6, 5, 4, 3);
    const moods = mates.map(({ id }) => ownRankOf(mates, id)?.mood);
    expect(moods).toEqual([
      ...['first', 'podium', 'podium', 'front'],
      ...['climbing', 'climbing', 'climbing', 'climbing'],
    ]);
    expect(ownRankOf(classOf(0, 0, 0), 3)?.mood).toBe('level');
    expect(ownRankOf(classOf(5), 1)?.mood).toBe('alone');
  });

  it('is told to the others of the front half and the podium', () => {
    expect([2, 3, 4, 8, 45].map(frontOf)).toEqual([3, 3, 3, 4, 22]);
  });

  it('is unknown for someone who is not in the class', () => {
    expect(ownRankOf(classOf(1, 0), 7)).toBeNull();
  });
});
