import Type, { type Static } from 'typebox';
import {
  ClassId,
  ClassName,
  Count,
  CreatedAt,
  GradeId,
  GradeName,
  Id,
  is,
  Nullable,
  OneOf,
  ShownName,
  Text,
  Timestamp,
} from '../fields.ts';

const move = {
  classId: ClassId,
  className: is(Text, 'What it was called.'),
  gradeId: is(GradeId, 'The grade that it was in.'),
  gradeName: GradeName,
  toGradeId: is(Nullable(Id), 'The grade that it is in afterwards; null before there is one that graduates.'),
  toGradeName: is(Text, 'The name of that grade.'),
  name: is(Text, 'What it is called afterwards.'),
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

export const PromotionPreview = Type.Object(
  {
    fingerprint: is(Text, 'Of the grades and classes as they are now.'),
    graduatedGradeName: GradeName,
    classes: is(
      Type.Array(
        Type.Object({
          ...move,
          records: is(Count, 'Live records: above 0 while the term has not ended.'),
        }),
      ),
      'Every class that has not graduated, by grade.',
    ),
    problems: is(
      Type.Array(
        Type.Object({
          kind: is(OneOf(promotionProblems), 'What is wrong.'),
          classId: is(Nullable(Id), 'Of the class that it is about.'),
          name: is(Nullable(Text), 'The name that is taken.'),
        }),
      ),
      'Why the plan cannot be carried out; empty when it can.',
    ),
    heads: is(
      Type.Array(Type.Object({ id: Id, username: is(Text, 'Who it is.'), gradeId: GradeId })),
      'Heads of grade: they stay with their grade, and get the classes that come to it.',
    ),
    credentials: is(
      Type.Array(
        Type.Object({
          id: Id,
          name: ShownName,
          gradeId: is(Nullable(Id), 'Of a credential for a grade.'),
          className: is(Nullable(ClassName), 'Of a credential for a class.'),
          effect: is(
            OneOf(credentialEffects),
            '`stays`: it is for a grade, stays with it, and sees the students come and go. `stops`: it is for a class, and the head of grade who issued it is not responsible for that class any more.',
          ),
        }),
      ),
      'Credentials that the promotion concerns. The others for a class go along with it.',
    ),
    signInProviders: is(
      Type.Array(Type.Object({ id: Id, name: ShownName, className: ClassName })),
      'Sign-in services that create new students in a class that graduates: they cannot any more.',
    ),
  },
  { title: 'PromotionPreview' },
);
export type PromotionPreview = Static<typeof PromotionPreview>;

export const undoRefusals = ['undone', 'later', 'scored', 'termEnded', 'structure'] as const;

const own = {
  id: Id,
  name: is(ShownName, 'That of the grade that graduated; otherwise the date.'),
  createdAt: CreatedAt,
  by: is(Type.Object({ id: Id, username: is(Text, 'The username of then.') }), 'Who promoted.'),
  classes: is(Count, 'Classes that it changed.'),
  students: is(Count, 'Students of these classes.'),
  graduated: is(
    Nullable(
      Type.Object({
        gradeId: GradeId,
        name: GradeName,
        classes: is(Count, 'Classes that graduated.'),
        students: is(Count, 'Students of these classes.'),
      }),
    ),
    'What graduated; null where nobody did.',
  ),
  undoneAt: is(Nullable(Timestamp), 'Null unless it was undone.'),
  undo: is(
    Type.Object({
      isPossible: is(Type.Boolean(), 'Whether it can.'),
      because: is(
        Nullable(OneOf(undoRefusals)),
        'Why not. `undone`: it was. `later`: another one followed. `scored`, `termEnded`: points were given, a term ended since. `structure`: a class or grade has changed since.',
      ),
    }),
    'Whether it can be undone now.',
  ),
};

export const ListedPromotion = Type.Object(own, { title: 'ListedPromotion' });
export type ListedPromotion = Static<typeof ListedPromotion>;

export const Promotion = Type.Object(
  { ...own, moves: is(Type.Array(Type.Object(move)), 'What it changed, by grade and class.') },
  { title: 'Promotion' },
);
export type Promotion = Static<typeof Promotion>;
