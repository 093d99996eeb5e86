/**
 * Mutants that behave like the original, so every test passes with them. Ids depend on the code: when a line changes,
 * its entry loses its effect and can go.
 */
export const equivalentMutants: Readonly<Record<string, string>> = {
  // server/src/access/counters.ts
  '08e7b107317d':
    'A remembered wait of 0 ms is over at once, so the next attempt asks the database as without it.',
  '1f2541eb7cdc':
    'All hashes come from this function and are only compared with each other; 17 bytes distinguish at least as well, and the lock key is still the first 8.',
  // server/src/access/credential-directory.ts
  '318705bd2956': 'The generation is only compared with an earlier value of itself.',
  // server/src/access/credential.ts
  a3051de26713:
    'Only runs the query for grades more often; exceedsIssuer decides school credentials and credentials within the range before it looks at the result.',
  // server/src/access/installation-secret.ts
  '287a6fc1fdbe': 'Without `flush`, only a power failure right after the start loses the secret.',
  // server/src/access/school-data.ts
  '5c02c40b9881': 'Both callers join the records to students of the range, or have checked the student.',
  // server/src/access/sign-in-addresses.ts
  '20ecdac00f20':
    'The set only saves repeated writes of the same remembered sign-in within a day; the stored data is the same apart from an expiry that moves by hours.',
  // server/src/features/scores/ledger/score-ledger.ts
  '142b69c39afa':
    'The boundary of a real-time clock: one instant of performance.now() (microseconds) decides, and both batch sizes are correct.',
  // server/src/features/scores/ledger/transaction.ts
  '7f14675d8aad':
    'Without keys, claimKeys asks for zero keys and returns no rows; only two needless statements in the same round trip differ.',
  // server/src/features/scores/list-scores.ts
  '2625c17e39ed':
    'A performance heuristic: both ways to find the page return the same records in the same order.',
  c4f63815667e: 'A performance heuristic: gathering by student and scanning by time return the same page.',
  '2e3bdf77cfc2': 'A performance heuristic: gathering by student and scanning by time return the same page.',
  c2205918d8d4: 'A performance heuristic: gathering by student and scanning by time return the same page.',
  // server/src/features/scores/verify-ledger.ts
  b736a40cba92:
    'A faster expression for installations in UTC only: with no other zone, the general expression also yields UTC for each school.',
  '27bad0396ed9': 'The general expression also yields UTC for each school.',
  // server/src/features/scores/write-scores.ts
  '0b5253b56fd4':
    'Without a change the entry always carries a fault, so the value is only tested by Number.isInteger, which is false for NaN and undefined alike.',
  // server/src/http/audit-log.ts
  ed00885188ff: 'The minute is only compared, and null differs from every minute as 0 does.',
  // server/src/http/internal-api.ts
  '6e42e5fb39ff': 'Without a school, the number only names the queue of calls.',
  // server/src/http/json-body.ts
  '1f66aeacdf84':
    '`bytes[length]` is undefined, so the inner loop goes one step further and the outer loop ends all the same.',
  // server/src/http/load.ts
  '719c3c0a7c57': 'A socket without a handle is already closed, so that disconnecting it changes nothing.',
  // web/src/admin/classroom/scoring/board-context.ts
  '3958559912e0':
    'A refused or stuck entry always has a problem; without one, the text is computed but never shown.',
  // web/src/admin/outbox/entry-store.ts
  '69aee9e57a1e':
    'The entries come from the same map, so a stored entry always exists and its text is never undefined.',
  // web/src/admin/outbox/scoring-queue.ts
  f5bfaad611d0: 'The revision is only compared with an earlier value of itself.',
};
