export type { Answer, BatchOptions, BatchPart, CallOptions, Clock } from './call.ts';
export type { Change, ChangeAtCursor, ChangesOptions, ChangesPage } from './changes.ts';
export { Classledger, type ClientOptions, type InputOf } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  BatchInterruptedError,
  ClassledgerError,
  ConflictError,
  CursorTooOldError,
  InvalidRequestError,
  MalformedAnswerError,
  NetworkError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  ServerError,
  TimeoutError,
  UnavailableError,
} from './errors.ts';
export { type CodeOf, type ErrorCode, errorCodes } from './generated/error-codes.ts';
export type { Operations } from './generated/methods.ts';
export { type OperationId, operations } from './generated/operations.ts';
export type * from './generated/types.ts';
export type {
  MirrorBatch,
  MirrorChange,
  MirroredThings,
  MirroredType,
  MirrorOptions,
  MirrorStore,
} from './mirror.ts';
export type { RetryPolicy } from './retries.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookOptions,
  type WebhookRefusal,
  WebhookVerificationError,
} from './webhooks.ts';
