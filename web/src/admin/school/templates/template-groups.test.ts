import type { Template } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { groupTemplates } from './template-groups.ts';

const template = (id: number, classId: number | null, scoreChange: number, name = `T${id}`): Template => ({
  id,
  classId,
  global: classId === null,
  name,
  scoreChange,
  description: '',
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-09-01T08:00:00.000Z',
});
const classes = [
  { id: 1, name: 'A', gradeName: 'Grade 1' },
  { id: 2, name: 'B', gradeName: 'Grade 1' },
];
const idsOf = (templates: readonly Template[] | undefined) => templates?.map(({ id }) => id);

describe('groupTemplates', () => {
  const all = [template(1, null, 1), template(2, null, 5), template(3, 2, -3), template(4, null, -1)];

  it('groups templates by school first, then by classes with templates', () => {
    const groups = groupTemplates(all, classes, 'school_admin', null);
    expect(groups.map(({ title }) => title)).toEqual([null, 'Grade 1 B']);
    expect(idsOf(groups[0]?.plus), 'small points first, as where points are given').toEqual([1, 2]);
    expect(idsOf(groups[0]?.minus)).toEqual([4]);
    expect(groups.map(({ mayChange }) => mayChange)).toEqual([true, true]);
  });

  it('keeps an empty group for a teacher’s class, and makes the group of the school read-only', () => {
    const groups = groupTemplates(all, classes, 'class_admin', 1);
    expect(groups.map(({ classId, mayChange }) => [classId, mayChange])).toEqual([
      [null, false],
      [1, true],
    ]);
    expect(groups[1]).toMatchObject({ plus: [], minus: [] });
  });

  it('omits an empty school group for a teacher', () => {
    const own = [template(1, 1, 1)];
    expect(groupTemplates(own, classes, 'class_admin', 1).map(({ classId }) => classId)).toEqual([1]);
    expect(groupTemplates(own, classes, 'school_admin', 1).map(({ classId }) => classId)).toEqual([null, 1]);
  });
});
