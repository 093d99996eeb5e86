import { setTimeout } from 'node:timers/promises';

/** Repeats a request with pauses, so that it observes without competing. `stop` returns the sorted latencies in ms. */
export function repeatRequest(request: () => Promise<unknown>, pauseMs = 10) {
  const latencies: number[] = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      await request();
      latencies.push(performance.now() - startedAt);
      await setTimeout(pauseMs);
    }
    return latencies.sort((a, b) => a - b);
  })();
  return {
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

/** Returns a quantile of ascending values, as text. */
export const quantile = (sorted: readonly number[], share: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

export const formatLatencies = (latencies: readonly number[]) =>
  `${latencies.length} requests: median ${quantile(latencies, 0.5)} ms, ` +
  `p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`;
