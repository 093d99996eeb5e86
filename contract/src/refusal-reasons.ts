/**
 * Why the internal API refused, where a page can do something about it at once:
 * - `confirm`: prove again who you are; `code`: send the code of the second factor; `factor`: set a second factor up;
 * - what is wrong with a password that somebody chose;
 * - `passwordEnded`: the password is right, and was not used in time;
 * - `archived`: it has graduated, and nothing of it can be changed, so that no field of a form is at fault.
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
