import { expect, it } from 'vitest';
import { dayAbsentees } from './day-absentees.ts';

it('absentees are kept for the day, each class and administrator for itself', () => {
  const kept = new Map<string, string>();
  const place = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  let now = new Date(2026, 8, 15, 8);
  const of = (adminId: number, classId: number) =>
    dayAbsentees({ adminId, schoolDb: 'school_1', classId }, place, () => now);
  of(1, 1).write([7, 8]);
  now = new Date(2026, 8, 15, 17);
  expect(of(1, 1).read()).toEqual([7, 8]);
  expect(of(1, 2).read()).toEqual([]);
  expect(of(2, 1).read()).toEqual([]);
  now = new Date(2026, 8, 16, 8);
  expect(of(1, 1).read()).toEqual([]);
  of(1, 1).write([]);
  expect(kept.size).toBe(0);
});

it('absentees hold on their page where the storage is full', () => {
  const place = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: () => {},
  };
  let now = new Date(2026, 8, 15, 8);
  const absentees = dayAbsentees({ adminId: 1, schoolDb: 'school_1', classId: 1 }, place, () => now);
  absentees.write([7]);
  expect(absentees.read()).toEqual([7]);
  now = new Date(2026, 8, 16, 8);
  expect(absentees.read()).toEqual([]);
});
