import Type from 'typebox';
import { ClassFilter, GradeFilter, Id, is, OneOf, Optional } from '../fields.ts';
import { internal } from '../operation.ts';
import { Days, internalPaging } from './lists.ts';
import { ClassComparison, DayTotals, RankedStudent } from './records.ts';

const tag = 'Statistics';
const readStatistics = { tag, access: 'admin', duty: 'readStatistics', school: 'required' } as const;
const placeFilters = { gradeId: Type.Optional(GradeFilter), classId: Type.Optional(ClassFilter) };

export const getStatsOverview = internal({
  id: 'getStatsOverview',
  method: 'GET',
  path: '/stats/overview',
  ...readStatistics,
  summary: 'Read the number of students and their totals',
  shows: ['student', 'score'],
  query: Type.Object(placeFilters),
  data: Type.Object({
    totalUsers: is(Type.Integer({ minimum: 0 }), 'Number of students, disabled ones included.'),
    totalScores: is(Type.Integer(), 'Sum of the totals of all students.'),
    avgScore: Type.Number({ description: 'Average per student, rounded to two decimals.' }),
    maxScore: is(Type.Integer(), 'The highest total of a student, or 0 if there are no students.'),
    minScore: is(Type.Integer(), 'The lowest total of a student, or 0 if there are no students.'),
  }),
});

export const listDayTotals = internal({
  id: 'listDayTotals',
  method: 'GET',
  path: '/stats/records',
  ...readStatistics,
  summary: 'List the sums of each day, oldest first',
  description:
    'Days without records have zeros. With `userId`, the sums have only the records of one student.',
  shows: ['score'],
  query: Type.Object({
    ...internalPaging,
    ...placeFilters,
    userId: Optional(Id, 'Only records of the student with this id.'),
    days: Days,
  }),
  data: Type.Array(DayTotals),
});

export const compareClasses = internal({
  id: 'compareClasses',
  method: 'GET',
  path: '/stats/classes',
  ...readStatistics,
  summary: 'Compare the classes in your range',
  shows: ['class', 'grade', 'student', 'score'],
  query: Type.Object({ ...internalPaging, gradeId: Type.Optional(GradeFilter), days: Days }),
  data: Type.Array(ClassComparison),
});

export const rankStudents = internal({
  id: 'rankStudents',
  method: 'GET',
  path: '/stats/leaders',
  ...readStatistics,
  summary: 'Rank the students by total, by recent points or by improvement',
  description: 'The list omits disabled students. Equal students are sorted by id.',
  shows: ['student', 'class', 'score'],
  query: Type.Object({
    ...internalPaging,
    ...placeFilters,
    days: Days,
    by: Type.Optional(OneOf(['total', 'recent', 'improvement'], { description: 'The default is `total`.' })),
  }),
  data: Type.Array(RankedStudent),
});
