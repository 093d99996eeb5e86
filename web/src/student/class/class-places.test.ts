import { describe, expect, it } from 'vitest';
import { classPlaces } from './class-places.ts';

const classOf = (...scores: number[]) => scores.map((totalScore, i) => ({ id: i + 1, totalScore }));
const idsOf = (mates: ReturnType<typeof classOf>, ownId: number) => {
  const { podium, ranked, others } = classPlaces(mates, ownId);
  return [podium, ranked, others].map((part) => part.map(({ id }) => id));
};

describe('what a student is shown of the class', () => {
  const ten = classOf(20, 18, 16, 14, 12, 5, 4, 3, 0, -9);

  it('is the places of the front half, and of the others only the own one', () => {
    expect(idsOf(ten, 4)).toEqual([
      [1, 2, 3],
      [4, 5],
      [6, 7, 8, 9, 10],
    ]);
    expect(idsOf(ten, 9)).toEqual([
      [1, 2, 3],
      [4, 5, 9],
      [6, 7, 8, 10],
    ]);
    expect(classPlaces(ten, 9).ranked.at(-1)).toMatchObject({ rank: 9, own: true });
  });

  it('is everyone by name where all have the same points', () => {
    expect(idsOf(classOf(2, 2, 2, 2), 3)).toEqual([[], [], [1, 2, 3, 4]]);
  });

  it('puts no one above an equal', () => {
    expect(idsOf(classOf(9, 5, 5, 5, 4, 3, 2, 1), 8)).toEqual([[1], [2, 3, 4, 8], [5, 6, 7]]);
    expect(classPlaces(classOf(9, 5, 5, 5, 4, 3, 2, 1), 8).ranked.map(({ rank }) => rank)).toEqual([
      2, 2, 2, 8,
    ]);
    expect(classPlaces(classOf(9, 9, 5, 1), 4).podium.map(({ rank }) => rank)).toEqual([1, 1, 3]);
    expect(idsOf(classOf(9, 5, 5, 5, 5, 5, 5, 0), 1)).toEqual([[1], [], [2, 3, 4, 5, 6, 7, 8]]);
  });

  it('has a podium from three on', () => {
    expect(idsOf(classOf(3, 2, 1), 1)).toEqual([[1, 2, 3], [], []]);
    expect(idsOf(classOf(3, 2), 1)).toEqual([[], [1, 2], []]);
  });
});
