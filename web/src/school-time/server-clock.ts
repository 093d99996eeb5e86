/** Milliseconds from `performance.now()` to the server's clock; null until the first answer. */
let ahead: number | null = null;

/** Reads the server's clock from an answer's `Date` header. */
export function hearServerClock(date: string | null): void {
  const said = Date.parse(date ?? '') - performance.now();
  // A slow or cached answer gives an earlier time, so keep the latest.
  if (!Number.isNaN(said) && (ahead === null || said > ahead)) ahead = said;
}

/** Returns the time of the server's clock in milliseconds, because a device's clock may be wrong. */
export const serverNow = (): number => (ahead === null ? Date.now() : Math.round(ahead + performance.now()));
