import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition holds, and fails by name when it does not within the bound, which is for what hangs. */
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
