/**
 * Runs work in one page of this browser at a time. Runs at once without `locks` (no https), and after `timeoutMs` in any
 * case: a frozen page may hold the lock forever.
 */
export async function runExclusively(
  locks: LockManager | undefined,
  name: string,
  work: () => Promise<void>,
  timeoutMs = 30_000,
): Promise<void> {
  let hasBegun = false;
  try {
    await locks?.request(name, { signal: AbortSignal.timeout(timeoutMs) }, () => {
      hasBegun = true;
      return work();
    });
  } catch (error) {
    if (hasBegun) throw error;
  }
  if (!hasBegun) await work();
}
