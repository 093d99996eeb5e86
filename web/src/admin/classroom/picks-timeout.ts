/** Milliseconds that the fair pick waits for picks of other screens. */
export const picksTimeoutMs = 400;
