import { expect, it } from 'vitest';
import { distinctClassNames } from './distinct-class-name.ts';

const inClass = (id: number, name: string, gradeId: number) => {
  return { id, name, gradeId, gradeName: `Grade ${gradeId}` };
};
const [one, two, other] = [inClass(1, 'Class 1', 1), inClass(2, 'Class 2', 1), inClass(3, 'Class 1', 2)];

const all = [one, two, other];

it.each([
  ['with its grade if classes of several grades have its name', all, undefined, 1, 'Grade 1 Class 1'],
  ['with its grade beside such classes', all, undefined, 2, 'Grade 1 Class 2'],
  ['short within one grade', all, 2, 3, 'Class 1'],
  ['short if names are distinct', [one, two], undefined, 1, 'Class 1'],
  ['short if names tell the grade', [inClass(1, '2a', 1), inClass(2, '1a', 2)], undefined, 1, '2a'],
  ['as given if it is deleted', all, undefined, null, 'Class 9'],
  ['as given if it is unknown', all, undefined, 9, 'Class 9'],
  ['as given without classes', [], undefined, 1, 'Class 9'],
])('a class is named %s', (_, classes, gradeId, classId, name) => {
  const className = classes.find(({ id }) => id === classId)?.name ?? 'Class 9';
  expect(distinctClassNames(classes, gradeId)({ classId, className })).toBe(name);
});
