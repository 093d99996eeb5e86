import { describe, expect, it } from 'vitest';
import { distinctClassNames } from './distinct-class-name.ts';

const inClass = (id: number, name: string, gradeId: number) => ({
  id,
  name,
  gradeId,
  gradeName: `Grade ${gradeId}`,
});
const sameNames = [inClass(1, 'Class 1', 1), inClass(2, 'Class 2', 1), inClass(3, 'Class 1', 2)];

describe('distinctClassNames', () => {
  it('adds the grade when classes of several grades have the same name', () => {
    const distinct = distinctClassNames(sameNames);
    expect(distinct({ classId: 1, className: 'Class 1' })).toBe('Grade 1 Class 1');
    expect(distinct({ classId: 2, className: 'Class 2' })).toBe('Grade 1 Class 2');
    expect(distinct({ classId: 3, className: 'Class 1' })).toBe('Grade 2 Class 1');
  });

  it('keeps the short name in one grade, or when names are distinct', () => {
    expect(distinctClassNames(sameNames, 2)({ classId: 3, className: 'Class 1' })).toBe('Class 1');
    expect(distinctClassNames(sameNames.slice(0, 2))({ classId: 1, className: 'Class 1' })).toBe('Class 1');
    const telling = [inClass(1, '1a', 1), inClass(2, '2a', 2)];
    expect(distinctClassNames(telling)({ classId: 2, className: '2a' })).toBe('2a');
  });

  it('returns the given name for a deleted or unknown class', () => {
    expect(distinctClassNames(sameNames)({ classId: null, className: 'Class 9' })).toBe('Class 9');
    expect(distinctClassNames(sameNames)({ classId: 9, className: 'Class 9' })).toBe('Class 9');
    expect(distinctClassNames([])({ classId: 1, className: 'Class 1' })).toBe('Class 1');
  });
});
