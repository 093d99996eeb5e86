/**
 * Reasons for a refusal that a page can react to:
 * - `confirm`: confirm your identity; `code`: send the code of the second factor; `factor`: set up a second factor;
 * - `password…`: the fault of the chosen password;
 * - `passwordEnded`: the password is right, but expired before its first use;
 * - `archived`: the target has graduated; the request itself is correct.
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
