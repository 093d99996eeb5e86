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
