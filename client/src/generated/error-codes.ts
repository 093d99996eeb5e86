// Made of the contract by `npm run client:generate`. Do not edit.

/** Every error code with its HTTP status, its name and what to do about it. */
export const errorCodes = {
  40001: { status: 400, name: 'MALFORMED_REQUEST', remedy: 'Send a JSON object as application/json, at most 1 MiB, with every required field.' },
  40002: { status: 400, name: 'INVALID_VALUE', remedy: 'The message names the field and what it takes. Correct it; repeating the call cannot help.' },
  40003: { status: 400, name: 'MISSING_PARAMETER', remedy: 'Name the class, or send at least one entry.' },
  40004: { status: 400, name: 'CONFIRMATION_REQUIRED', remedy: 'Repeat the call with confirm=true in the query, if that is what you mean.' },
  40101: { status: 401, name: 'TOKEN_MISSING', remedy: 'Send Authorization: Bearer <token> or X-API-Token: <token>.' },
  40102: { status: 401, name: 'TOKEN_INVALID', remedy: 'Compare the token with the one that was shown when it was issued; it may be cut off.' },
  40103: { status: 401, name: 'TOKEN_DISABLED', remedy: 'Ask the administrator who issued it.' },
  40104: { status: 401, name: 'TOKEN_EXPIRED', remedy: 'Ask for a later expiry date or a new credential.' },
  40105: { status: 401, name: 'TOKEN_ISSUER_DISABLED', remedy: 'Ask the school for a credential from another administrator.' },
  40301: { status: 403, name: 'SCHOOL_DISABLED', remedy: 'Stop calling, and ask the school.' },
  40302: { status: 403, name: 'SCOPE_DENIED', remedy: 'The header X-Accepted-Permissions names it; ask for it to be added.' },
  40303: { status: 403, name: 'OUT_OF_RANGE', remedy: 'Write only inside the range that GET /ping shows.' },
  40401: { status: 404, name: 'NOT_FOUND', remedy: 'Check the id and the path. A record outside the range looks exactly like a missing one.' },
  40901: { status: 409, name: 'CONFLICT', remedy: 'Choose another name. What has graduated is archived: leave it out. For a key in use, wait a second and repeat the same call with the same key. A key that was used elsewhere cannot be used again.' },
  41001: { status: 410, name: 'CURSOR_EXPIRED', remedy: 'Begin anew: call GET /changes without after, keep its cursor, read the lists once, and go on from that cursor.' },
  42901: { status: 429, name: 'RATE_LIMITED', remedy: 'Wait for the number of seconds in Retry-After, then repeat with the same idempotency key.' },
  50001: { status: 500, name: 'INTERNAL_ERROR', remedy: 'Repeat the call after a pause, with the same idempotency key if it writes. If it keeps failing, report the requestId.' },
  50301: { status: 503, name: 'TEMPORARILY_UNAVAILABLE', remedy: 'Wait for the number of seconds in Retry-After, then repeat with the same idempotency key: it is done once.' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The codes of an HTTP status. */
export type CodeOf<S extends number> = {
  [C in ErrorCode]: (typeof errorCodes)[C]['status'] extends S ? C : never;
}[ErrorCode];
