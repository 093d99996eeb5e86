import type { Template } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { addTemplates, groupTemplates } from './templates.ts';

const template = (id: number, classId: number | null, scoreChange: number) =>
  ({ id, classId, global: classId === null, name: `T${id}`, scoreChange }) as Template;
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

const wanted = ['A', 'B', 'C'].map((name) => ({ name, scoreChange: 1 }));

it('adding starter templates continues after a failure and adds no template twice', async () => {
  const there: { name: string; classId: number | null }[] = [{ name: 'A', classId: 7 }];
  const progress: number[] = [];
  let broken = true;
  const ports = {
    list: async () => there,
    create: async ({ name }: { name: string }) => {
      if (name === 'C' && broken) throw new Error('no network');
      there.push({ name, classId: null });
      // The answer is lost, but the template was added.
      if (name === 'B' && broken) throw new Error('lost');
    },
  };
  const run = () =>
    addTemplates({ ...ports, wanted, classId: null, onProgress: (done) => progress.push(done) });
  await expect(run()).rejects.toThrow('lost');
  expect(progress).toEqual([0, 1]);
  await expect(run()).rejects.toThrow('no network');
  broken = false;
  await run();
  expect(there.filter(({ classId }) => classId === null).map(({ name }) => name)).toEqual(['A', 'B', 'C']);
  expect(progress.at(-1)).toBe(3);
});
