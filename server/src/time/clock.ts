/** Injected everywhere, so that tests control the time. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Milliseconds since an arbitrary moment. Meaningful only in this process, so never store it. */
export type MonotonicClock = () => number;

/** A larger jump between two calls means that the machine was asleep. */
const sleptMs = 100;

/** Returns a clock that also advances while the machine sleeps. Setting the machine's clock back changes nothing. */
export function createMonotonicClock(counted: () => number, wall: () => number): MonotonicClock {
  let ahead = wall() - counted();
  let slept = 0;
  return () => {
    const now = counted();
    const gained = wall() - now - ahead;
    ahead += gained;
    if (gained >= sleptMs) slept += gained;
    return now + slept;
  };
}

export const systemMonotonicClock: MonotonicClock = createMonotonicClock(() => performance.now(), Date.now);
