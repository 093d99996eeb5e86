import Type from 'typebox';
import { ClassId, GradeId, Input, is, Name, Nullable } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { ListedPromotion, Promotion, PromotionPreview } from './promotion-records.ts';

const promotions = { tag: 'Promotions', access: 'admin', duty: 'manageGrades', school: 'required' } as const;

const classPlan = Type.Object(
  {
    classId: ClassId,
    gradeId: is(Nullable(GradeId), 'The grade that it is in afterwards; null where it graduates.'),
    name: is(Name, 'What it is called afterwards.'),
  },
  { additionalProperties: false },
);

const plan = {
  classes: is(
    Type.Array(classPlan, { maxItems: limits.classesPerPromotionMax }),
    'What becomes of each class that has not graduated; all of them are named.',
  ),
  graduatedGradeName: is(Name, 'What the grade is called into which classes graduate.'),
};

export const previewPromotion = internal({
  id: 'previewPromotion',
  method: 'POST',
  path: '/admin/promotions/preview',
  ...promotions,
  summary: 'Look at what a promotion would do',
  description:
    'Without a plan, one is proposed: each class goes to the next grade, those of the last grade graduate, and names that tell the grade follow. Nothing changes.',
  affects: [],
  activity: null,
  body: Input({
    plan: Type.Optional(
      is(Type.Object(plan, { additionalProperties: false }), 'What is looked at; a proposal when absent.'),
    ),
  }),
  data: PromotionPreview,
});

export const promoteSchool = internal({
  id: 'promoteSchool',
  method: 'POST',
  path: '/admin/promotions',
  ...promotions,
  summary: 'Move all classes up by a plan that was looked at',
  description:
    'Takes the `fingerprint` of the preview: when grades or classes have changed since, it is refused and nothing is done. Students, seats, records, templates and teachers stay with their class. Those who graduate are disabled.',
  idempotent: 'open',
  stepUp: true,
  affects: ['promotion', 'grade', 'class', 'student', 'score', 'administrator', 'credential', 'seat', 'term'],
  activity: { verb: 'changed', subject: 'promotion' },
  errors: { 409: 'Grades or classes have changed since the preview, or two would have one name.' },
  body: Input({ fingerprint: is(Name, 'Of the preview.'), ...plan }),
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
  summary: 'Read what a promotion did',
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
    'Until the next points of the school, the end of a term, or a change of the classes that it moved. Places, names and disabled accounts are as they were before.',
  idempotent: 'open',
  stepUp: true,
  target: { promotion: 'path.id' },
  affects: ['promotion', 'grade', 'class', 'student', 'score', 'administrator', 'credential', 'seat', 'term'],
  activity: { verb: 'changed', subject: 'promotion' },
  errors: { 409: 'It cannot be undone any more; the message says why.' },
  data: Promotion,
});
