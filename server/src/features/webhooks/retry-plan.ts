/** The server gives up a message that failed for this long, and stops a webhook whose every delivery failed for this long. */
export const giveUpAfterMs = 3 * 86_400_000;
/** After this many consecutive failures, the receiver counts as down and all its deliveries wait. */
export const failuresUntilPause = 3;

const firstMs = 5_000;
const longestMs = 3_600_000;

/** Returns milliseconds: 5 s, 15 s, 45 s and so on, at most an hour. Jitter of 10 % spreads the retries. */
export function retryWaitMs(failures: number, retryAfterMs: number | null, random = Math.random()): number {
  const planned = Math.min(firstMs * 3 ** (failures - 1), longestMs) * (0.9 + random / 5);
  return Math.round(Math.max(planned, Math.min(retryAfterMs ?? 0, longestMs)));
}
