export { bodyBytesMax } from './body-size.ts';
export * from './error-codes.ts';
export { type ExternalOperationId, type ExternalOperations, externalOperations } from './external/index.ts';
export { ScoreEntry } from './external/scores.ts';
export { type Entry, StudentBatchEntry } from './fields.ts';
export * from './internal/account-events.ts';
export { type InternalOperationId, type InternalOperations, internalOperations } from './internal/index.ts';
export type { Passkey } from './internal/passkey-record.ts';
export { StudentExport } from './internal/personal-data.ts';
export * from './internal/records.ts';
export * from './internal/role-table.ts';
export { classmatesChoices, SchoolSettings } from './internal/school-settings.ts';
export { UserScoreEntry } from './internal/scores.ts';
export type { Session, StudentEvent } from './internal/sessions.ts';
export {
  providerFindings,
  SignInProvider,
  signInAudiences,
} from './internal/sign-in-providers.ts';
export * from './limits.ts';
export * from './operation.ts';
export * from './permissions.ts';
export * from './records.ts';
export * from './refusal-reasons.ts';
