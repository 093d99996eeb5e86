import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until a condition holds; fails with its name after a bound that only a hang reaches.
 * Checks less often with time, because a check may cost what the awaited process needs.
 */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let waitMs = 5; !(await condition()); waitMs = Math.min(waitMs + 1, 50)) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(waitMs);
  }
}
