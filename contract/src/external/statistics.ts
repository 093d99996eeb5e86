import Type from 'typebox';
import { external } from '../operation.ts';
import { scopeTypes } from '../permissions.ts';
import { Overview } from '../records.ts';
import { EndDate, StartDate } from '../times.ts';

export const getOverview = external({
  id: 'getOverview',
  method: 'GET',
  path: '/stats/overview',
  tag: 'Statistics',
  summary: 'Read the head counts, totals and best students of the range',
  description:
    'The dates affect the sums and the ranking, but not the head counts. The ranking has up to ten students with at least one record, highest total first. Equal totals are sorted by id.',
  permission: 'stats:read',
  scopeTypes,
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
});
