import { expect, it } from 'vitest';
import { commonTarget, draftOf, type Preview, planOf, withName, withTarget } from './promotion-draft.ts';

const one = {
  classId: 1,
  className: '7A',
  gradeId: 7,
  gradeName: 'Grade 7',
  toGradeId: 8,
  toGradeName: 'Grade 8',
  name: '8A',
  students: 30,
  records: 0,
};
const preview: Preview = {
  fingerprint: 'f',
  graduatedGradeName: 'Class of 2026',
  classes: [one, { ...one, classId: 2, className: '7B', name: '8B' }],
  problems: [],
  heads: [],
  credentials: [],
  signInProviders: [],
};

it('gives a class the name of the proposal in the grade of the proposal alone', () => {
  const { classes } = preview;
  const stays = withTarget(draftOf(preview), classes.slice(0, 1), 7);
  expect(stays.targets.get(1)).toEqual({ gradeId: 7, name: '7A' });
  expect(commonTarget(stays, classes)).toBeUndefined();
  const again = withTarget(stays, classes, 8);
  expect([...again.targets.values()].map(({ name }) => name)).toEqual(['8A', '8B']);
  expect(commonTarget(again, classes)).toBe(8);
  expect(planOf(withName(again, 2, ' 8C ')).classes[1]).toEqual({ classId: 2, gradeId: 8, name: '8C' });
});
