import { expect, it } from 'vitest';
import {
  commonTargetGrade,
  lastPromotionSince,
  type PromotionPreview,
  promotionDraftOf,
  promotionPlanOf,
  setTargetGrade,
  setTargetName,
} from './promotion-draft.ts';

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
const preview: PromotionPreview = {
  fingerprint: 'f',
  graduatedGradeName: 'Class of 2026',
  classes: [one, { ...one, classId: 2, className: '7B', name: '8B' }],
  teaching: 0,
  problems: [],
  heads: [],
  credentials: [],
  signInProviders: [],
};

it('a class gets the proposed name only in the proposed grade', () => {
  const { classes } = preview;
  const stays = setTargetGrade(promotionDraftOf(preview), classes.slice(0, 1), 7);
  expect(stays.targets.get(1)).toEqual({ gradeId: 7, name: '7A' });
  expect(commonTargetGrade(stays, classes)).toBeUndefined();
  const again = setTargetGrade(stays, classes, 8);
  expect([...again.targets.values()].map(({ name }) => name)).toEqual(['8A', '8B']);
  expect(commonTargetGrade(again, classes)).toBe(8);
  expect(promotionPlanOf(setTargetName(again, 2, ' 8C ')).classes[1]).toEqual({
    classId: 2,
    gradeId: 8,
    name: '8C',
  });
});

it('lastPromotionSince returns the last promotion that was not undone and is not too old', () => {
  const done = (day: string, undoneAt: string | null = null) => ({
    createdAt: `${day}T08:00:00.000Z`,
    undoneAt,
  });
  const undone = done('2026-09-03', '2026-09-03T09:00:00.000Z');
  const stands = done('2026-09-01');
  const dayOf = (iso: string) => iso.slice(0, 10);
  expect(lastPromotionSince([undone, stands, done('2025-09-01')], '2026-09-01', dayOf)).toBe(stands);
  expect(lastPromotionSince([undone, stands], '2026-09-02', dayOf)).toBeNull();
  expect(lastPromotionSince([undone], '2026-01-01', dayOf)).toBeNull();
  expect(lastPromotionSince([], '2026-01-01', dayOf)).toBeNull();
});
