import { setTimeout } from 'node:timers/promises';
import type { Call } from './processes/product.ts';

const pauseMs = 10;

/**
 * Asks for the same again and again, with pauses, so that it observes and does not compete.
 *
 * @returns what ends it, and gives the latencies in ms, in ascending order
 */
export function ask(call: Call, path: string) {
  const latencies: number[] = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      await call('GET', path);
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

/** Of values in ascending order, as text. */
export const quantile = (sorted: readonly number[], share: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);

/** What the bystander has seen, for people. */
export const summary = (latencies: readonly number[]) =>
  `${latencies.length} other requests meanwhile: median ${quantile(latencies, 0.5)} ms, ` +
  `p99 ${quantile(latencies, 0.99)} ms, longest ${quantile(latencies, 1)} ms`;
