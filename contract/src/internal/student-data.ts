import Type from 'typebox';
import { Id, is, Nullable, OneOf, person, Score } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { DayTotals, OwnScore } from './records.ts';

const tag = 'Own data of a student';

export const listClassmates = internal({
  id: 'listClassmates',
  method: 'GET',
  path: '/student/classmates',
  tag,
  summary: 'List your class, you included: who has a place first, best first, then the others by name',
  description:
    'The school decides who has a place and whose points are told: nobody, the front half, or everyone. Your own points are always told. Who shares a place with somebody behind the front half has none. Disabled classmates are left out. Ties by id.',
  access: 'student',
  shows: ['student', 'score', 'school'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(
    Type.Object({
      id: Id,
      ...person,
      totalScore: is(Nullable(Score), 'Sum of plus and minus points; null where it is not told.'),
      place: is(
        Nullable(Type.Integer({ minimum: 1 })),
        'Place in the class, from 1; null where it is not told. Equals share one: 1, 2, 2, 4.',
      ),
    }),
  ),
});

export const listOwnScores = internal({
  id: 'listOwnScores',
  method: 'GET',
  path: '/student/logs',
  tag,
  summary: 'List your score records of the current term, newest first',
  description: `The newest ${limits.scoreLogsDefault} unless \`limit\` is given.`,
  access: 'student',
  shows: ['score'],
  query: Type.Object({
    ...internalPaging,
    type: Type.Optional(
      OneOf(['plus', 'minus'], {
        description: 'Only records that add points, or only records that deduct points.',
      }),
    ),
  }),
  data: Type.Array(OwnScore),
});

export const listOwnDayTotals = internal({
  id: 'listOwnDayTotals',
  method: 'GET',
  path: '/student/records-by-day',
  tag,
  summary: 'Add up your records of each day, oldest first',
  access: 'student',
  shows: ['score'],
  query: Type.Object({
    ...internalPaging,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.statisticsDaysMax,
        default: limits.statisticsDaysDefault,
        description: 'Days of the school, the current one included.',
      }),
    ),
  }),
  data: Type.Array(DayTotals),
});
