/** Runs work in one page at a time; at once without `locks`, or after `timeoutMs`: a frozen page may hold the lock. */
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
