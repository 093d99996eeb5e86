import { describe, expect, it } from 'vitest';
import { classRanking, ownRankOf } from './class-ranking.ts';

/** Students with rising ids, as the server sends them: points and places, null when they are hidden. */
const pointsAndPlaces = (...students: (readonly [totalScore: number | null, place: number | null])[]) =>
  students.map(([totalScore, place], i) => ({
    id: i + 1,
    username: `s${i + 1}`,
    actualName: `Student ${i + 1}`,
    totalScore,
    place,
  }));
const everyone = (...scores: number[]) =>
  pointsAndPlaces(
    ...scores.map((score) => [score, scores.filter((other) => other > score).length + 1] as const),
  );

describe('Class as shown to a student', () => {
  it.each([
    [
      'ranks students whose place the server sends, and lists the other students by name',
      [1, 2, 3, 4, 5, null],
      [[1, 2, 3], [4, 5], [6]],
    ],
    ['lists all students by name without places', [null, null, null], [[], [], [1, 2, 3]]],
    ['lists all students by name when all have the same place', [1, 1, 1, 1], [[], [], [1, 2, 3, 4]]],
    ['keeps equal points together below the podium', [1, 2, 2, 2, 5, 6], [[1], [2, 3, 4, 5, 6], []]],
    ['keeps equal points together on the podium', [1, 1, 3, null, null, null], [[1, 2, 3], [], [4, 5, 6]]],
    ['has a podium with three students', [1, 2, null], [[1, 2], [], [3]]],
    ['has no podium with two students', [1, null], [[], [1], [2]]],
  ])('%s', (_, places, parts) => {
    const shown = places.map((place) => [place === null ? null : 100 - place, place] as const);
    const { podium, ranked, others } = classRanking(pointsAndPlaces(...shown));
    expect([podium, ranked, others].map((part) => part.map(({ id }) => id))).toEqual(parts);
  });
});

describe('Own place in a class', () => {
  const oneTie = everyone(9, 5, 5, 1, 0, 0);
  const upperHalf = pointsAndPlaces([9, 1], [6, 2], [null, null], [2, null]);

  it.each([
    ['is the place that the server sends', oneTie, 2, [2, 6, 'podium', 4]],
    ['is that of a classmate with equal points', oneTie, 3, [2, 6, 'podium', 4]],
    ['follows after shared places', oneTie, 6, [5, 6, 'climbing', 1]],
    ['is shown in the upper half', upperHalf, 2, [2, 4, 'podium', 3]],
    [
      'is unknown in the lower half, with the points to the upper half',
      upperHalf,
      4,
      [null, 4, 'climbing', 4],
    ],
    [
      'is unknown when no places are sent',
      pointsAndPlaces([null, null], [3, null], [null, null]),
      2,
      [null, 3, 'climbing', null],
    ],
    [
      'is not praised when most of the class has the same place',
      everyone(9, 2, 2, 2, 2, 2, 2, 0),
      3,
      [2, 8, 'climbing', 7],
    ],
    ['means nothing when all have equal points', everyone(0, 0, 0), 3, [1, 3, 'level', null]],
    ['means nothing for a single student', everyone(5), 1, [1, 1, 'alone', null]],
  ])('%s', (_, classmates, id, [place, size, situation, pointsToNext]) => {
    expect(ownRankOf(classmates, id)).toEqual({ place, size, situation, pointsToNext });
  });

  it('has a situation for every place, and is null for someone outside the class', () => {
    const classmates = everyone(10, 9, 8, 7, 6, 5, 4, 3);
    expect(classmates.map(({ id }) => ownRankOf(classmates, id)?.situation)).toEqual([
      ...['first', 'podium', 'podium', 'front'],
      ...['climbing', 'climbing', 'climbing', 'climbing'],
    ]);
    expect(ownRankOf(classmates, 9)).toBeNull();
  });
});
