import type { OperationId } from '../../api/operation-types.ts';

/** Whose answers are out of date once students were added, changed or deleted. */
export const affectedByStudents: readonly OperationId[] = [
  'listUsers',
  'getUser',
  'listSchoolClasses',
  'listSchoolGrades',
  'listSeats',
  'listScoreLogs',
  'getStatsOverview',
  'listDayTotals',
  'compareClasses',
  'rankStudents',
];
