/** How far the server's clock is ahead of the time since the page was opened; null: it has not said yet. */
let ahead: number | null = null;

/** Hears what an answer says of the server's clock, in its header `Date`. */
export function hearServerClock(date: string | null): void {
  const said = Date.parse(date ?? '') - performance.now();
  // An answer that took long, or that the browser has kept, tells of an earlier moment.
  if (!Number.isNaN(said) && (ahead === null || said > ahead)) ahead = said;
}

/** The moment by the server's clock, in milliseconds: a device may be set wrong. */
export const serverNow = (): number => (ahead === null ? Date.now() : Math.round(ahead + performance.now()));
