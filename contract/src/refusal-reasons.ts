/**
 * Reasons for a refusal that a page can react to:
 * - `confirm`: confirm your identity; `code`: send the code of the second factor; `factor`: set up a second factor;
 * - `password…`: what is wrong with the chosen password;
 * - `passwordEnded`: the password is right, but expired before its first use;
 * - `archived`: the target has graduated and cannot change, so no form field is at fault.
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
