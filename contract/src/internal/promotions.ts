import Type, { type Static } from 'typebox';
import {
  ClassId,
  ClassName,
  Count,
  CreatedAt,
  GradeId,
  GradeName,
  Id,
  Input,
  is,
  Name,
  Nullable,
  OneOf,
  Optional,
  ShownName,
  Text,
  Timestamp,
  Titled,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { dutyInSchool } from '../operation.ts';
import { internalPaging } from './lists.ts';

const move = {
  classId: ClassId,
  className: is(Text, 'The old name of the class.'),
  gradeId: is(GradeId, 'The old grade of the class.'),
  gradeName: GradeName,
  toGradeId: is(
    Nullable(Id),
    'The new grade of the class, or null if the grade for graduates does not exist yet.',
  ),
  toGradeName: is(Text, 'Name of the new grade.'),
  name: is(Text, 'The new name of the class.'),
  students: is(Count, 'Number of students, disabled ones included.'),
};

export const promotionProblems = [
  'classNameTaken',
  'gradeNameTaken',
  'gradeUnknown',
  'classesDiffer',
] as const;

/** The effect on a credential whose grade gets other classes, or whose class moves to another grade. */
export const credentialEffects = ['stays', 'stops'] as const;

export const PromotionPreview = Titled('PromotionPreview', {
  fingerprint: is(Text, 'Fingerprint of the current grades and classes.'),
  graduatedGradeName: GradeName,
  classes: is(
    Type.Array(
      Type.Object({
        ...move,
        records: is(Count, 'Number of live records, which is above 0 until the term ends.'),
      }),
    ),
    'Every class that has not graduated, by grade.',
  ),
  teaching: is(
    Count,
    'Number of assignments of teachers to classes that do not graduate. `clearTeaching` ends them.',
  ),
  problems: is(
    Type.Array(
      Type.Object({
        kind: is(OneOf(promotionProblems), 'The type of the problem.'),
        classId: is(Nullable(Id), 'Id of the affected class.'),
        name: is(Nullable(Text), 'The name that is taken.'),
      }),
    ),
    'Problems that prevent the plan, or an empty list if there are none.',
  ),
  heads: is(
    Type.Array(Type.Object({ id: Id, username: is(Text, 'Who it is.'), gradeId: GradeId })),
    'Heads of grade, who keep their grade and get its new classes.',
  ),
  credentials: is(
    Type.Array(
      Type.Object({
        id: Id,
        name: ShownName,
        gradeId: is(Nullable(Id), 'The grade of a grade credential.'),
        className: is(Nullable(ClassName), 'The class of a class credential.'),
        effect: is(
          OneOf(credentialEffects),
          '`stays` means that a grade credential keeps its grade, so its students change. `stops` means that a class credential stops working, because its issuer is no longer responsible for the class.',
        ),
      }),
    ),
    'Credentials that the promotion affects. Other class credentials follow their class.',
  ),
  signInProviders: is(
    Type.Array(Type.Object({ id: Id, name: ShownName, className: ClassName })),
    'Sign-in providers that create students in a graduating class, which they can no longer do.',
  ),
});
export type PromotionPreview = Static<typeof PromotionPreview>;

export const undoRefusals = ['undone', 'later', 'scored', 'termEnded', 'structure'] as const;

const own = {
  id: Id,
  name: is(ShownName, 'Name of the graduated grade, or the date if none graduated.'),
  createdAt: CreatedAt,
  by: is(
    Type.Object({ id: Id, username: is(Text, 'The username at that time.') }),
    'The administrator who promoted the classes.',
  ),
  classes: is(Count, 'Number of changed classes.'),
  students: is(Count, 'Number of students in these classes.'),
  graduated: is(
    Nullable(
      Type.Object({
        gradeId: GradeId,
        name: GradeName,
        classes: is(Count, 'Number of graduated classes.'),
        students: is(Count, 'Number of students in these classes.'),
      }),
    ),
    'The graduated classes, or null if there are none.',
  ),
  undoneAt: is(Nullable(Timestamp), 'When it was undone, or null if it was not.'),
  undo: is(
    Type.Object({
      isPossible: is(Type.Boolean(), 'Whether the promotion can be undone.'),
      because: is(
        Nullable(OneOf(undoRefusals)),
        'Why it cannot be undone. `undone` means that it was already undone, and `later` that another promotion followed. `scored` and `termEnded` mean that points were given or a term ended since. `structure` means that a class or grade has changed since.',
      ),
    }),
    'Whether it can be undone now.',
  ),
};

export const ListedPromotion = Titled('ListedPromotion', own);
export type ListedPromotion = Static<typeof ListedPromotion>;

export const Promotion = Titled('Promotion', {
  ...own,
  moves: is(Type.Array(Type.Object(move)), 'The changes, sorted by grade and class.'),
});
export type Promotion = Static<typeof Promotion>;

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

/** What a promotion and its undo change. */
const affects = [
  'promotion',
  'grade',
  'class',
  'student',
  'score',
  'administrator',
  'credential',
  'seat',
  'term',
] as const;

export const promotionOperations = dutyInSchool('Promotions', 'manageGrades', {
  previewPromotion: {
    route: 'POST /admin/promotions/preview',
    summary: 'Preview a promotion',
    description:
      'If you omit the plan, the server proposes one. Each class moves to the next grade, and the last grade graduates. Class names that contain the grade are adapted. The server stores nothing.',
    affects: [],
    activity: null,
    body: Input({
      plan: Optional(Input(plan), 'The plan to preview. If omitted, the server proposes one.'),
    }),
    data: PromotionPreview,
  },

  promoteSchool: {
    route: 'POST /admin/promotions',
    summary: 'Move all classes up by a previewed plan',
    description:
      'Send the `fingerprint` of the preview. If grades or classes have changed since, the call returns 409 and changes nothing. Students, seats, records, templates and teachers stay with their class. Graduating students are disabled, and nobody teaches a graduating class any more.',
    idempotent: 'open',
    stepUp: true,
    affects,
    activity: { verb: 'changed', subject: 'promotion' },
    errors: { 409: 'Grades or classes have changed since the preview, or two would have the same name.' },
    body: Input({
      fingerprint: is(Name, 'The fingerprint from the preview.'),
      ...plan,
      clearTeaching: Optional(
        Type.Boolean(),
        'Whether to end all assignments of taught classes. By default, they stay with the class.',
      ),
    }),
    data: Promotion,
  },

  listPromotions: {
    route: 'GET /admin/promotions',
    summary: 'List the promotions, newest first',
    shows: ['promotion', 'score', 'class', 'grade'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(ListedPromotion),
  },

  getPromotion: {
    route: 'GET /admin/promotions/:id',
    summary: 'Read a promotion with its changes',
    target: { promotion: 'path.id' },
    shows: ['promotion', 'score', 'class', 'grade'],
    data: Promotion,
  },

  undoPromotion: {
    route: 'POST /admin/promotions/:id/undo',
    summary: 'Undo the last promotion',
    description:
      'Possible until the school gives points, ends a term, or changes a moved class. Grades, names, disabled accounts and taught classes are restored.',
    idempotent: 'open',
    stepUp: true,
    target: { promotion: 'path.id' },
    affects,
    activity: { verb: 'changed', subject: 'promotion' },
    errors: { 409: 'The promotion can no longer be undone. The message has the reason.' },
    data: Promotion,
  },
});
