import Type, { type Static } from 'typebox';
import {
  ClassFilter,
  Count,
  GradeFilter,
  GradeId,
  GradeName,
  Id,
  IsArchived,
  is,
  ListLength,
  OneOf,
  Optional,
  Page,
  paging,
  placeFields,
  ShownName,
  sorting,
  Titled,
  totalFields,
  UserId,
} from './fields.ts';
import { SchoolDay } from './internal/attendance.ts';
import { Days, internalPaging } from './internal/lists.ts';
import { ClassComparison, DayTotals, RankedStudent } from './internal/records.ts';
import { limits } from './limits.ts';
import { dutyInSchool, external } from './operation.ts';
import { Overview } from './records.ts';
import { EndDate, StartDate } from './times.ts';

const StudentStatistics = Titled('StudentStatistics', { id: UserId, ...placeFields, ...totalFields });

const ClassStatistics = Titled('ClassStatistics', {
  id: Id,
  name: ShownName,
  gradeId: GradeId,
  gradeName: GradeName,
  studentCount: is(Count, 'Number of students, disabled ones included.'),
  ...totalFields,
});

const DayStatistics = Titled('DayStatistics', { date: SchoolDay, ...totalFields });
export type DayStatistics = Static<typeof DayStatistics>;

const periodQuery = {
  ...paging,
  order: sorting.order,
  from: Optional(
    SchoolDay,
    'First day of the sums, in the time zone of the school. By default, the first day of the current term.',
  ),
  to: Optional(SchoolDay, 'Last day of the sums, in the time zone of the school. By default, today.'),
};

const exampleTotals = { totalScore: 17, addScore: 19, deductScore: -2, scoreCount: 9 };
const ofPage = <Entry>(entry: Entry) => ({ data: { list: [entry], total: 1, page: 1, limit: 20 } });

const placeFilters = { gradeId: Type.Optional(GradeFilter), classId: Type.Optional(ClassFilter) };

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

  listStudentStatistics: {
    route: 'GET /stats/students',
    summary: 'List the sums of each student in a period',
    description: 'Sums have only records of the current term. Ordered by id.',
    permission: 'stats:read',
    query: Type.Object({ ...periodQuery, ...placeFilters }),
    data: Page(StudentStatistics),
    examples: ofPage({
      ...{ id: 1201, classId: 12, className: 'Class 2', gradeId: 3, gradeName: 'Grade 3' },
      ...exampleTotals,
    }),
  },

  listClassStatistics: {
    route: 'GET /stats/classes',
    summary: 'List the sums of each class in a period',
    description: 'Sums have only records of the current term. Ordered by id.',
    permission: 'stats:read',
    query: Type.Object({
      ...periodQuery,
      gradeId: Type.Optional(GradeFilter),
      archived: Type.Optional(IsArchived),
    }),
    data: Page(ClassStatistics),
    examples: ofPage({
      ...{ id: 12, name: 'Class 2', gradeId: 3, gradeName: 'Grade 3', studentCount: 44 },
      ...exampleTotals,
    }),
  },

  listDayStatistics: {
    route: 'GET /stats/days',
    summary: 'List the sums of each day in a period, oldest first',
    description:
      'Sums have only records of the current term. The list begins with the first day that has records. Later days without records have zeros.',
    permission: 'stats:read',
    query: Type.Object({
      ...periodQuery,
      ...placeFilters,
      limit: ListLength(
        limits.daysPerPageMax,
        `Number of days per page. Larger values count as ${limits.daysPerPageMax}.`,
        limits.pageSizeDefault,
      ),
    }),
    data: Page(DayStatistics),
    examples: ofPage({ date: '2026-09-01', ...exampleTotals }),
  },
});

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
