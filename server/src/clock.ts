/** Tells the current instant. Injected everywhere, so that tests decide what time it is. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds since some moment of the past, for limits and durations: it goes on evenly when the machine's clock is
 * set. It means nothing to another process and is never stored.
 */
export type Monotonic = () => number;

/** By so much the machine's clock may gain between two looks at it before the machine counts as having slept. */
const sleptMs = 100;

/**
 * Time that goes on while a machine is suspended, where the time that a process counts stands still: what is trusted for
 * a while is not to be trusted longer for that. A clock that is set forward looks the same; one that is set back changes nothing.
 *
 * @param counted by the process @param wall by the machine
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
