export const migrationLock = 7_309_453_120_117;

/** Held while an application is submitted, because its limit counts the pending ones. */
export const applicationLock = 7_309_453_120_129;

/** One per table, so that a long removal in one table does not block housekeeping of the others. */
export const housekeepingLocks = {
  audit_record: 7_309_453_120_118,
  activity: 7_309_453_120_119,
  idempotency_key: 7_309_453_120_120,
  application: 7_309_453_120_121,
  spent_challenge: 7_309_453_120_122,
  student_event: 7_309_453_120_123,
  sign_in_flow: 7_309_453_120_124,
  student_session: 7_309_453_120_125,
  change: 7_309_453_120_126,
  webhook_delivery: 7_309_453_120_127,
  import_run: 7_309_453_120_128,
  import_row: 7_309_453_120_130,
} as const;
