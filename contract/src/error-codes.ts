/** External error codes (docs/contract.md, Errors). */
export const errorCodes = {
  40001: {
    name: 'MALFORMED_REQUEST',
    meaning: 'The body cannot be read, or a required field is missing.',
    remedy: 'Send a JSON object as application/json, at most 1 MiB, with every required field.',
  },
  40002: {
    name: 'INVALID_VALUE',
    meaning: 'A value has the wrong type, is out of bounds or is unknown.',
    remedy: 'The message names the field and the values that it accepts. Correct the value before you retry.',
  },
  40003: {
    name: 'MISSING_PARAMETER',
    meaning: 'The required classId is missing, or the list of a bulk request is missing or empty.',
    remedy: 'Send classId, or at least one entry.',
  },
  40004: {
    name: 'CONFIRMATION_REQUIRED',
    meaning: 'The operation deletes data and was not confirmed.',
    remedy: 'To delete the data, repeat the call with confirm=true in the query.',
  },
  40101: {
    name: 'TOKEN_MISSING',
    meaning: 'The request carries no credential.',
    remedy: 'Send Authorization: Bearer <credential> or X-API-Token: <credential>.',
  },
  40102: {
    name: 'TOKEN_INVALID',
    meaning: 'The credential is unknown.',
    remedy: 'Compare your credential with the one shown when it was issued, because it may be truncated.',
  },
  40103: {
    name: 'TOKEN_DISABLED',
    meaning: 'The credential is disabled or revoked.',
    remedy: 'Ask the administrator who issued it.',
  },
  40104: {
    name: 'TOKEN_EXPIRED',
    meaning: 'The credential has expired.',
    remedy: 'Ask for a later expiry date or a new credential.',
  },
  40105: {
    name: 'TOKEN_ISSUER_DISABLED',
    meaning:
      'The administrator who issued the credential is disabled or no longer responsible for its range.',
    remedy: 'Ask the school for a credential from another administrator.',
  },
  40301: {
    name: 'SCHOOL_DISABLED',
    meaning: 'The school of the credential is disabled or deleted.',
    remedy: 'Stop calling and contact the school.',
  },
  40302: {
    name: 'SCOPE_DENIED',
    meaning: 'The credential lacks the permission that the operation needs.',
    remedy: 'Ask the school to add the permission that the header X-Accepted-Permissions names.',
  },
  40303: {
    name: 'OUT_OF_RANGE',
    meaning:
      'A write names an object outside the range, or the operation requires a credential with a wider range.',
    remedy: 'Write only within the range that GET /ping returns.',
  },
  40401: {
    name: 'NOT_FOUND',
    meaning: 'The path or the record does not exist, or a read names a record outside the range.',
    remedy: 'Check the id and the path. A record outside the range looks exactly like a missing one.',
  },
  40901: {
    name: 'CONFLICT',
    meaning:
      'The name is taken, the record belongs to a past term, or the class or grade has graduated. This is also the error for an idempotency key that is in use or belongs to another endpoint.',
    remedy:
      'Choose another name. Leave out classes and students that have graduated, because they are archived. If the key is in use, wait a second and retry the same call with the same key. If the key belongs to another endpoint, use a new key.',
  },
  41001: {
    name: 'CURSOR_EXPIRED',
    meaning: 'The cursor has expired, or it was created for other data, another range or fewer types.',
    remedy:
      'Call GET /changes without after and store its cursor. Then read the lists once and continue from that cursor.',
  },
  42901: {
    name: 'RATE_LIMITED',
    meaning: 'The credential has made too many calls in the current window.',
    remedy: 'Wait for the number of seconds in Retry-After, then retry with the same idempotency key.',
  },
  50001: {
    name: 'INTERNAL_ERROR',
    meaning: 'The server failed unexpectedly.',
    remedy:
      'Retry after a pause. For a write, use the same idempotency key. If it keeps failing, report the requestId.',
  },
  50301: {
    name: 'TEMPORARILY_UNAVAILABLE',
    meaning: 'The server is full, is stopping, or cannot reach its database. A write may have taken effect.',
    remedy:
      'Wait for the number of seconds in Retry-After, then retry with the same idempotency key. The key prevents a second write.',
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Returns the HTTP status of a code, which is the status times 100 plus a sequence number. */
export const httpStatusOf = (code: ErrorCode): number => Math.floor(code / 100);

/**
 * `confirm`: confirm your identity; `code`, `factor`: send a second factor's code, or set one up; `password…`: fault of
 * the new password; `passwordEnded`: expired before its first use; `archived`: the target has graduated.
 */
export const refusalReasons = [
  'confirm',
  'code',
  'factor',
  'passwordSame',
  'passwordRepeated',
  'passwordCommon',
  'passwordPersonal',
  'passwordEnded',
  'archived',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
