import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition holds; fails with its name after a bound that only a hang reaches. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(5);
  }
}
