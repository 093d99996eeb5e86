/* Account events: the activity log keeps those of administrators, a separate list those of students. */

/**
 * These stand in place of an operation id. `codeAsked`: the password was right, but the second factor's code was
 * missing. `passwordReset`, `secondFactorReset`, `unbound`: another person did it.
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

/** `confirmationFailed`: the old password was wrong when the student chose a new one. */
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
