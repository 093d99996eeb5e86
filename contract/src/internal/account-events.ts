/*
 * What is kept of an account beside the changes that operations make: of administrators in the activity log, of students
 * in a list of their own.
 */

/**
 * Stand in the activity log where otherwise the id of an operation stands. `codeAsked`: the password was right, and no
 * code of the second factor came with it. `passwordReset`, `secondFactorReset`, `unbound`: by somebody else.
 */
export const administratorEvents = [
  'signedIn',
  'signInFailed',
  'codeAsked',
  'confirmed',
  'confirmationFailed',
  'recoveryCodeUsed',
  'passkeyCloned',
  'sessionEnded',
  'otherSessionsEnded',
  'passwordReset',
  'secondFactorReset',
  'unbound',
  'webhookStopped',
  'webhookMissed',
] as const;
export type AdministratorEvent = (typeof administratorEvents)[number];

/** `confirmationFailed`: the old password was wrong when a new one was chosen. */
export const studentEvents = [
  'signedIn',
  'signInFailed',
  'confirmationFailed',
  'passwordChanged',
  'passwordReset',
  'unbound',
  'sessionEnded',
  'otherSessionsEnded',
] as const;
export type StudentEventKind = (typeof studentEvents)[number];
