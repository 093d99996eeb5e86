import { describe, expect, it } from 'vitest';
import { classRanking, ownRankOf } from './class-ranking.ts';

const classOf = (...places: (number | null)[]) =>
  places.map((place, i) => ({
    id: i + 1,
    username: `s${i + 1}`,
    actualName: `Student ${i + 1}`,
    place,
    totalScore: place === null ? null : 100 - place,
  }));
const idsOf = (classmates: ReturnType<typeof classOf>) => {
  const { podium, ranked, others } = classRanking(classmates);
  return [podium, ranked, others].map((part) => part.map(({ id }) => id));
};

describe('Class as shown to a student', () => {
  it('ranks students whose place the server sends, and lists the other students by name', () => {
    expect(idsOf(classOf(1, 2, 3, 4, 5, null, null, null, null, null))).toEqual([
      [1, 2, 3],
      [4, 5],
      [6, 7, 8, 9, 10],
    ]);
    expect(idsOf(classOf(null, null, null))).toEqual([[], [], [1, 2, 3]]);
  });

  it('lists all students by name when all have the same place', () => {
    expect(idsOf(classOf(1, 1, 1, 1))).toEqual([[], [], [1, 2, 3, 4]]);
  });

  it('keeps students with equal points together, on the podium or below', () => {
    expect(idsOf(classOf(1, 2, 2, 2, 5, 6))).toEqual([[1], [2, 3, 4, 5, 6], []]);
    expect(idsOf(classOf(1, 1, 3, null, null, null))).toEqual([[1, 2, 3], [], [4, 5, 6]]);
  });

  it('has a podium only with three students or more', () => {
    expect(idsOf(classOf(1, 2, null))).toEqual([[1, 2], [], [3]]);
    expect(idsOf(classOf(1, null))).toEqual([[], [1], [2]]);
  });
});

/** A class as the server sends it: points and places, null when they are hidden. */
const pointsAndPlaces = (...students: (readonly [totalScore: number | null, place: number | null])[]) =>
  students.map(([totalScore, place], i) => ({ id: i + 1, totalScore, place }));
const everyone = (...scores: number[]) =>
  pointsAndPlaces(
    ...scores.map((score) => [score, scores.filter((other) => other > score).length + 1] as const),
  );

describe('Own place in a class', () => {
  it('is the place that the server sends', () => {
    const classmates = everyone(9, 5, 5, 1, 0, 0);
    for (const id of [2, 3]) {
      expect(ownRankOf(classmates, id)).toEqual({ place: 2, size: 6, situation: 'podium', pointsToNext: 4 });
    }
    expect(ownRankOf(classmates, 6)?.place).toBe(5);
  });

  it('is unknown in the lower half of the class, with the points needed to reach the upper half', () => {
    const classmates = pointsAndPlaces([9, 1], [6, 2], [null, null], [2, null]);
    expect(ownRankOf(classmates, 4)).toEqual({
      place: null,
      size: 4,
      situation: 'climbing',
      pointsToNext: 4,
    });
    expect(ownRankOf(classmates, 2)).toEqual({ place: 2, size: 4, situation: 'podium', pointsToNext: 3 });
  });

  it('is unknown when no places are sent', () => {
    const classmates = pointsAndPlaces([null, null], [3, null], [null, null]);
    expect(ownRankOf(classmates, 2)).toEqual({
      place: null,
      size: 3,
      situation: 'climbing',
      pointsToNext: null,
    });
  });

  it('is not praised when most of the class has the same place', () => {
    expect(ownRankOf(everyone(9, 2, 2, 2, 2, 2, 2, 0), 3)).toMatchObject({ place: 2, situation: 'climbing' });
  });

  it('has a situation for every place', () => {
    const classmates = everyone(10, 9, 8, 7, 6, 5, 4, 3);
    expect(classmates.map(({ id }) => ownRankOf(classmates, id)?.situation)).toEqual([
      ...['first', 'podium', 'podium', 'front'],
      ...['climbing', 'climbing', 'climbing', 'climbing'],
    ]);
    expect(ownRankOf(everyone(0, 0, 0), 3)?.situation).toBe('level');
    expect(ownRankOf(everyone(5), 1)?.situation).toBe('alone');
  });

  it('is null for someone outside the class', () => {
    expect(ownRankOf(everyone(1, 0), 7)).toBeNull();
  });
});
