/** Events in the activity log. Another person caused `passwordReset`, `secondFactorReset` and `unbound`. */
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
