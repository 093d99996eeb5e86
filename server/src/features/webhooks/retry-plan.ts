/** After so long without being taken a message is given up, and a webhook stopped. */
export const givenUpAfterMs = 3 * 86_400_000;
/** So many failures in a row speak of the receiver, not of a message: then all wait. */
export const failuresUntilRest = 3;

const firstMs = 5_000;
const longestMs = 3_600_000;

/**
 * How long to wait after so many failures: 5 s, 15 s, 45 s, and so on, an hour at most; a tenth more or less, so that
 * not all come back at once.
 *
 * @param wanted by the receiver, in milliseconds
 * @param random 0 to 1
 */
export function waitAfter(failures: number, wanted: number | null, random = Math.random()): number {
  const planned = Math.min(firstMs * 3 ** (failures - 1), longestMs) * (0.9 + random / 5);
  return Math.round(Math.max(planned, Math.min(wanted ?? 0, longestMs)));
}
