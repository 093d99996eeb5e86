export { bodyBytesMax } from './body-size.ts';
export * from './credential-records.ts';
export { deriveBodyExamples, deriveExample } from './derive-example.ts';
export * from './error-codes.ts';
export {
  type Change,
  type ChangeAction,
  type ChangeType,
  changeTypes,
  permissionOfChange,
} from './external/changes.ts';
export { type ExternalOperationId, type ExternalOperations, externalOperations } from './external/index.ts';
export { ScoreEntry } from './external/scores.ts';
export { type Entry, namesOf } from './fields.ts';
export * from './internal/account-events.ts';
export type { AssignedTeachers } from './internal/administrators.ts';
export type { Picks } from './internal/attendance.ts';
export { Absence, type AttendanceSheet, absenceStates } from './internal/attendance.ts';
export {
  CheckedStudents,
  ImportEffect,
  type ImportEntry,
  ImportRow,
  ImportRun,
  keptReasons,
  type SkippedRow,
} from './internal/imports.ts';
export {
  type InternalOperationId,
  type InternalOperations,
  internalOperations,
  type LoggedAction,
} from './internal/index.ts';
export { StudentExport } from './internal/personal-data.ts';
export {
  ListedPromotion,
  Promotion,
  PromotionPreview,
  type promotionProblems,
  undoRefusals,
} from './internal/promotions.ts';
export * from './internal/records.ts';
export * from './internal/role-table.ts';
export { classmatesChoices, SchoolSettings } from './internal/schools.ts';
export { UserScoreEntry } from './internal/scores.ts';
export type { Passkey } from './internal/second-factor.ts';
export { Session, type StudentEvent } from './internal/sessions.ts';
export {
  providerFindings,
  SignInProvider,
  signInAudiences,
} from './internal/sign-in-providers.ts';
export { type ClassTeams, type Team, TeamRecord, teamRankings } from './internal/teams.ts';
export * from './limits.ts';
export { StudentBatchEntry } from './new-students.ts';
export * from './operation.ts';
export * from './permissions.ts';
export * from './records.ts';
export * from './school-day.ts';
export { SeatEntry } from './seats.ts';
export type { DayStatistics } from './statistics.ts';
export * from './webhook-messages.ts';
export * from './webhooks.ts';
