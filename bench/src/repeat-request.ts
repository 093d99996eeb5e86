import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a request with pauses, so that it observes without competing. `stop` returns the sorted latencies in ms. */
export function repeatRequest(request: () => Promise<unknown>, pauseMs = 10) {
  const latencies: number[] = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      await request();
      latencies.push(performance.now() - startedAt);
      await pause(pauseMs);
    }
    return latencies.sort((a, b) => a - b);
  })();
  // `stop` throws the error. Unhandled, it would end this process before it has stopped the server.
  done.catch(() => {});
  return {
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

/** Repeats a request for some seconds. @returns the sorted latencies in ms */
export async function repeatFor(seconds: number, request: () => Promise<unknown>, pauseMs = 10) {
  const requests = repeatRequest(request, pauseMs);
  await pause(seconds * 1_000);
  return requests.stop();
}

/** Returns a quantile of ascending values. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export function formatLatencies(latencies: readonly number[]): string {
  const [median, p99, longest] = [0.5, 0.99, 1].map((share) => `${quantile(latencies, share).toFixed(1)} ms`);
  return `${latencies.length} requests: median ${median}, p99 ${p99}, longest ${longest}`;
}
