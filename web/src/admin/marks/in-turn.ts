/**
 * Does something in one page of this browser at a time. A page that was suspended may hold its turn for ever: after a while nobody waits
 * for it.
 *
 * @param locks there on https only; elsewhere nothing is waited for
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
