export const picksTimeoutMs = 400;
