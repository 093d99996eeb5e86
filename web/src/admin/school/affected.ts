import type { OperationId } from '../../api/operation-types.ts';

/** Whose answers are out of date once grades or classes were added, renamed, moved or deleted. */
export const affectedByStructure: readonly OperationId[] = [
  'listSchoolGrades',
  'listSchoolClasses',
  'listUsers',
  'getUser',
  'listSeats',
  'listScoreLogs',
  'getStatsOverview',
  'compareClasses',
  'rankStudents',
];
