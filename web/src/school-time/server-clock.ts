/** Milliseconds to add to `performance.now()` to get the server's time; null until the first answer. */
let clockOffsetMs: number | null = null;

export function readServerClock(date: string | null): void {
  const offsetMs = Date.parse(date ?? '') - performance.now();
  // A slow or cached answer gives a time that is too early, so keep the latest.
  if (!Number.isNaN(offsetMs) && (clockOffsetMs === null || offsetMs > clockOffsetMs))
    clockOffsetMs = offsetMs;
}

/** Returns the time of the server's clock in milliseconds, because a device's clock may be wrong. */
export const serverNow = (): number =>
  clockOffsetMs === null ? Date.now() : Math.round(clockOffsetMs + performance.now());
