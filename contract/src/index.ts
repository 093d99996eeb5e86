export * from './error-codes.ts';
export { type ExternalOperationId, type ExternalOperations, externalOperations } from './external/index.ts';
export { ScoreEntry } from './external/scores.ts';
export { StudentBatchEntry } from './external/students.ts';
export { type InternalOperationId, type InternalOperations, internalOperations } from './internal/index.ts';
export * from './limits.ts';
export * from './operation.ts';
export * from './permissions.ts';
export * from './records.ts';
