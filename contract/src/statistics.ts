import Type from 'typebox';
import { ClassFilter, GradeFilter, Id, is, OneOf, Optional } from './fields.ts';
import { Days, internalPaging } from './internal/lists.ts';
import { CategoryDay, ClassComparison, DayTotals, RankedStudent } from './internal/records.ts';
import { dutyInSchool, external } from './operation.ts';
import { CategoryTotals, Overview } from './records.ts';
import { EndDate, StartDate } from './times.ts';

export const externalStatisticsOperations = external('Statistics', {
  getOverview: {
    route: 'GET /stats/overview',
    summary: 'Read the head counts, totals and best students of the range',
    description:
      'The dates affect the sums and the ranking, but not the head counts. The ranking has up to ten students with at least one record, highest total first. Equal totals are sorted by id.',
    permission: 'stats:read',
    query: Type.Object({ startDate: Type.Optional(StartDate), endDate: Type.Optional(EndDate) }),
    data: Overview,
    examples: {
      data: {
        scope: { type: 'school', gradeId: null, classId: null },
        range: { startDate: null, endDate: null },
        structure: { gradeCount: 6, classCount: 36, studentCount: 1612, disabledStudentCount: 4 },
        scores: {
          totalScore: 151204,
          addScore: 190210,
          deductScore: -39006,
          recordCount: 149871,
          todayRecordCount: 812,
        },
        byCategory: [],
        topStudents: [
          {
            rank: 1,
            id: 1201,
            username: 'li.wei',
            actualName: '李伟',
            classId: 12,
            className: 'Class 2',
            totalScore: 311,
            scoreCount: 140,
          },
        ],
      },
    },
  },
});

const placeFilters = { gradeId: Type.Optional(GradeFilter), classId: Type.Optional(ClassFilter) };

export const internalStatisticsOperations = dutyInSchool('Statistics', 'readStatistics', {
  getStatsOverview: {
    route: 'GET /stats/overview',
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
  },

  listDayTotals: {
    route: 'GET /stats/records',
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
  },

  listCategoryTotals: {
    route: 'GET /stats/categories',
    summary: 'List the sums of each category in the current term',
    description:
      'The categories are in their order, and the points without a category come last. The list is empty if the school has no categories. With `userId`, the sums have only the records of one student.',
    shows: ['category', 'score'],
    query: Type.Object({
      ...internalPaging,
      ...placeFilters,
      userId: Optional(Id, 'Only records of the student with this id.'),
    }),
    data: Type.Array(CategoryTotals),
  },

  listCategoryDays: {
    route: 'GET /stats/category-days',
    summary: 'List the sums of each day and category with records, oldest day first',
    description: 'With `userId`, the sums have only the records of one student.',
    shows: ['score'],
    query: Type.Object({
      ...internalPaging,
      ...placeFilters,
      userId: Optional(Id, 'Only records of the student with this id.'),
      days: Days,
    }),
    data: Type.Array(CategoryDay),
  },

  compareClasses: {
    route: 'GET /stats/classes',
    summary: 'Compare the classes in your range',
    shows: ['class', 'grade', 'student', 'score'],
    query: Type.Object({ ...internalPaging, gradeId: Type.Optional(GradeFilter), days: Days }),
    data: Type.Array(ClassComparison),
  },

  rankStudents: {
    route: 'GET /stats/leaders',
    summary: 'Rank the students by total, by recent points or by improvement',
    description: 'The list omits disabled students. Equal students are sorted by id.',
    shows: ['student', 'class', 'score'],
    query: Type.Object({
      ...internalPaging,
      ...placeFilters,
      days: Days,
      by: Type.Optional(
        OneOf(['total', 'recent', 'improvement'], { description: 'The default is `total`.' }),
      ),
    }),
    data: Type.Array(RankedStudent),
  },
});
