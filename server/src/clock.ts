/** Tells the current instant. Injected everywhere, so that tests decide what time it is. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Milliseconds since some moment of the past, for limits and durations: it goes on evenly when the machine's clock is
 * set. It means nothing to another process and is never stored.
 */
export type Monotonic = () => number;

export const systemMonotonic: Monotonic = () => performance.now();
