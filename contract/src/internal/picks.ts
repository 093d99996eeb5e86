import Type, { type Static } from 'typebox';
import { ClassId, Id, Input, is, Titled } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { SchoolDay } from './attendance.ts';

const manage = { tag: 'Random pick', access: 'admin', duty: 'manageScores', school: 'required' } as const;

const Picks = Titled('Picks', {
  classId: ClassId,
  day: is(SchoolDay, 'The current day at the school.'),
  userIds: Type.Array(Id, { description: 'Students of the class who were picked on this day.' }),
});
export type Picks = Static<typeof Picks>;

const Students = (what: string) =>
  is(Type.Array(Id, { maxItems: limits.scoresPerRequestMax }), `Ids of students of the class ${what}.`);

export const getPicks = internal({
  id: 'getPicks',
  method: 'GET',
  path: '/picks',
  ...manage,
  summary: 'Read the students of a class who were picked today',
  description: 'The list is empty again when a new school day begins.',
  shows: ['pick', 'student'],
  query: Type.Object({ classId: ClassId }),
  data: Picks,
});

export const markPicks = internal({
  id: 'markPicks',
  method: 'PUT',
  path: '/picks',
  ...manage,
  summary: 'Mark students of a class as picked today, or make them available again',
  description:
    'Students that you omit do not change, and students of other classes are ignored. A call for another day than today changes nothing.',
  idempotent: 'open',
  target: { class: 'body.classId' },
  affects: ['pick'],
  // Not logged, because a pick only records a draw.
  activity: null,
  body: Input({
    classId: ClassId,
    day: is(SchoolDay, 'The day on which they were picked.'),
    userIds: Students('who were picked'),
    againIds: Type.Optional(Students('who may be picked again, though they were')),
  }),
  data: Picks,
});
