import { expect, it } from 'vitest';
import { classNameFor, yearOf } from './grade-names.ts';

it.each([
  ['七年级', 7],
  ['初一', 7],
  ['高三', 12],
  ['小学六年级', 6],
  ['十一年级', 11],
  ['9年级', 9],
  ['Grade 7', 7],
  ['Year 10', 10],
  ['7th grade', 7],
  ['G12', 12],
  // A grade with another kind of name, such as its year of entry, keeps its name.
  ['2023级', null],
  ['Beginners', null],
])('yearOf finds the year of school (1 to 12), if any, in the grade name %s', (name, year) => {
  expect(yearOf(name)).toBe(year);
});

it.each([
  ['七年级1班', '七年级', '八年级', '八年级1班'],
  ['初一(3)班', '初一', '初二', '初二(3)班'],
  ['初三(3)班', '初三', '高一', '高一(3)班'],
  ['7A', 'Grade 7', 'Grade 8', '8A'],
  ['Class 7A', 'Year 7', 'Year 8', 'Class 8A'],
  ['9B', 'Grade 9', 'Grade 10', '10B'],
  ['701', 'Grade 7', 'Grade 8', '801'],
  ['7.1', '7年级', '8年级', '8.1'],
  ['7年1班', '七年级', '八年级', '8年1班'],
  // The number may count the classes of the grade.
  ['Class 7', 'Grade 7', 'Grade 8', 'Class 7'],
  ['7班', '七年级', '八年级', '7班'],
  ['1班', '七年级', '八年级', '1班'],
  ['Oaks', 'Grade 7', 'Grade 8', 'Oaks'],
  ['7A', 'Beginners', 'Grade 8', '7A'],
])('classNameFor renames %s of %s in %s to %s', (name, from, to, renamed) => {
  expect(classNameFor(name, from, to)).toBe(renamed);
});
