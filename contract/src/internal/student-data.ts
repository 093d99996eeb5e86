import Type from 'typebox';
import { Id, is, Nullable, personFields, Score, SignFilter } from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { CategoryTotals } from '../records.ts';
import { Days, internalPaging } from './lists.ts';
import { DayTotals, OwnScore } from './records.ts';

export const studentDataOperations = internal('Own data of a student', {
  listClassmates: {
    route: 'GET /student/classmates',
    summary: 'List your class, including yourself, by visible rank and then by name',
    description:
      'The school decides whether ranks and points of nobody, the top half or everyone are visible. Your own points are always visible. A rank that is shared with students behind the top half is hidden. The list omits disabled classmates. Equal students are sorted by id.',
    access: 'student',
    shows: ['student', 'score', 'school'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(
      Type.Object({
        id: Id,
        ...personFields,
        totalScore: is(Nullable(Score), 'Sum of plus and minus points, or null if hidden.'),
        place: is(
          Nullable(Type.Integer({ minimum: 1 })),
          'Rank in the class, starting at 1, or null if hidden. Equal totals share a rank, such as 1, 2, 2, 4.',
        ),
      }),
    ),
  },

  listOwnScores: {
    route: 'GET /student/logs',
    summary: 'List your point records of the current term, newest first',
    description: `The default \`limit\` is ${limits.scoreLogsDefault}.`,
    access: 'student',
    shows: ['score'],
    query: Type.Object({
      ...internalPaging,
      type: SignFilter,
    }),
    data: Type.Array(OwnScore),
  },

  listOwnCategoryTotals: {
    route: 'GET /student/categories',
    summary: 'List the sums of your records of the current term by category',
    description:
      'The categories are in their order, and the points without a category come last. The list is empty if the school has no categories.',
    access: 'student',
    shows: ['category', 'score'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(CategoryTotals),
  },

  listOwnDayTotals: {
    route: 'GET /student/records-by-day',
    summary: 'List the sums of your records of each day, oldest first',
    access: 'student',
    shows: ['score'],
    query: Type.Object({
      ...internalPaging,
      days: Days,
    }),
    data: Type.Array(DayTotals),
  },
});
