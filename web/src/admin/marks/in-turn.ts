/**
 * Runs work in one page of this browser at a time. Waits at most `withinMs` for the lock: a frozen page may hold it
 * forever.
 *
 * @param locks undefined without https; the work then runs at once
 */
export async function inTurn(
  locks: LockManager | undefined,
  name: string,
  work: () => Promise<void>,
  withinMs = 30_000,
): Promise<void> {
  let hasBegun = false;
  try {
    await locks?.request(name, { signal: AbortSignal.timeout(withinMs) }, () => {
      hasBegun = true;
      return work();
    });
  } catch (error) {
    if (hasBegun) throw error;
  }
  if (!hasBegun) await work();
}
