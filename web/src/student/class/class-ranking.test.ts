import { describe, expect, it } from 'vitest';
import { classRanking } from './class-ranking.ts';

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
