import { createHistogram, type Histogram, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a request with pauses, so that it observes without competing. `stop` returns the latencies. */
export function repeatRequest(request: () => Promise<unknown>, pauseMs = 10) {
  const latencies = createHistogram();
  const timedRequest = performance.timerify(request, { histogram: latencies });
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      await timedRequest();
      await pause(pauseMs);
    }
    return latencies;
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

/** Repeats a request for some seconds. @returns the latencies */
export async function repeatFor(seconds: number, request: () => Promise<unknown>, pauseMs = 10) {
  const requests = repeatRequest(request, pauseMs);
  await pause(seconds * 1_000);
  return requests.stop();
}

/** Returns a percentile of latencies in milliseconds. `timerify` records nanoseconds. */
export const percentileMs = (latencies: Histogram, percentile: number) =>
  latencies.percentile(percentile) / 1e6;

export function formatLatencies(latencies: Histogram): string {
  const [median, p99, longest] = [50, 99, 100].map(
    (each) => `${percentileMs(latencies, each).toFixed(1)} ms`,
  );
  return `${latencies.count} requests: median ${median}, p99 ${p99}, longest ${longest}`;
}
