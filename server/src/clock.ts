/** Injected everywhere, so that tests control the time. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds since an arbitrary moment, for limits and durations: setting the machine's clock back does not affect
 * them. Meaningful in this process only: do not store the value.
 */
export type Monotonic = () => number;

/** A larger jump between two calls means that the machine was asleep. */
const sleptMs = 100;

/**
 * Returns a clock that also advances while the machine is suspended, so that nothing stays trusted longer for it.
 * Setting the machine's clock forward looks like sleep; setting it back changes nothing.
 *
 * @param counted the process's clock, which may stop during sleep
 * @param wall the machine's clock
 */
export function monotonicOf(counted: () => number, wall: () => number): Monotonic {
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

export const systemMonotonic: Monotonic = monotonicOf(() => performance.now(), Date.now);
