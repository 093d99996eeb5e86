/** So long, in milliseconds, the fair pick waits to hear what other screens have picked. */
export const picksWaitMs = 400;
