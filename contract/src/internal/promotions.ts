import Type from 'typebox';
import { ClassId, GradeId, Input, is, Name, Nullable, Optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { ListedPromotion, Promotion, PromotionPreview } from './promotion-records.ts';

const promotions = { tag: 'Promotions', access: 'admin', duty: 'manageGrades', school: 'required' } as const;

const classPlan = Input({
  classId: ClassId,
  gradeId: is(Nullable(GradeId), 'The new grade of the class, or null if it graduates.'),
  name: is(Name, 'The new name of the class.'),
});

const plan = {
  classes: is(
    Type.Array(classPlan, { maxItems: limits.classesPerPromotionMax }),
    'The new grade and name of each class. The plan must name all classes that have not graduated.',
  ),
  graduatedGradeName: is(Name, 'Name of the new grade for the graduating classes.'),
};

export const previewPromotion = internal({
  id: 'previewPromotion',
  method: 'POST',
  path: '/admin/promotions/preview',
  ...promotions,
  summary: 'Preview a promotion',
  description:
    'If you omit the plan, the server proposes one. Each class moves to the next grade, and the last grade graduates. Class names that contain the grade are adapted. The server stores nothing.',
  affects: [],
  activity: null,
  body: Input({
    plan: Optional(Input(plan), 'The plan to preview. If omitted, the server proposes one.'),
  }),
  data: PromotionPreview,
});

export const promoteSchool = internal({
  id: 'promoteSchool',
  method: 'POST',
  path: '/admin/promotions',
  ...promotions,
  summary: 'Move all classes up by a previewed plan',
  description:
    'Send the `fingerprint` of the preview. If grades or classes have changed since, the call returns 409 and changes nothing. Students, seats, records, templates and teachers stay with their class. Graduating students are disabled.',
  idempotent: 'open',
  stepUp: true,
  affects: ['promotion', 'grade', 'class', 'student', 'score', 'administrator', 'credential', 'seat', 'term'],
  activity: { verb: 'changed', subject: 'promotion' },
  errors: { 409: 'Grades or classes have changed since the preview, or two would have the same name.' },
  body: Input({ fingerprint: is(Name, 'The fingerprint from the preview.'), ...plan }),
  data: Promotion,
});

export const listPromotions = internal({
  id: 'listPromotions',
  method: 'GET',
  path: '/admin/promotions',
  ...promotions,
  summary: 'List the promotions, newest first',
  shows: ['promotion', 'score', 'class', 'grade'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(ListedPromotion),
});

export const getPromotion = internal({
  id: 'getPromotion',
  method: 'GET',
  path: '/admin/promotions/:id',
  ...promotions,
  summary: 'Read a promotion with its changes',
  target: { promotion: 'path.id' },
  shows: ['promotion', 'score', 'class', 'grade'],
  data: Promotion,
});

export const undoPromotion = internal({
  id: 'undoPromotion',
  method: 'POST',
  path: '/admin/promotions/:id/undo',
  ...promotions,
  summary: 'Undo the last promotion',
  description:
    'Possible until the school gives points, ends a term, or changes a moved class. Grades, names and disabled accounts are restored.',
  idempotent: 'open',
  stepUp: true,
  target: { promotion: 'path.id' },
  affects: ['promotion', 'grade', 'class', 'student', 'score', 'administrator', 'credential', 'seat', 'term'],
  activity: { verb: 'changed', subject: 'promotion' },
  errors: { 409: 'The promotion can no longer be undone. The message has the reason.' },
  data: Promotion,
});
