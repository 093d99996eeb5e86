import type { ClassComparison } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { orderClasses } from './figures.ts';

const row = (classId: number, className: string, avgScore: number) =>
  ({ classId, className, gradeName: 'Grade 1', avgScore }) as ClassComparison;

const rows = [row(1, 'Class 10', 4), row(2, 'Class 2', 9), row(3, 'Class 3', 4)];
const idsBy = (key: string, descending: boolean) =>
  orderClasses(rows, { key, descending }, 'en').map(({ classId }) => classId);

describe('Compared classes', () => {
  it('are sorted by a figure, and classes with equal figures keep their order', () => {
    expect(idsBy('average', true)).toEqual([2, 1, 3]);
    expect(idsBy('average', false)).toEqual([1, 3, 2]);
  });

  it('are sorted by name with numbers in numeric order', () => {
    expect(idsBy('name', false)).toEqual([2, 3, 1]);
    expect(idsBy('unknown', false)).toEqual([1, 2, 3]);
  });
});
